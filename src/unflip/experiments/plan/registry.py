"""The registry of methods and data sets: the paper's, and those users add."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np
from sklearn.preprocessing import MinMaxScaler

from unflip.datasets import load_benchmark
from unflip.experiments.plan.jobs import RATE_ESTIMATES
from unflip.experiments.plan.printed import printed_table
from unflip.foundation.checks import check_choice
from unflip.foundation.errors import refusal

METHODS = (
    "RkNN", "unflip", "IR-KSVM", "IR-LLog", "LD-KSVM", "UE-LLog", "AROW", "NHERD", "kNN", "RkNN, posterior",
    "RkNN, learned", "RkNN, true rates",
)  # fmt: skip
DATA = tuple(printed_table(1)["data"])

_added_methods: dict[str, Callable[[Any], Any]] = {}
_added_data: dict[str, Callable[[], Any]] = {}


def add_method(name: str, make: Callable[[Any], Any]) -> None:
    """Add a method, to be run, tested, ranked and tabulated like those of the paper.

    Parameters
    ----------
    name : str
        Heads its column. Names already in use are refused.
    make : callable
        ``make(training)`` returns an unfitted estimator with ``fit(X, y)`` and ``predict(X)``. ``training`` holds
        ``training.X``, ``training.observed`` (noisy labels 0 and 1), ``training.rates`` (the true flip rates of 0 and
        of 1, for methods that are given them) and ``training.clean`` (clean labels, for methods that cheat and say
        so). The estimator is then fitted on ``training.X`` and ``training.observed``.

    See Also
    --------
    add_dataset : Adds a data set.

    Notes
    -----
    Results are stored under the name: after changing a method, use another name or another folder. ``make`` is sent
    to worker processes with each job, so it may be defined in a script.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from unflip.experiments import add_dataset, add_method
    >>> def forest(training):
    ...     return RandomForestClassifier(random_state=0)
    >>> def wine():
    ...     X, y = load_wine(return_X_y=True)
    ...     return X, y == 1
    >>> add_method("forest", forest)
    >>> add_dataset("wine", wine)

    Saved as ``mine.py``, this runs with ``unflip reproduce table2 --with mine.py``. The same in Python:

    >>> import tempfile
    >>> from unflip.experiments import Experiment, Store, comparison, run, table_2
    >>> experiment = Experiment(data=("wine",), methods=("RkNN", "forest"), trials=(0, 1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(f"{folder}/results.sqlite")
    ...     missing = run(store, **vars(experiment), n_jobs=1)
    ...     table = table_2(comparison(store.table(), experiment), experiment)
    >>> len(table.rows), table.columns
    (23, ('RkNN', 'forest'))

    >>> from unflip.experiments.plan.registry import remove
    >>> remove("forest")
    >>> remove("wine")
    """
    _check_new("add_method", name, make, "make")
    _added_methods[name] = make


def add_dataset(name: str, load: Callable[[], Any]) -> None:
    """Add a data set, to be scaled, split, flipped and tabulated like those of the paper.

    Parameters
    ----------
    name : str
        Heads its rows. Names already in use are refused.
    load : callable
        ``load()`` returns X of shape (n_samples, n_features) and y with two classes; the later one in sorted order is
        positive. Columns are then scaled to [-1, 1].

    See Also
    --------
    add_method : Adds a method, with an example of both.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from unflip.experiments import add_dataset
    >>> add_dataset("tumors", lambda: load_breast_cancer(return_X_y=True))
    >>> add_dataset("heart", lambda: load_breast_cancer(return_X_y=True))
    Traceback (most recent call last):
        ...
    unflip.UnflipError: add_dataset: 'name' must be a string not yet used by a method or data set, got 'heart'.
    >>> remove("tumors")
    """
    _check_new("add_dataset", name, load, "load")
    _added_data[name] = load


def remove(name: str) -> None:
    """Remove an added method or data set; those of the paper cannot be removed.

    Parameters
    ----------
    name : str
        The name it was added under.
    """
    check_choice("remove", "name", name, (*_added_methods, *_added_data))
    _added_methods.pop(name, None)
    _added_data.pop(name, None)


def known_methods() -> tuple[str, ...]:
    """Return the names of all methods, the paper's first.

    Returns
    -------
    names : tuple of str
        METHODS and the added ones.
    """
    return (*METHODS, *_added_methods)


def known_data() -> tuple[str, ...]:
    """Return the names of all data sets, the paper's first.

    Returns
    -------
    names : tuple of str
        DATA and the added ones.
    """
    return (*DATA, *_added_data)


def added_maker(name: str) -> Callable[[Any], Any] | None:
    """Return the function that makes the estimator of an added method.

    Parameters
    ----------
    name : str
        Name of any method.

    Returns
    -------
    make : callable or None
        None for built-in methods.
    """
    return _added_methods.get(name)


def load_data(name: str, *, data_home: str | PathLike[str] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Load a data set, the paper's or an added one.

    Parameters
    ----------
    name : str
        Name of the data set.
    data_home : str, Path or None, default=None
        Folder of data files, see `unflip.datasets.load_benchmark`.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
        Rows, scaled to [-1, 1].
    y : ndarray of int
        Classes 0 and 1.
    """
    if name not in _added_data:
        return load_benchmark(name, data_home=data_home)
    X, y = _added_data[name]()
    classes, labels = np.unique(np.asarray(y), return_inverse=True)
    X = np.asarray(X, dtype=float)
    if len(classes) != 2:
        raise refusal(f"data set {name!r}", "y", "of two classes", classes.tolist()[:5])
    if X.ndim != 2 or len(X) != len(labels) or not np.isfinite(X).all():
        raise refusal(f"data set {name!r}", "X", f"finite, with {len(labels)} rows", f"shape {X.shape}")
    return MinMaxScaler((-1, 1), clip=True).fit_transform(X), labels


def _check_new(owner: str, name: object, function: object, parameter: str) -> None:
    used = (*known_methods(), *known_data(), RATE_ESTIMATES)
    if not isinstance(name, str) or not name.strip() or name in used:
        raise refusal(owner, "name", "a string not yet used by a method or data set", name)
    if not callable(function):
        raise refusal(owner, parameter, "a function", function)
