"""The decorator of compiled functions: numba without the lock, kept on disk between runs, and never out of date.

numba keeps what it compiled until the file of a function changes; that a function calls one of another file, it does
not see. So what is kept is stamped with all compiled sources of the package, and made anew when one of them changes.
"""

import hashlib
from pathlib import Path

from numba import njit

_HERE = Path(__file__).parent
_COMPILED = ("fold_counting.py", "baselines/online_passes.py", "compiled.py")
_SOURCES = sorted([*_HERE.glob("neighbors/*.py"), *(_HERE / name for name in _COMPILED)])


def stamp(paths):
    """Return a digest of the contents of files."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


_STAMP = stamp(_SOURCES)


def compiled(**options):
    """Compile a function on its first call; options are those of numba.njit."""

    def decorate(function):
        try:
            dispatcher = njit(nogil=True, cache=True, **options)(function)
            cache_file = dispatcher._cache._cache_file
            cache_file._source_stamp = (*cache_file._source_stamp, _STAMP)
        except (AttributeError, TypeError, RuntimeError):
            # Another numba, or no folder to write to: compiling in every process is slow, old code would be wrong.
            return njit(nogil=True, **options)(function)
        return dispatcher

    return decorate
