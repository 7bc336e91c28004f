"""The files of data sets: finding, reading and writing them, and the checksum of their contents."""

from __future__ import annotations

import hashlib
import os
import zlib
from os import PathLike
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd
from platformdirs import user_cache_path

from unflip.datasets.catalog import Dataset, DatasetError
from unflip.foundation.text import first_line


class DatasetMissing(DatasetError, FileNotFoundError):
    """A data set whose file is missing; the message says how to get it."""


def data_folder(data_home: str | PathLike[str] | None = None) -> Path:
    """Return the folder of the data files.

    Parameters
    ----------
    data_home : str, Path or None, default=None
        The folder; None means the environment variable ``UNFLIP_DATA``, or else the user's cache.

    Returns
    -------
    folder : Path
        The folder, which may not exist yet.
    """
    return Path(data_home or os.environ.get("UNFLIP_DATA") or user_cache_path("unflip", appauthor=False)).expanduser()


def find_file(dataset: Dataset, folder: Path) -> Path | None:
    """Return the path of a data set's file, or None."""
    paths = (folder / f"{dataset.name}.csv.gz", folder / f"{dataset.name}.csv")
    return next((path for path in paths if os.path.isfile(path)), None)  # False without permission


def manual_instructions(dataset: Dataset, folder: Path) -> str:
    """Say how to supply the file by hand."""
    header = f"f0,...,f{dataset.shape[1] - 1},label"
    return f"supply it by hand as {folder / dataset.name}.csv.gz (or .csv) with the header {header}"


def missing_file(dataset: Dataset, folder: Path) -> DatasetMissing:
    """Return the error for a missing file, which says how to get it."""
    command = f"unflip datasets fetch {dataset.name} --data-home {folder}"
    return DatasetMissing(
        f"{dataset.name}: there is no {dataset.name}.csv.gz in {folder}; download it from {dataset.source.url} with "
        f"'{command}', or {manual_instructions(dataset, folder)}."
    )


def format_labels(y: np.ndarray) -> np.ndarray:
    """Return labels as text: integers without a decimal point, other numbers as Python's repr, strings unchanged."""
    if y.dtype.kind not in "iuf":
        return y.astype(str)
    return np.array([str(int(label)) if label == int(label) else repr(float(label)) for label in y])


def checksum(X: np.ndarray, y: np.ndarray) -> str:
    """Return the SHA-256 of the shape, the float64 rows and the labels as text, independent of any file format."""
    digest = hashlib.sha256(f"{X.shape[0]} x {X.shape[1]}\n".encode())
    rows = np.ascontiguousarray(X, dtype="<f8") + 0.0  # turns -0.0 into 0.0
    digest.update(rows.data)
    digest.update("\n".join(format_labels(y)).encode())
    return digest.hexdigest()


def read_checked(
    dataset: Dataset, path: str | PathLike[str], origin: str | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return X and y of a file, or refuse it; origin describes a download that is not in its final place yet."""
    remedy = "nothing was kept" if origin else "delete it, then fetch or supply it again"
    try:
        # Exact: pandas rounds numbers of up to 15 digits correctly.
        table = pd.read_csv(path, compression=None if str(path).endswith(".csv") else "gzip")
        X, y = np.ascontiguousarray(table.iloc[:, :-1].to_numpy(float)), table.iloc[:, -1].to_numpy()
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = first_line(error)
        raise DatasetError(f"{dataset.name}: {origin or path} cannot be read: {reason}; {remedy}.") from None
    mismatch = _mismatch(dataset, X, y)
    if mismatch:
        raise DatasetError(f"{dataset.name}: {origin or path} {mismatch}; {remedy}.")
    return X, y if y.dtype.kind in "iuf" else y.astype(str)


def _mismatch(dataset: Dataset, X: np.ndarray, y: np.ndarray) -> str | None:
    if X.shape != dataset.shape:
        return "has {} rows and {} columns, not {} and {}".format(*X.shape, *dataset.shape)
    found = checksum(X, y)
    if dataset.sha256 not in (found, None):
        return f"contains different numbers or labels: their SHA-256 is {found}, not {dataset.sha256}"
    return None


def write_csv(file: IO[bytes] | PathLike[str], X: np.ndarray, y: np.ndarray) -> None:
    """Write rows and labels as gzipped CSV."""
    table = pd.DataFrame(X, columns=[f"f{column}" for column in range(X.shape[1])])
    table["label"] = y
    table.to_csv(file, index=False, compression={"method": "gzip", "mtime": 0})
