"""Every form of AROW and NHERD on one small problem, and plain loops over their formulas."""

import numpy as np
import pytest
from sklearn.base import clone

from unflip.baselines import AROWClassifier, NHERDClassifier

_RANDOM = np.random.RandomState(0)
X = 2 * _RANDOM.normal(size=(120, 5)) * (_RANDOM.random_sample((120, 5)) < 0.6)
SIGNS = np.where(X @ [2, -1, 1, 0, 0.5] + 0.3 * _RANDOM.normal(size=120) > 0.3, 1, -1)
MODELS = [
    *(AROWClassifier(0.7, covariance=form) for form in AROWClassifier._forms),
    *(NHERDClassifier(0.3, covariance=form) for form in NHERDClassifier._forms),
]
NAMES = [f"{type(model).__name__[:-10]}-{model.covariance}" for model in MODELS]
every_form = pytest.mark.parametrize("model", MODELS, ids=NAMES)
both = pytest.mark.parametrize("kind", [AROWClassifier, NHERDClassifier])


def smaller_covariance(model, covariance, x, v):
    """Return the covariance after one row, by the formulas of the papers."""
    variances, towards = np.diag(covariance), np.outer(covariance @ x, covariance @ x)
    if isinstance(model, AROWClassifier):
        if model.covariance == "full":
            return covariance - towards / (v + model.r)
        return np.diag(1 / (1 / variances + x**2 / model.r))
    C = model.C
    if model.covariance == "exact":
        return np.diag(variances / (1 + C * x**2 * variances) ** 2)
    if model.covariance == "project":
        return np.diag(1 / (1 / variances + (2 * C + C**2 * v) * x**2))
    smaller = covariance - towards * (C**2 * v + 2 * C) / (1 + C * v) ** 2
    return smaller if model.covariance == "full" else np.diag(np.diag(smaller))


def plain_loop(model, X, signs):
    """Return weights, covariance and how many rows moved them, after one pass with a constant column."""
    rows = np.column_stack([X, np.ones(len(X))]) if model.fit_intercept else X
    r = model.r if isinstance(model, AROWClassifier) else 1 / model.C
    weights, covariance, moved = np.zeros(rows.shape[1]), np.eye(rows.shape[1]), 0
    for x, t in zip(rows, signs, strict=True):
        margin, v = t * (weights @ x), x @ covariance @ x
        if margin < 1:
            weights = weights + t * (1 - margin) / (v + r) * (covariance @ x)
            covariance = smaller_covariance(model, covariance, x, v)
            moved += 1
    return weights, covariance, moved


def one_pass(model, **parameters):
    return clone(model).set_params(epochs=1, shuffle=False, **parameters)


def learned(model):
    return np.concatenate([model.coef_[0], model.intercept_, model.covariance_.ravel()])
