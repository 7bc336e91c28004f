"""Embeddings and labels from .npy and .npz files, which are used as they are and never run code."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from unflip.tables.reading import refusing
from unflip.tables.refusals import TableError
from unflip.tables.text_files import ending_of

ENDINGS = (".npy", ".npz")
LARGE = 2**26  # bytes from which a file stays on the disk and is mapped
LABEL_NAMES = ("label", "labels", "y")
BLOCK = 2**16  # rows looked at at once


def is_embedding(path):
    """Tell whether a file's ending is that of arrays."""
    return ending_of(path) in ENDINGS


def read_arrays(path):
    """Read the arrays of a file.

    Parameters
    ----------
    path : str or Path
        A .npy or .npz file.

    Returns
    -------
    arrays : dict
        {name: ndarray}; that of a .npy file has the name "".
    """
    path = Path(path)
    with refusing(path, "a .npy or .npz file"):
        if path.stat().st_size == 0:
            raise TableError(f"{path} is empty.")
        if ending_of(path) == ".npz":
            return _of_archive(path)
        _check_magic(path)
        mode = "r" if path.stat().st_size > LARGE else None
        return {"": _loaded(path, lambda: np.load(path, mmap_mode=mode, allow_pickle=False))}


def _of_archive(path):
    if not zipfile.is_zipfile(path):
        raise TableError(f"{path} is not a .npz file.")
    with np.load(path, allow_pickle=False) as archive:
        return {name: _loaded(path, lambda name=name: archive[name]) for name in archive.files}


def _check_magic(path):
    with open(path, "rb") as file:
        if file.read(6) != b"\x93NUMPY":
            raise TableError(f"{path} is not a .npy file.")


def _loaded(path, load):
    try:
        return load()
    except ValueError as error:
        if "allow_pickle" in str(error):
            raise TableError(f"{path} holds Python objects, which could run code; save an array of numbers.") from None
        raise


def read_embedding(path):
    """Read a matrix of rows by numbers.

    Parameters
    ----------
    path : str or Path
        A .npy file, or a .npz file with one array of two dimensions.

    Returns
    -------
    embedding : ndarray of shape (n_rows, n_numbers)
        All finite, of the file's own type; mapped from the disk if it is large.
    """
    return embedding_among(read_arrays(path), path)


def embedding_among(arrays, path):
    """Return the checked matrix among the arrays of a file."""
    matrices = [name for name, array in arrays.items() if array.ndim == 2]
    if len(matrices) > 1:
        raise TableError(f"{path} has {len(matrices)} arrays of two dimensions, {', '.join(matrices)}: one is needed.")
    if not matrices:
        shapes = ", ".join(f"{name} {array.shape}".strip() for name, array in arrays.items())
        raise TableError(f"{path} has no array of rows by numbers, but {shapes or 'nothing'}.")
    embedding = arrays[matrices[0]]
    if embedding.dtype.kind not in "fiub":
        raise TableError(f"{path} holds {embedding.dtype}, not numbers.")
    if 0 in embedding.shape:
        raise TableError(f"{path} is an empty array of shape {embedding.shape}.")
    _check_finite(embedding, path)
    return embedding


def _check_finite(embedding, path):
    for start in range(0, len(embedding), BLOCK):
        bad = ~np.isfinite(embedding[start : start + BLOCK]).all(axis=1)
        if bad.any():
            raise TableError(f"{path}: row {start + bad.argmax() + 1} has a number that is missing or infinite.")


def labels_among(arrays, label, n_rows):
    """Return the labels among the arrays of a .npz file, or None."""
    for name in (label, *LABEL_NAMES):
        if name in arrays and arrays[name].shape == (n_rows,):
            return arrays[name]
    return None
