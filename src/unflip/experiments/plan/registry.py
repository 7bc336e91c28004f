"""The names of methods and data sets: the paper's, and those that are added from outside."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.preprocessing import MinMaxScaler

from unflip.datasets import load_benchmark
from unflip.experiments.plan.jobs import RATES
from unflip.experiments.plan.printed import printed_table
from unflip.foundation.checks import check_choice
from unflip.foundation.errors import refusal

METHODS = ("RkNN", "unflip", "IR-KSVM", "IR-LLog", "LD-KSVM", "UE-LLog", "AROW", "NHERD", "kNN", "RkNN, true rates")
DATA = tuple(printed_table(1)["data"])

_added_methods: dict[str, Callable] = {}
_added_data: dict[str, Callable] = {}


def add_method(name, make):
    """Add a method: it is then run, tested, ranked and put in the tables as those of the paper are.

    Parameters
    ----------
    name : str
        Heads its column; none of the names that are taken.
    make : callable
        ``make(training)`` returns an estimator with ``fit(X, y)`` and ``predict(X)``, not fitted. ``training`` is what
        the method is given: ``training.X``, ``training.observed`` (labels 0 and 1 with flips), ``training.rates`` (the
        true rates, of 0 and of 1, for methods that are told them) and ``training.clean`` (for methods that peek, and
        say so). The estimator is then fitted on ``training.X`` and ``training.observed``.

    See Also
    --------
    add_dataset : Adds a data set.

    Notes
    -----
    Results are kept under the name: a method that has changed needs another name or another folder. ``make`` travels
    to worker processes with each job, so that it may be defined in a script.

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

    As a file, ``mine.py``, this is ``unflip reproduce table2 --with mine.py``; here it goes on in Python:

    >>> import tempfile
    >>> from unflip.experiments import Experiment, Store, comparison, run, table_2
    >>> asked = Experiment(data=("wine",), methods=("RkNN", "forest"), trials=(0, 1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(f"{folder}/results.sqlite")
    ...     missing = run(store, **vars(asked), n_jobs=1)
    ...     table = table_2(comparison(store.table(), asked), asked)
    >>> len(table.rows), table.columns
    (23, ('RkNN', 'forest'))

    >>> from unflip.experiments.plan.registry import remove
    >>> remove("forest")
    >>> remove("wine")
    """
    _check_new("add_method", name, make, "make")
    _added_methods[name] = make


def add_dataset(name, load):
    """Add a data set: it is scaled, split and flipped as those of the paper are, and has its rows in the tables.

    Parameters
    ----------
    name : str
        Heads its rows; none of the names that are taken.
    load : callable
        ``load()`` returns X of shape (n_samples, n_features) and y of two classes, of which the later in sorted order
        is the positive one. Columns are then scaled to [-1, 1].

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
    unflip.UnflipError: add_dataset: 'name' must be a text that is not the name of a method or data set yet, got 'heart'.
    >>> remove("tumors")
    """
    _check_new("add_dataset", name, load, "load")
    _added_data[name] = load


def remove(name):
    """Take out a method or data set that was added; those of the paper stay.

    Parameters
    ----------
    name : str
        As it was added.
    """
    check_choice("remove", "name", name, (*_added_methods, *_added_data))
    _added_methods.pop(name, None)
    _added_data.pop(name, None)


def known_methods():
    """Return the names of all methods, the paper's first."""
    return (*METHODS, *_added_methods)


def known_data():
    """Return the names of all data sets, the paper's first."""
    return (*DATA, *_added_data)


def added_maker(name):
    """Return what makes the estimator of an added method; None for a method of ours."""
    return _added_methods.get(name)


def load_data(name, *, data_home=None):
    """Return the rows, scaled to [-1, 1], and the classes 0 and 1 of a data set."""
    if name not in _added_data:
        return load_benchmark(name, data_home=data_home)
    X, y = _added_data[name]()
    classes, labels = np.unique(np.asarray(y), return_inverse=True)
    X = np.asarray(X, dtype=float)
    if len(classes) != 2:
        raise refusal(f"data set {name!r}", "y", "of two classes", classes.tolist()[:5])
    if X.ndim != 2 or len(X) != len(labels) or not np.isfinite(X).all():
        raise refusal(f"data set {name!r}", "X", f"finite, of {len(labels)} rows", f"shape {X.shape}")
    return MinMaxScaler((-1, 1), clip=True).fit_transform(X), labels


def _check_new(owner, name, function, parameter):
    taken = (*known_methods(), *known_data(), RATES)
    if not isinstance(name, str) or not name.strip() or name in taken:
        raise refusal(owner, "name", "a text that is not the name of a method or data set yet", name)
    if not callable(function):
        raise refusal(owner, parameter, "a function", function)
