"""The decorator of compiled functions: numba without the GIL, kept on disk between runs, and never out of date.

numba keeps compiled code until the file of the function changes. It does not notice a change in another file whose
functions were compiled into it. So what is kept is stamped with all compiled sources of the package. Processes that
start together on an empty cache wait for the first of them to compile, and load what it made.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numba
from numba import njit

try:
    import fcntl
except ImportError:  # Windows: numba's own atomic writes have to do
    fcntl = None  # type: ignore[assignment]

import unflip

# Files and folders, relative to the package, with compiled functions or with constants that these contain.
COMPILED = (
    "neighbors/engines",
    "neighbors/graph.py",
    "voting/counting.py",
    "baselines/online_passes.py",
    "foundation/compiled.py",
)
# For tests and trouble: plain loops in place of the vector code of `neighbors.engines.tile`.
PLAIN_LOOPS = bool(os.environ.get("UNFLIP_PLAIN_LOOPS"))


def compiled_sources() -> list[Traversable]:
    """Return the files that are stamped; none in an installation without sources."""
    try:
        found = [files("unflip").joinpath(*place.split("/")) for place in COMPILED]
        return [path for place in found for path in (_folder(place) if place.is_dir() else [place])]
    except (OSError, TypeError, ValueError):
        return []


def _folder(place: Traversable) -> list[Traversable]:
    return sorted((path for path in place.iterdir() if path.name.endswith(".py")), key=lambda path: path.name)


def stamp(paths: Iterable[Traversable]) -> str:
    """Return a digest of the contents of files and of what else decides the compiled code."""
    digest = hashlib.sha256(f"{unflip.__version__} {PLAIN_LOOPS}".encode())
    try:
        for path in paths:
            digest.update(path.read_bytes())
    except OSError:  # a frozen program has no sources, and changes only with its version
        pass
    return digest.hexdigest()


_STAMP = stamp(compiled_sources())


def compiled(**options: Any) -> Callable[[Callable], Callable]:
    """Compile a function on its first call; options are those of numba.njit."""

    def decorate(function: Callable) -> Callable:
        try:
            dispatcher = njit(nogil=True, cache=True, **options)(function)
        except RuntimeError as error:  # no folder to write to
            _warn_once(f"{error}; set NUMBA_CACHE_DIR to a folder that can be written to")
            return njit(nogil=True, **options)(function)
        try:
            _keep_up_to_date(dispatcher)
        except (AttributeError, ImportError, TypeError) as error:
            _warn_once(f"numba {numba.__version__} is not known to unflip {unflip.__version__} ({error})")
            return njit(nogil=True, **options)(function)
        return dispatcher

    return decorate


_warned = False


def _warn_once(reason: str) -> None:
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(f"Compiled code is not kept: every process compiles it again. {reason}.", stacklevel=4)


def _keep_up_to_date(dispatcher: Any) -> None:
    """Stamp what a dispatcher keeps, and let one process at a time compile."""
    from numba.core.compiler_lock import global_compiler_lock

    cache_file = dispatcher._cache._cache_file
    cache_file._source_stamp = (*cache_file._source_stamp, _STAMP)
    dispatcher._cache = _SharedCache(dispatcher._cache)
    compile_alone = dispatcher.compile

    def compile_once(signature: Any) -> Any:
        with global_compiler_lock, _LOCK.compiling():
            return compile_alone(signature)

    dispatcher.compile = compile_once


class _Lock:
    """A lock between processes, taken when something has to be compiled and released when that is on the disk."""

    def __init__(self) -> None:
        self._depth = 0
        self._file: Any = None

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Count nested compilations; what was taken is released with the outermost."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0 and self._file is not None:
                self._file.close()  # which unlocks it
                self._file = None

    def acquire(self, folder: str) -> bool:
        """Wait until no other process compiles; tell whether that was asked for the first time."""
        if fcntl is None or self._depth == 0 or self._file is not None:
            return False
        try:
            os.makedirs(folder, exist_ok=True)
            file = open(os.path.join(folder, "unflip-compiling.lock"), "ab")  # noqa: SIM115 (held until compiled)
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            return False
        self._file = file
        return True


_LOCK = _Lock()


class _SharedCache:
    """numba's cache of one function, shared with other processes; damaged files in it are made again."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_cache"], name)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return what is kept; else wait for whoever compiles, and look again."""
        found = self._loaded(signature, target)
        if found is None and _LOCK.acquire(self._cache.cache_path):
            found = self._loaded(signature, target)
        return found

    def _loaded(self, signature: Any, target: Any) -> Any:
        try:
            return self._cache.load_overload(signature, target)
        except Exception:  # whatever a damaged pickle ends in
            with suppress(OSError):
                self._cache.flush()
            return None

    def save_overload(self, signature: Any, compiled_code: Any) -> None:
        """Keep what was compiled, or say that it could not be kept."""
        try:
            self._cache.save_overload(signature, compiled_code)
        except OSError as error:
            _warn_once(f"{error.strerror or error}: {self._cache.cache_path}")
