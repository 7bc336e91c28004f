"""Reading a data set from its source: the only module that opens a connection."""

from __future__ import annotations

import bz2
from io import BytesIO
from urllib.request import urlopen

import numpy as np
import pandas as pd
from sklearn.datasets import fetch_openml, load_svmlight_files

from unflip.datasets.catalog import Dataset, Files, OpenML
from unflip.datasets.files import format_labels

TIMEOUT_SECONDS = 60
SEPARATORS = {"comma": ",", "whitespace": r"\s+"}


def read_source(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Download a data set and return its rows, and its labels as text."""
    source = dataset.source
    X, y = _from_openml(source) if isinstance(source, OpenML) else _from_files(source, dataset.shape[1])
    if dataset.recipe:
        X, y = dataset.recipe(X, y)
    return X, np.array([dataset.rename.get(label, label) for label in y])


def _from_openml(source: OpenML) -> tuple[np.ndarray, np.ndarray]:
    # This parser keeps every digit, and leaves numbers that OpenML calls categories as they are written.
    found = fetch_openml(data_id=source.data_id, as_frame=True, parser="liac-arff", cache=False)
    return found.data.astype(float).to_numpy(), format_labels(found.target.to_numpy())


def _from_files(source: Files, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    contents = [_read_url(url) for url in source.urls]
    if source.form == "libsvm":
        parts = load_svmlight_files([BytesIO(content) for content in contents], n_features=n_columns)
        return np.vstack([X.toarray() for X in parts[::2]]), format_labels(np.concatenate(parts[1::2]))
    separator = SEPARATORS[source.form]
    table = pd.concat(pd.read_csv(BytesIO(part), sep=separator, header=None, na_values="?") for part in contents)
    return table.iloc[:, :-1].to_numpy(float), format_labels(table.iloc[:, -1].to_numpy())


def _read_url(url: str) -> bytes:
    with urlopen(url, timeout=TIMEOUT_SECONDS) as response:
        content = response.read()
    return bz2.decompress(content) if url.endswith(".bz2") else content
