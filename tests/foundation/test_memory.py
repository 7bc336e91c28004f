"""Memory that is held and left, and arrays in files."""

import sys

import numpy as np
import pytest

from unflip.foundation.memory import available_bytes, mapped_array, release, resident_bytes

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory is held")


@linux
def test_what_is_written_to_an_array_in_a_file_does_not_stay_in_memory(tmp_path):
    array = mapped_array((2**18, 32), np.float64, tmp_path)  # 64 MB
    before = resident_bytes()
    array[:] = 1.5
    written = resident_bytes()
    release(array[5:9, 1:])
    assert written - before > 50 * 2**20
    assert resident_bytes() - before < 10 * 2**20
    assert array[2**17, 7] == 1.5
    assert not list(tmp_path.iterdir())  # nothing is left behind, however this process ends


def test_arrays_in_memory_are_left_alone():
    array = np.ones(3)
    release(array)
    release(array[1:])
    assert array.tolist() == [1, 1, 1]


@linux
def test_there_is_memory_left():
    assert available_bytes() > 2**20


def test_a_system_that_does_not_say_is_no_error(monkeypatch):
    def fail(*_):
        raise OSError

    monkeypatch.setattr("pathlib.Path.read_text", fail)
    assert resident_bytes() is None
    assert available_bytes() is None
