"""The files of data sets: where they are, what they hold, and the checksum of their numbers."""

from __future__ import annotations

import hashlib
import os
import zlib
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd
from platformdirs import user_cache_path

from unflip.datasets.catalog import DatasetError
from unflip.foundation.text import first_line


class DatasetMissing(DatasetError, FileNotFoundError):
    """A data set whose file is not here, with how to get it."""


def data_folder(data_home=None):
    """Return the folder of the data files.

    Parameters
    ----------
    data_home : str, Path or None, default=None
        The folder; None means that of the environment variable ``UNFLIP_DATA``, or else the user's cache.

    Returns
    -------
    folder : Path
        It need not exist.
    """
    return Path(data_home or os.environ.get("UNFLIP_DATA") or user_cache_path("unflip", appauthor=False)).expanduser()


def find_file(dataset, folder):
    """Return the path of a data set's file, or None."""
    paths = (folder / f"{dataset.name}.csv.gz", folder / f"{dataset.name}.csv")
    return next((path for path in paths if os.path.isfile(path)), None)  # False without permission


def by_hand(dataset, folder):
    """Say how a person supplies the file."""
    header = f"f0,...,f{dataset.shape[1] - 1},label"
    return f"supply it by hand as {folder / dataset.name}.csv.gz (or .csv) with the header {header}"


def missing(dataset, folder):
    """Return the error that says which file is not here, and the ways to get it."""
    command = f"unflip datasets fetch {dataset.name} --data-home {folder}"
    return DatasetMissing(
        f"{dataset.name}: there is no {dataset.name}.csv.gz in {folder}; '{command}' gets it from "
        f"{dataset.source.address}, or {by_hand(dataset, folder)}."
    )


def labels_as_text(y):
    """Write whole numbers without a point, other numbers as Python does, and text as it is."""
    if y.dtype.kind not in "iuf":
        return y.astype(str)
    return np.array([str(int(label)) if label == int(label) else repr(float(label)) for label in y])


def checksum(X, y):
    """Return the SHA-256 of a shape, its float64 rows and its labels as text: no file format enters."""
    digest = hashlib.sha256(f"{X.shape[0]} x {X.shape[1]}\n".encode())
    digest.update(np.ascontiguousarray(X, dtype="<f8") + 0.0)  # -0.0 is 0.0
    digest.update("\n".join(labels_as_text(y)).encode())
    return digest.hexdigest()


def read_checked(dataset, path, origin=None):
    """Return X and y of a file, or refuse it; origin is where a file came from that is not in its place yet."""
    cure = "nothing was kept" if origin else "delete it, and fetch or supply it anew"
    try:
        # Exact: pandas rounds numbers of up to 15 digits correctly.
        table = pd.read_csv(path, compression=None if str(path).endswith(".csv") else "gzip")
        X, y = np.ascontiguousarray(table.iloc[:, :-1].to_numpy(float)), table.iloc[:, -1].to_numpy()
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = first_line(error)
        raise DatasetError(f"{dataset.name}: {origin or path} cannot be read: {reason}; {cure}.") from None
    wrong = _difference(dataset, X, y)
    if wrong:
        raise DatasetError(f"{dataset.name}: {origin or path} {wrong}; {cure}.")
    return X, y if y.dtype.kind in "iuf" else y.astype(str)


def _difference(dataset, X, y):
    if X.shape != dataset.shape:
        return "has {} rows of {} columns, not {} of {}".format(*X.shape, *dataset.shape)
    found = checksum(X, y)
    if dataset.sha256 not in (found, None):
        return f"holds other numbers or labels: their SHA-256 is {found}, not {dataset.sha256}"
    return None


def write(file: IO[bytes], X: np.ndarray, y: np.ndarray) -> None:
    """Write rows and labels as gzipped CSV."""
    table = pd.DataFrame(X, columns=[f"f{column}" for column in range(X.shape[1])])
    table["label"] = y
    table.to_csv(file, index=False, compression={"method": "gzip", "mtime": 0})
