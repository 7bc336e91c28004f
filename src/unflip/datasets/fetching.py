"""Downloading a data set, when asked to: checked, then put in place at once or not at all."""

from __future__ import annotations

import os
from http.client import HTTPException
from uuid import uuid4

from unflip.datasets.catalog import DatasetError, dataset_named
from unflip.datasets.files import by_hand, data_folder, find_file, read_checked, write
from unflip.datasets.sources import read_source


def fetch(name, *, data_home=None):
    """Download one of the paper's data sets, unless its file is here already.

    The numbers and labels must have the checksum of the catalog; others are refused and nothing is kept. (Of
    "acoustic" no checksum is recorded: its rows and columns are counted.)

    Parameters
    ----------
    name : str
        As in the paper's Table 1.
    data_home : str, Path or None, default=None
        The folder of data files; None means that of the environment variable ``UNFLIP_DATA``, or else the user's
        cache. It is made where it does not exist.

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
    part = _reserve(dataset, folder)
    try:
        X, y = _download(dataset, folder)
        return _keep(dataset, X, y, part, folder / f"{dataset.name}.csv.gz")
    finally:
        part.unlink(missing_ok=True)


def _reserve(dataset, folder):
    """Make the temporary file before the download, so that a folder without permission costs nothing."""
    part = folder / f".{dataset.name}-{uuid4().hex}.part.csv.gz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.touch(exist_ok=False)
    except OSError as error:
        raise DatasetError(f"{dataset.name}: {folder} cannot be written to: {error.strerror or error}.") from None
    return part


def _download(dataset, folder):
    try:
        return read_source(dataset)
    except (OSError, HTTPException, ValueError) as error:
        reason = str(getattr(error, "reason", None) or error).strip().split("\n")[0].rstrip(".")
        raise DatasetError(
            f"{dataset.name}: downloading from {dataset.source.address} failed: {reason}; {by_hand(dataset, folder)}."
        ) from None


def _keep(dataset, X, y, part, path):
    try:
        write(part, X, y)
        read_checked(dataset, part, origin=f"what came from {dataset.source.address}")
        os.replace(part, path)
    except OSError as error:
        raise DatasetError(f"{dataset.name}: {path} cannot be written: {error.strerror or error}.") from None
    return path
