"""The paper's data sets as arrays: as they are, or scaled and of two classes, as the paper uses them."""

from __future__ import annotations

import numpy as np
from sklearn.preprocessing import MinMaxScaler

from unflip.datasets.catalog import dataset_named
from unflip.datasets.files import data_folder, find_file, missing, read_checked
from unflip.foundation.checks import check_choice, generator


def load_raw(name, *, data_home=None):
    """Load one of the paper's data sets as it is: unscaled, with its own labels.

    The file is read, and its numbers compared with the checksum of the catalog; nothing is downloaded (see `fetch`).

    Parameters
    ----------
    name : str
        As in the paper's Table 1.
    data_home : str, Path or None, default=None
        The folder of data files; None means that of the environment variable ``UNFLIP_DATA``, or else the user's
        cache.

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
        raise missing(dataset, folder)
    return read_checked(dataset, path)


def load_benchmark(name, *, data_home=None, random_state=0, classes="paper", return_classes=False):
    """Load one of the paper's data sets as the paper uses it: features in [-1, 1], two classes.

    Two classes stay as they are, 1 being the later in sorted order, except that of "diabetes" it is "neg", as the
    paper's Table 4 has it. Of "housing", 1 is a price above the median. More classes are split at random into halves;
    of an odd number, 0 has the one class more.

    Parameters
    ----------
    name : str
        As in the paper's Table 1.
    data_home : str, Path or None, default=None
        The folder of data files; None means that of the environment variable ``UNFLIP_DATA``, or else the user's
        cache.
    random_state : int, RandomState instance or None, default=0
        Decides which half of the classes becomes 1.
    classes : {"paper", "all"}, default="paper"
        "paper" leaves out the classes that the paper's results leave out: of "vehicle", "opel" and "van" (435 of the
        846 rows of the paper's Table 1 stay, as its printed accuracies have it). "all" keeps every class.
    return_classes : bool, default=False
        Whether to return also what became 0 and 1.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
        Features, every column scaled to [-1, 1]; a constant column is -1.
    y : ndarray of shape (n_samples,)
        Labels 0 and 1.
    groups : dict
        Of 0 and of 1: a tuple of the labels that became it. Only with ``return_classes=True``.

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
    labels, groups = at_the_median(y) if dataset.above_median else two_groups(y, random_state, one=dataset.one)
    X = MinMaxScaler((-1, 1), clip=True).fit_transform(X)
    return (X, labels, groups) if return_classes else (X, labels)


def at_the_median(prices):
    """Return 1 above the median and 0 up to it, and what 0 and 1 mean."""
    median = np.median(prices)
    return (prices > median).astype(int), {0: (f"<= {median:g}",), 1: (f"> {median:g}",)}


def two_groups(y, random_state, one=None):
    """Return labels 0 and 1, and the classes of each: of two, the later or the given one is 1; more are halved."""
    classes, positions = np.unique(y, return_inverse=True)
    is_one = classes == (classes[-1] if one is None else one)
    if len(classes) > 2:
        ones = generator(random_state).permutation(len(classes))[: len(classes) // 2]
        is_one = np.isin(np.arange(len(classes)), ones)
    groups = {0: tuple(classes[~is_one].tolist()), 1: tuple(classes[is_one].tolist())}
    return is_one[positions].astype(int), groups
