"""Reading a data set from where it comes: the only place that opens a connection."""

from __future__ import annotations

import bz2
from io import BytesIO
from urllib.request import urlopen

import numpy as np
import pandas as pd
from sklearn.datasets import fetch_openml, load_svmlight_files

from unflip.datasets.catalog import OpenML
from unflip.datasets.files import labels_as_text

SECONDS = 60  # without an answer, a download has failed
SEPARATORS = {"comma": ",", "blank": r"\s+"}


def read_source(dataset):
    """Return our rows, and our labels as text."""
    X, y = _from_openml(dataset) if isinstance(dataset.source, OpenML) else _from_files(dataset)
    if dataset.recipe:
        X, y = dataset.recipe(X, y)
    return X, np.array([dataset.rename.get(label, label) for label in y])


def _from_openml(dataset):
    # This parser keeps every digit, and numbers that OpenML calls categories as they are written.
    found = fetch_openml(data_id=dataset.source.data_id, as_frame=True, parser="liac-arff", cache=False)
    return found.data.astype(float).to_numpy(), labels_as_text(found.target.to_numpy())


def _from_files(dataset):
    contents = [_download(address) for address in dataset.source.addresses]
    if dataset.source.form == "libsvm":
        parts = load_svmlight_files([BytesIO(content) for content in contents], n_features=dataset.shape[1])
        return np.vstack([X.toarray() for X in parts[::2]]), labels_as_text(np.concatenate(parts[1::2]))
    separator = SEPARATORS[dataset.source.form]
    table = pd.concat(pd.read_csv(BytesIO(part), sep=separator, header=None, na_values="?") for part in contents)
    return table.iloc[:, :-1].to_numpy(float), labels_as_text(table.iloc[:, -1].to_numpy())


def _download(address):
    with urlopen(address, timeout=SECONDS) as answer:
        content = answer.read()
    return bz2.decompress(content) if address.endswith(".bz2") else content
