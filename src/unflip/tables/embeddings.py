"""Embeddings and labels from .npy and .npz files, which are loaded without pickle."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from unflip.foundation.printable import cut, shown
from unflip.foundation.threads import row_blocks
from unflip.tables.errors import TableError
from unflip.tables.reading import reading_errors
from unflip.tables.text_files import FilePath, ending_of

Arrays = dict[str, np.ndarray]

ENDINGS = (".npy", ".npz")
MAX_LOADED_BYTES = 2**26  # larger files are memory-mapped
LABEL_NAMES = ("label", "labels", "y")
ROWS_PER_BLOCK = 2**16


def is_embedding(path: FilePath) -> bool:
    """Tell whether the file name ends in .npy or .npz."""
    return ending_of(path) in ENDINGS


def read_arrays(path: FilePath) -> Arrays:
    """Read the arrays of a file.

    Parameters
    ----------
    path : str or Path
        A .npy or .npz file.

    Returns
    -------
    arrays : dict
        {name: ndarray}; the array of a .npy file has the name "".
    """
    path = Path(path)
    with reading_errors(path, "a .npy or .npz file"):
        size = path.stat().st_size
        if size == 0:
            raise TableError(f"{path} is empty.")
        if ending_of(path) == ".npz":
            return _read_archive(path)
        _check_magic(path)
        mode: Literal["r"] | None = "r" if size > MAX_LOADED_BYTES else None
        return {"": _load(path, lambda: np.load(path, mmap_mode=mode, allow_pickle=False))}


def _read_archive(path: Path) -> Arrays:
    if not zipfile.is_zipfile(path):
        raise TableError(f"{path} is not a .npz file.")
    with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise TableError(f"{path} is not a .npz file.")
        return {name: _load(path, partial(archive.__getitem__, name), name) for name in archive.files}


def _check_magic(path: Path) -> None:
    with open(path, "rb") as file:
        if file.read(6) != b"\x93NUMPY":
            raise TableError(f"{path} is not a .npy file.")


def _load(path: Path, load: Callable[[], Any], name: str = "") -> np.ndarray:
    try:
        found = load()
    except ValueError as error:
        if "allow_pickle" in str(error):
            raise TableError(f"{path} holds Python objects, which could run code; save an array of numbers.") from None
        raise
    if not isinstance(found, np.ndarray):
        raise TableError(f"{path} holds {shown(name)}, which is not an array.")
    return found


def read_embedding(path: FilePath) -> np.ndarray:
    """Read a two-dimensional array of numbers.

    Parameters
    ----------
    path : str or Path
        A .npy file, or a .npz file with a single two-dimensional array.

    Returns
    -------
    embedding : ndarray of shape (n_rows, n_numbers)
        All finite, in the dtype of the file; memory-mapped if it is large.
    """
    return embedding_among(read_arrays(path), path)


def embedding_among(arrays: Arrays, path: FilePath) -> np.ndarray:
    """Return the only two-dimensional array of a file, checked."""
    matrices = [name for name, array in arrays.items() if array.ndim == 2]
    if len(matrices) > 1:
        raise TableError(f"{path} has {len(matrices)} two-dimensional arrays, {', '.join(matrices)}: one is needed.")
    if not matrices:
        shapes = ", ".join(f"{name} {array.shape}".strip() for name, array in arrays.items())
        raise TableError(f"{path} has no two-dimensional array of numbers, but {shapes or 'nothing'}.")
    embedding = arrays[matrices[0]]
    if embedding.dtype.kind not in "fiub":
        raise TableError(f"{path} holds {cut(str(embedding.dtype), 60)}, not numbers.")
    if 0 in embedding.shape:
        raise TableError(f"{path} is an empty array of shape {embedding.shape}.")
    _check_finite(embedding, path)
    return embedding


def _check_finite(embedding: np.ndarray, path: FilePath) -> None:
    for rows in row_blocks(len(embedding), ROWS_PER_BLOCK):
        bad = ~np.isfinite(embedding[rows]).all(axis=1)
        if bad.any():
            raise TableError(f"{path}: row {rows.start + bad.argmax() + 1} has a missing or infinite number.")


def labels_among(arrays: Arrays, label: str, n_rows: int) -> np.ndarray | None:
    """Return the labels stored next to an embedding in a .npz file, or None."""
    for name in (label, *LABEL_NAMES):
        if name in arrays and arrays[name].shape == (n_rows,):
            return arrays[name]
    return None
