"""The paper's data sets as arrays: raw, or scaled and reduced to two classes as in the paper."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
from sklearn.preprocessing import MinMaxScaler

from unflip.datasets.catalog import dataset_named
from unflip.datasets.files import data_folder, find_file, missing_file, read_checked
from unflip.foundation.checks import check_choice, generator


def load_raw(name: str, *, data_home: str | PathLike[str] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Load one of the paper's data sets unscaled, with its original labels.

    The contents of the file must match the checksum of the catalog. Nothing is downloaded (see `fetch`).

    Parameters
    ----------
    name : str
        As in the paper's Table 1.
    data_home : str, Path or None, default=None
        The folder of data files; None means the environment variable ``UNFLIP_DATA``, or else the user's cache.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
        Features, as floats.
    y : ndarray of shape (n_samples,)
        Labels: numbers or text.

    Examples
    --------
    >>> from unflip.datasets import load_raw
    >>> load_raw("german_credit")
    Traceback (most recent call last):
        ...
    unflip.datasets.catalog.DatasetError: There is no data set 'german_credit'; did you mean 'german'?
    """
    dataset = dataset_named(name)
    folder = data_folder(data_home)
    path = find_file(dataset, folder)
    if path is None:
        raise missing_file(dataset, folder)
    return read_checked(dataset, path)


def load_benchmark(
    name: str,
    *,
    data_home: str | PathLike[str] | None = None,
    random_state: Any = 0,
    classes: str = "paper",
    return_classes: bool = False,
) -> tuple[Any, ...]:
    """Load one of the paper's data sets as the paper uses it: features in [-1, 1], two classes.

    If there are two classes, the last in sorted order becomes 1; for "diabetes" it is "neg", as in the paper's Table 4.
    For "housing", 1 is a price above the median. More classes are split at random into halves; if their number is odd,
    0 gets the extra class.

    Parameters
    ----------
    name : str
        As in the paper's Table 1.
    data_home : str, Path or None, default=None
        The folder of data files; None means the environment variable ``UNFLIP_DATA``, or else the user's cache.
    random_state : int, RandomState instance or None, default=0
        Determines which half of the classes becomes 1.
    classes : {"paper", "all"}, default="paper"
        "paper" drops the classes that the paper's results leave out: "opel" and "van" of "vehicle" (435 of the 846 rows
        in the paper's Table 1 remain, which matches its printed accuracies). "all" keeps every class.
    return_classes : bool, default=False
        Whether to also return which labels became 0 and 1.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
        Features, with every column scaled to [-1, 1]; a constant column is -1.
    y : ndarray of shape (n_samples,)
        Labels 0 and 1.
    groups : dict
        The original labels behind 0 and 1, as tuples. Only with ``return_classes=True``.

    Examples
    --------
    >>> from unflip.datasets import load_benchmark
    >>> load_benchmark("vehicles")
    Traceback (most recent call last):
        ...
    unflip.datasets.catalog.DatasetError: There is no data set 'vehicles'; did you mean 'vehicle'?
    """
    check_choice("load_benchmark", "classes", classes, ("paper", "all"))
    dataset = dataset_named(name)
    X, y = load_raw(name, data_home=data_home)
    if classes == "paper" and dataset.paper_classes:
        kept = np.isin(y, dataset.paper_classes)
        X, y = X[kept], y[kept]
    if dataset.above_median:
        labels, groups = split_at_median(y)
    else:
        labels, groups = split_classes(y, random_state, positive_class=dataset.positive_class)
    X = MinMaxScaler((-1, 1), clip=True).fit_transform(X)
    return (X, labels, groups) if return_classes else (X, labels)


def split_at_median(prices: np.ndarray) -> tuple[np.ndarray, dict[int, tuple]]:
    """Return 1 above the median and 0 up to it, and what 0 and 1 mean."""
    median = np.median(prices)
    return (prices > median).astype(int), {0: (f"<= {median:g}",), 1: (f"> {median:g}",)}


def split_classes(
    y: np.ndarray, random_state: Any, positive_class: str | None = None
) -> tuple[np.ndarray, dict[int, tuple]]:
    """Return labels 0 and 1 and the classes of each; more than two classes are split into random halves."""
    classes, positions = np.unique(y, return_inverse=True)
    is_one = classes == (classes[-1] if positive_class is None else positive_class)
    if len(classes) > 2:
        ones = generator(random_state).permutation(len(classes))[: len(classes) // 2]
        is_one = np.isin(np.arange(len(classes)), ones)
    groups = {0: tuple(classes[~is_one].tolist()), 1: tuple(classes[is_one].tolist())}
    return is_one[positions].astype(int), groups
