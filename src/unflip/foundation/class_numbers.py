"""Labels of any type as class numbers, or refused in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from unflip.foundation.errors import refusal


def class_numbers(owner: object, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes that occur, sorted, and the class number of each label.

    >>> classes, labels = class_numbers("me", ["ham", "spam", "ham"])
    >>> classes.tolist(), labels.tolist()
    (['ham', 'spam'], [0, 1, 0])
    """
    y = column_or_1d(y, warn=True)
    missing = np.flatnonzero(pd.isna(y))
    if len(missing):
        raise refusal(owner, "y", "labels without gaps", f"{len(missing)} missing, the first in row {missing[0]}")
    if y.dtype.kind == "f":
        assert_all_finite(y, input_name="y")
    try:
        classes, labels = _numbered(y)
    except TypeError:
        raise refusal(owner, "y", "labels of one kind", f"a mixture, such as {y[0]!r} and {_another(y)!r}") from None
    check_classification_targets(y)
    if len(classes) < 2:
        raise refusal(owner, "y", "labels of two classes or more", f"1 class: {classes.tolist()[0]!r}")
    return classes, labels


def _numbered(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if y.dtype != object:
        return np.unique(y, return_inverse=True)
    # Only the few classes are sorted: a million texts would take seconds.
    first, found = pd.factorize(y)
    classes, places = np.unique(np.asarray(found, dtype=object), return_inverse=True)
    return classes, places[first]


def _another(y: np.ndarray) -> Any:
    """Return a label of another type than the first."""
    return next(label for label in y if type(label) is not type(y[0]))
