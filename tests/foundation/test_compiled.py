"""Compiled code that is kept on disk must not outlive its sources."""

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
