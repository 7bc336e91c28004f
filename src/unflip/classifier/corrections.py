"""Ways to train any classifier on labels of which some are wrong, given how likely each class is the true one."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from unflip.foundation.errors import refusal
from unflip.foundation.rows import take_rows

CORRECTIONS = ("soft", "relabel", "prune", "posterior")
LEAST_WEIGHT = 0.01  # of a class in a row: less is left out


def true_given(p_wrong: np.ndarray, clean: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return P(true label | x, observed label): what is not the given label is shared out as P(true | x) has it.

    >>> true_given(np.array([0.2]), np.array([[0.5, 0.4, 0.1]]), np.array([0])).round(2)
    array([[0.8 , 0.16, 0.04]])
    """
    rows = np.arange(len(labels))
    others = clean + 1e-12
    others[rows, labels] = 0
    true = others * (p_wrong / others.sum(axis=1))[:, None]
    true[rows, labels] = 1 - p_wrong
    return true


def choose_correction(owner: object, correction: str, estimator: Any) -> str:
    """Return the correction to use: soft labels if the estimator takes weights, changed labels if not.

    An estimator that takes no weights is refused where soft labels were asked for.
    """
    weighable = weight_parameter(estimator) is not None
    if correction == "soft" and not weighable:
        accepted = '"auto", "relabel", "prune" or "posterior" for an estimator whose fit takes no sample_weight'
        raise refusal(owner, "correction", accepted, correction)
    return ("soft" if weighable else "relabel") if correction == "auto" else correction


def weight_parameter(estimator: Any) -> str | None:
    """Return the name under which fit takes sample weights, or None; a pipeline hands them to its last step."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        inner = weight_parameter(last)
        return None if inner is None else f"{name}__{inner}"
    if isinstance(estimator, CalibratedClassifierCV):  # it hands on weights by this name only
        return weight_parameter(estimator.estimator) if not isinstance(estimator.estimator, Pipeline) else None
    return "sample_weight" if has_fit_parameter(estimator, "sample_weight") else None


def fit_corrected(estimator: Any, X: Any, labels: np.ndarray, true: np.ndarray, correction: str) -> Any:
    """Fit an estimator to rows and class numbers, given P(true label | x, observed label).

    Parameters
    ----------
    estimator : classifier
        Unfitted; it is fitted and returned.
    X : array, sparse matrix or DataFrame
        Rows.
    labels : ndarray of int of shape (n_rows,)
        Observed class numbers.
    true : ndarray of shape (n_rows, n_classes)
        P(true label | x, observed label).
    correction : {"soft", "relabel", "prune", "posterior"}
        Each row once per class, weighed by its probability; the likeliest labels; the rows that are more likely right
        than wrong; or the labels as they are, for what is predicted to be corrected.
    """
    if correction == "posterior":
        return estimator.fit(X, labels)
    if correction == "relabel":
        return estimator.fit(X, _all_classes_kept(true.argmax(axis=1), labels))
    if correction == "prune":
        kept = true[np.arange(len(labels)), labels] >= 0.5
        if len(np.unique(labels[kept])) < len(np.unique(labels)):  # never a whole class
            kept[:] = True
        return estimator.fit(take_rows(X, np.flatnonzero(kept)), labels[kept])
    rows, classes = np.nonzero(true >= LEAST_WEIGHT)
    weights = {str(weight_parameter(estimator)): true[rows, classes]}
    return estimator.fit(take_rows(X, rows), classes, **weights)


def _all_classes_kept(changed: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the changed labels, but not where the last of a class would go."""
    lost = np.setdiff1d(labels, changed)
    return np.where(np.isin(labels, lost), labels, changed)
