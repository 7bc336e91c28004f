"""ArrayShards: arrays, memory-mapped .npy files and sparse .npz files as one matrix of rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np
from scipy import sparse

from unflip.foundation.errors import refusal
from unflip.neighbors.shards.manifest import FileEntry, sorted_paths
from unflip.neighbors.shards.rows import Shards
from unflip.tables.errors import TableError
from unflip.tables.reading import reading_errors

ACCEPTED = "arrays, .npy files of two-dimensional arrays, or .npz files that scipy.sparse.save_npz wrote"


class ArrayShards(Shards):
    """Rows in several arrays or files, in their order, searched without being brought together.

    Parameters
    ----------
    parts : array, sparse matrix, path, pattern, or sequence of these
        Arrays keep their order; files are taken in the order of their names. ``.npy`` files are memory-mapped,
        ``.npz`` files hold a CSR matrix each.
    most_rows : int or None, default=None
        Larger parts are cut into pieces of at most so many rows.
    memory_budget : int, str or None, default=None
        How much memory the process that works on the rows may hold, in bytes or as "2GB": shards that are too large
        for it are searched in pieces, and a graph that is too large is kept in files. None: as much as they take.

    Attributes
    ----------
    shape : tuple
        Number of rows and columns.
    shards : list of Shard
        The pieces; each knows the number of its first row.
    manifest : list of FileEntry
        Size and digest of each file: one that changed is refused.

    Examples
    --------
    >>> import numpy as np
    >>> from unflip.neighbors.shards import ArrayShards
    >>> rows = ArrayShards([np.zeros((3, 2)), np.ones((2, 2))])
    >>> rows.shape, rows[[4, 0]].tolist()
    ((5, 2), [[1.0, 1.0], [0.0, 0.0]])
    """

    def __init__(self, parts: Any, *, most_rows: int | None = None, memory_budget: int | str | None = None):
        sources = [_source(part) for part in _listed(parts)]
        widths = {source.shape[1] for source in sources}
        if len(widths) > 1:
            raise refusal(self, "parts", "of one number of columns", f"parts of {sorted(widths)} columns")
        dtype = np.result_type(*(source.dtype for source in sources))
        super().__init__(sources, widths.pop(), dtype if dtype.kind == "f" else np.float64, memory_budget)
        self.manifest = [source.entry for source in sources if isinstance(source, (NpyFile, CsrFile))]
        if most_rows is not None:
            self.shards = [piece for shard in self.shards for piece in shard.pieces(most_rows)]


def _listed(parts: Any) -> list[Any]:
    if isinstance(parts, (str, PathLike)):
        return list(sorted_paths(parts))
    if isinstance(parts, np.ndarray) or sparse.issparse(parts):
        return [parts]
    listed = list(parts) if isinstance(parts, Iterable) else []
    if not listed:
        raise refusal("ArrayShards", "parts", ACCEPTED, parts)
    if all(isinstance(part, (str, PathLike)) for part in listed):
        return list(sorted_paths(listed))
    return listed


def _source(part: Any) -> Any:
    if isinstance(part, (str, PathLike)):
        path = fspath(part)
        if path.endswith(".npy"):
            return NpyFile.of(path)
        if path.endswith(".npz"):
            return CsrFile.of(path)
    elif sparse.issparse(part):
        return InMemory(sparse.csr_array(part))
    elif getattr(part, "ndim", None) == 2:
        return InMemory(np.asarray(part))
    raise refusal("ArrayShards", "parts", ACCEPTED, part if isinstance(part, str) else type(part).__name__)


@dataclass(frozen=True, eq=False)
class InMemory:
    """Rows that this process holds; other processes get copies."""

    array: Any

    @property
    def name(self) -> str:
        """What error messages call it."""
        return "array"

    @property
    def shape(self) -> tuple[int, int]:
        """Of the array."""
        return self.array.shape

    @property
    def dtype(self) -> np.dtype:
        """Of the array."""
        return self.array.dtype

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.array.shape[0]

    def load(self, start: int, stop: int) -> Any:
        """Return some rows."""
        return self.array[start:stop]


@dataclass(frozen=True)
class NpyFile:
    """A two-dimensional array in a .npy file, of which only the rows asked for are read."""

    entry: FileEntry
    shape: tuple[int, int]
    dtype: np.dtype

    @classmethod
    def of(cls, path: str) -> NpyFile:
        """Look at a file."""
        with reading_errors(path, "a .npy file"):
            array = np.load(path, mmap_mode="r", allow_pickle=False)
        if array.ndim != 2 or array.dtype.kind not in "fiub":
            raise TableError(f"{path} holds an array of {array.dtype} and shape {array.shape}, not rows of numbers.")
        return cls(FileEntry.of(path, len(array)), array.shape, array.dtype)

    @property
    def name(self) -> str:
        """The path."""
        return self.entry.path

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.entry.n_rows

    def load(self, start: int, stop: int) -> np.ndarray:
        """Return some rows; nothing of the file stays mapped."""
        self.entry.check()
        return np.array(np.load(self.entry.path, mmap_mode="r", allow_pickle=False)[start:stop])


@dataclass(frozen=True)
class CsrFile:
    """A sparse matrix as scipy.sparse.save_npz writes it."""

    entry: FileEntry
    shape: tuple[int, int]
    dtype: np.dtype

    @classmethod
    def of(cls, path: str) -> CsrFile:
        """Look at a file."""
        with reading_errors(path, "a .npz file of a sparse matrix"):
            matrix = sparse.load_npz(path)
        if matrix.dtype.kind not in "fiub":
            raise TableError(f"{path} holds a matrix of {matrix.dtype}, not of numbers.")
        return cls(FileEntry.of(path, matrix.shape[0]), matrix.shape, matrix.dtype)

    @property
    def name(self) -> str:
        """The path."""
        return self.entry.path

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.entry.n_rows

    def load(self, start: int, stop: int) -> Any:
        """Return some rows."""
        self.entry.check()
        return sparse.csr_array(sparse.load_npz(self.entry.path))[start:stop]


def as_shards(rows: Any, n_shards: int) -> Shards:
    """Return rows as shards: those they are in, or an array in memory cut into so many."""
    if isinstance(rows, Shards):
        return rows
    return ArrayShards(rows, most_rows=max(1, -(-rows.shape[0] // n_shards)))
