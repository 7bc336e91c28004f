"""Compiled code that is kept on disk must not outlive its sources."""

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import unflip
from unflip.foundation import compiled as module
from unflip.foundation.compiled import compiled, compiled_sources, stamp

PROGRAM = """
import importlib.util, sys
from pathlib import Path

import unflip.foundation.compiled as module

folder = Path(sys.argv[1])
module._STAMP = module.stamp(sorted(folder.glob("*.py")))
sys.path.insert(0, str(folder))
from caller import double
print(double(3))
"""


def run(folder):
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(folder)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_change_in_another_file_is_seen(tmp_path):
    """The caller's file stays as it is; with numba's own stamp the second run would still give 6."""
    callee, caller = tmp_path / "callee.py", tmp_path / "caller.py"
    header = "from unflip.foundation.compiled import compiled\n"
    callee.write_text(header + "@compiled()\ndef factor():\n    return 2\n")
    caller.write_text(
        header
        + textwrap.dedent("""
        from callee import factor

        @compiled()
        def double(x):
            return x * factor()
        """)
    )
    assert run(tmp_path) == "6"
    assert run(tmp_path) == "6"
    callee.write_text(callee.read_text().replace("return 2", "return 5"))
    assert run(tmp_path) == "15"


def test_compiled_functions_carry_the_stamp_of_all_sources():
    from unflip.neighbors.engines.leaf import _search_leaf

    assert stamp(compiled_sources()) == module._STAMP
    assert _search_leaf._cache._cache_file._source_stamp[-1] == module._STAMP
    names = {path.name for path in compiled_sources()}
    assert {"candidates.py", "tile.py", "leaf.py", "counting.py", "graph.py", "online_passes.py"} <= names


def test_every_file_with_compiled_functions_is_among_the_sources():
    package = Path(unflip.__file__).parent
    users = {path for path in package.rglob("*.py") if "@compiled(" in path.read_text()}
    assert users <= {Path(str(path)) for path in compiled_sources()}


def test_where_nothing_can_be_kept_functions_are_compiled_all_the_same(monkeypatch):
    def no_folder(*args, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function")
        return lambda function: function

    monkeypatch.setattr(module, "njit", no_folder)
    monkeypatch.setattr(module, "_warned", False)
    with pytest.warns(UserWarning, match="every process compiles it again. cannot cache function; set NUMBA_CACHE_DIR"):
        assert compiled()(len)([1, 2]) == 2
    assert compiled()(len)([1, 2]) == 2  # it is said once


COUNT = """
import numpy as np
from unflip.voting.counting import count_votes
votes = np.zeros((1, 1, 1, 2), np.int32)
one = np.ones((1, 1), np.int64)
count_votes(np.zeros((1, 1), np.int32), np.ones(1, np.int64), np.ones(1, np.int64), np.ones(1, np.int64), votes, one)
stats = count_votes.stats
print(*votes.ravel(), sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


def test_six_processes_on_an_empty_cache_compile_once_and_agree(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    started = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", COUNT], env=environment, stdout=subprocess.PIPE)
        for _ in range(6)
    ]
    answers = [process.communicate(timeout=300)[0].decode().split() for process in started]
    assert [process.returncode for process in started] == [0] * 6
    assert sorted(answers) == [["0", "1", "0", "1"]] + 5 * [["0", "1", "1", "0"]]  # votes, hits and misses


def test_a_damaged_cache_is_made_again(tmp_path):
    (tmp_path / "caller.py").write_text(
        "from unflip.foundation.compiled import compiled\n@compiled()\ndef double(x):\n    return x * 2\n"
    )
    assert run(tmp_path) == "6"
    kept = sorted((tmp_path / "__pycache__").glob("*.nb[ic]"))
    assert len(kept) == 2
    for damage in (b"", b"garbage", kept[0].read_bytes()[:100]):
        for file in kept:
            file.write_bytes(damage)
            assert run(tmp_path) == "6"
            assert file.read_bytes() != damage


def test_the_stamp_is_the_same_from_a_zip_and_changes_with_a_source(tmp_path):
    """Nothing is compiled: only the stamp is asked for."""
    package = Path(unflip.__file__).parent
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", package.parent, "unflip")
    program = "import unflip.foundation.compiled as module; print(module.__file__, module._STAMP)"

    def stamp_from(path):
        done = subprocess.run(
            [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(path)!r}); {program}"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.split()

    where, zipped = stamp_from(archive)
    assert where.startswith(archive)
    assert zipped == stamp(compiled_sources())
    changed = tmp_path / "changed" / "unflip"
    shutil.copytree(package, changed, ignore=shutil.ignore_patterns("__pycache__"))
    with open(changed / "neighbors" / "engines" / "pairs.py", "a") as file:
        file.write("# another comment\n")
    assert stamp_from(changed.parent)[1] != zipped


def test_without_sources_the_version_is_the_stamp(monkeypatch):
    def gone(package):
        raise FileNotFoundError(package)

    monkeypatch.setattr(module, "files", gone)
    assert compiled_sources() == []
    assert stamp([]) == stamp(compiled_sources()) != module._STAMP


def test_if_numbas_private_names_change_it_is_said_once_and_nothing_stale_is_kept(monkeypatch):
    def changed(dispatcher):
        raise AttributeError("'Dispatcher' object has no attribute '_cache'")

    monkeypatch.setattr(module, "_keep_up_to_date", changed)
    monkeypatch.setattr(module, "_warned", False)
    with pytest.warns(UserWarning, match="every process compiles it again. numba .* is not known to unflip") as caught:
        double, triple = compiled()(lambda x: 2 * x), compiled()(lambda x: 3 * x)
    assert len(caught) == 1
    assert (double(2), triple(2)) == (4, 6)
    assert not isinstance(double._cache, module._SharedCache)
