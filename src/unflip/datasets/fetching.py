"""Downloading a data set: its checksum is verified, then the file is written atomically."""

from __future__ import annotations

from http.client import HTTPException
from os import PathLike
from pathlib import Path

import numpy as np

from unflip.datasets.catalog import Dataset, DatasetError, dataset_named
from unflip.datasets.files import data_folder, find_file, manual_instructions, read_checked, write_csv
from unflip.datasets.sources import read_source
from unflip.foundation.atomic_files import atomic_write
from unflip.foundation.text import first_line


def fetch(name: str, *, data_home: str | PathLike[str] | None = None) -> Path:
    """Download one of the paper's data sets, unless its file already exists.

    The numbers and labels must match the checksum of the catalog; otherwise nothing is kept. ("acoustic" has no
    recorded checksum; only its number of rows and columns is checked.)

    Parameters
    ----------
    name : str
        As in the paper's Table 1.
    data_home : str, Path or None, default=None
        The folder of data files; None means the environment variable ``UNFLIP_DATA``, or else the user's cache. It is
        created if it does not exist.

    Returns
    -------
    path : Path
        The file.

    Examples
    --------
    >>> from unflip.datasets import fetch
    >>> fetch("hart")
    Traceback (most recent call last):
        ...
    unflip.datasets.catalog.DatasetError: There is no data set 'hart'; did you mean 'heart'?
    """
    dataset = dataset_named(name)
    folder = data_folder(data_home)
    path = find_file(dataset, folder)
    if path is not None:
        read_checked(dataset, path)
        return path
    path = folder / f"{dataset.name}.csv.gz"
    _create(folder, dataset)
    # Opened before the download, so that a missing permission is noticed first.
    with atomic_write(path, binary=True) as file:
        X, y = _download(dataset, folder)
        write_csv(file, X, y)
        file.flush()
        read_checked(dataset, file.name, origin=f"the download from {dataset.source.url}")
    return path


def _create(folder: Path, dataset: Dataset) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatasetError(f"{dataset.name}: {folder} cannot be created: {error.strerror or error}.") from None


def _download(dataset: Dataset, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    try:
        return read_source(dataset)
    except (OSError, HTTPException, ValueError) as error:
        reason = first_line(getattr(error, "reason", None) or error)
        raise DatasetError(
            f"{dataset.name}: downloading from {dataset.source.url} failed: {reason}; "
            f"{manual_instructions(dataset, folder)}."
        ) from None
