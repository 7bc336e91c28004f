"""What is known of each file of a data set: its size and digest, so that a file that changed is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from glob import glob
from os import PathLike, fspath
from pathlib import Path

from unflip.tables.errors import TableError

BYTES_AT_ONCE = 2**24
# Files that this process has read through, so that it does so once: {(path, size, time of change): digest}.
_DIGESTS: dict[tuple[str, int, int], str] = {}


@dataclass(frozen=True)
class FileEntry:
    """A file as it was when the data set was put together.

    Parameters
    ----------
    path : str
        Where it is.
    size : int
        In bytes.
    digest : str
        BLAKE2b of its bytes.
    n_rows : int
        How many rows it holds.
    """

    path: str
    size: int
    digest: str
    n_rows: int

    @classmethod
    def of(cls, path: str, n_rows: int) -> FileEntry:
        """Read a file through, once."""
        return cls(path, Path(path).stat().st_size, digest_of(path), n_rows)

    def check(self) -> None:
        """Refuse the file if it is not what it was."""
        if not Path(self.path).is_file():
            raise TableError(f"{self.path} does not exist here; every worker must be able to read it.")
        if Path(self.path).stat().st_size != self.size or digest_of(self.path) != self.digest:
            raise TableError(f"{self.path} has changed since it was first read; put the data set together again.")


def digest_of(path: str) -> str:
    """Return the digest of a file; a process reads a file again only if its size or its time of change did change."""
    state = Path(path).stat()
    key = (path, state.st_size, state.st_mtime_ns)
    if key not in _DIGESTS:
        digest = hashlib.blake2b(digest_size=16)
        with open(path, "rb") as file:
            while block := file.read(BYTES_AT_ONCE):
                digest.update(block)
        _DIGESTS[key] = digest.hexdigest()
    return _DIGESTS[key]


def sorted_paths(paths: str | PathLike[str] | Iterable[str | PathLike[str]]) -> list[str]:
    """Return the files of a pattern, or of several paths, in the order of their names.

    A pattern may hold ``*``, ``?`` and ``**``. Row numbers follow this order, whatever the order of listing.
    """
    if isinstance(paths, (str, PathLike)):
        text = fspath(paths)
        found = sorted(glob(text, recursive=True)) if any(sign in text for sign in "*?[") else [text]
    else:
        found = sorted(fspath(path) for path in paths)
    if not found:
        raise TableError(f"No file matches {paths!s}.")
    missing = [path for path in found if not Path(path).is_file()]
    if missing:
        raise TableError(f"{missing[0]} does not exist.")
    return found
