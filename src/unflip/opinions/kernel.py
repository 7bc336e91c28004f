"""The opinion of a kernel machine: ridge regression on Gaussian kernels at landmarks, cross-fitted in closed form.

Squared loss suits flipped labels: the best fit to them is P(observed | x), which flips only squeeze and shift.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from unflip.foundation.threads import one_blas_thread, row_blocks, run_blocks
from unflip.opinions.contract import MIN_PROBABILITY, bounded_probabilities
from unflip.opinions.folds import make_folds
from unflip.opinions.magnitude import column_factors, resized
from unflip.opinions.order import content_order, put_back

WIDTHS = (0.06, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # of the kernel: factors of 1 / (median squared distance)
RIDGES = tuple(np.geomspace(1e-3, 1e2, 11))
ROWS_TO_CHOOSE_BY = 4000
ROUNDING = 1e-12  # of a difference of squares, relative to them
SIMILAR_UNITS = 2.0  # no column is wider than another by more than this factor
NEGLIGIBLE = 1e-8  # relative to the largest eigenvalue
ROWS_AT_ONCE = 8192


class KernelOpinion(BaseEstimator):
    """Kernel ridge regression of the labels on Nystroem features, in columns as they are or standardized.

    Which of the two, the width and the ridge are chosen by the leave-one-out squared error.

    Parameters
    ----------
    n_landmarks : int, default=300
        Rows at which kernels sit, drawn at random.
    n_folds : int, default=10
        Each row is judged by the model of the other folds. (Leaving out one row alone would not do: a fit that is
        nearly the mean of the other labels is lower for those whose own label is high.)
    seed : int, default=0
        Of the landmarks and the folds.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_rows, n_classes)
        Out of fold.
    width_, ridge_ : float
        The chosen ones.
    """

    name = "kernel machine"

    def __init__(self, n_landmarks: int = 300, *, n_folds: int = 10, seed: int = 0, n_jobs: int | None = None):
        self.n_landmarks = n_landmarks
        self.n_folds = n_folds
        self.seed = seed
        self.n_jobs = n_jobs

    def fit(self, X: Any, labels: np.ndarray, n_classes: int) -> KernelOpinion:
        """Learn from rows and class numbers."""
        order = content_order(X, labels)
        X, labels = X[order], labels[order]
        self._least = max(MIN_PROBABILITY, 1 / (len(labels) + 1))  # a line may leave [0, 1]
        drawn = np.random.RandomState(self.seed).permutation(len(labels))
        landmarks, some = np.sort(drawn[: self.n_landmarks]), np.sort(drawn[:ROWS_TO_CHOOSE_BY])
        with one_blas_thread():
            found = [
                self._choose(X[some], labels[some], n_classes, X[landmarks], factors) for factors in _column_units(X)
            ]
            _, self.width_, self.ridge_, self._unit, self._factors = min(found, key=lambda each: each[0])
            self._sit_at(X[landmarks])
            self._whitening = _whitening(self._kernel(self._centers))
            self.probabilities_ = put_back(self._learn(self._features(X), labels, n_classes), order)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return P(observed label | x) of new rows."""
        with one_blas_thread():
            return bounded_probabilities(self._line(self._features(X)), self._least)

    def _sit_at(self, landmarks: Any) -> None:
        centers = self._dense(landmarks)
        # Far from the origin, differences of squares would lose their digits.
        self._origin = centers.mean(axis=0)
        self._centers = centers - self._origin

    def _choose(
        self, X: Any, labels: np.ndarray, n_classes: int, landmarks: Any, factors: np.ndarray
    ) -> tuple[float, float, float, float, np.ndarray]:
        """Return the lowest error in columns of these units, and the width, the ridge and the unit of distances."""
        self._factors = factors
        self._sit_at(landmarks)
        squared = self._squared_distances(self._dense(X) - self._origin)
        positive = squared[squared > 0]
        unit = float(np.median(positive)) if len(positive) else 1.0
        between = self._squared_distances(self._centers)
        targets = np.eye(n_classes)[labels]

        def errors(width: float) -> np.ndarray:
            features = np.exp(squared * (-width / unit)) @ _whitening(np.exp(between * (-width / unit)))
            return _leave_one_out_errors(features, targets, RIDGES)

        found = np.array(run_blocks(errors, WIDTHS, self.n_jobs))
        best = np.unravel_index(int(found.argmin()), found.shape)
        return float(found.min()), WIDTHS[best[0]], float(RIDGES[best[1]]), unit, factors

    def _learn(self, features: np.ndarray, labels: np.ndarray, n_classes: int) -> np.ndarray:
        """Fit the model of all rows, and return what the models of the other folds say of each row."""
        targets = np.eye(n_classes)[labels]
        folds = make_folds(labels, self.n_folds, self.seed)
        sums = _Sums.of(features, targets)
        out_of_fold = np.empty(targets.shape)

        def judge(fold: int) -> None:
            held_out = folds == fold
            rest = sums.without(_Sums.of(features[held_out], targets[held_out]))
            out_of_fold[held_out] = rest.line(self.ridge_)(features[held_out])

        run_blocks(judge, range(int(folds.max()) + 1), self.n_jobs)
        self._line = sums.line(self.ridge_)
        return bounded_probabilities(out_of_fold, self._least)

    def _features(self, X: Any) -> np.ndarray:
        def of_block(block: slice) -> np.ndarray:
            return self._kernel(self._dense(X[block]) - self._origin) @ self._whitening

        parts = run_blocks(of_block, row_blocks(X.shape[0], ROWS_AT_ONCE), self.n_jobs)
        return np.concatenate(parts) if parts else np.empty((0, self._whitening.shape[1]))

    def _dense(self, X: Any) -> np.ndarray:
        rows = resized(X, self._factors)
        return rows.toarray() if sparse.issparse(rows) else rows

    def _kernel(self, rows: np.ndarray) -> np.ndarray:
        return np.exp(self._squared_distances(rows) * (-self.width_ / self._unit))

    def _squared_distances(self, rows: np.ndarray) -> np.ndarray:
        sizes = (rows**2).sum(axis=1)[:, None] + (self._centers**2).sum(axis=1)
        squared = sizes - 2 * (rows @ self._centers.T)
        return np.where(squared > ROUNDING * sizes, squared, 0)  # copies are at distance 0


@dataclass(frozen=True, eq=False)
class _Line:
    """A linear function of features: one column per class."""

    center: np.ndarray
    coefficients: np.ndarray
    mean: np.ndarray

    def __call__(self, features: np.ndarray) -> np.ndarray:
        return (features - self.center) @ self.coefficients + self.mean


@dataclass(frozen=True, eq=False)
class _Sums:
    """All that ridge regression needs of rows: sums, which add up over rows and can be taken apart again."""

    count: float
    features: np.ndarray
    targets: np.ndarray
    products: np.ndarray
    cross: np.ndarray

    @classmethod
    def of(cls, features: np.ndarray, targets: np.ndarray) -> _Sums:
        return cls(
            len(features), features.sum(axis=0), targets.sum(axis=0), features.T @ features, features.T @ targets
        )

    def without(self, other: _Sums) -> _Sums:
        return _Sums(*(mine - its for mine, its in zip(vars(self).values(), vars(other).values(), strict=True)))

    def line(self, ridge: float) -> _Line:
        center, mean = self.features / self.count, self.targets / self.count
        products = self.products - np.outer(self.features, center)
        products[np.diag_indices_from(products)] += ridge
        return _Line(center, np.linalg.solve(products, self.cross - np.outer(self.features, mean)), mean)


def _column_units(X: Any) -> list[np.ndarray]:
    """Return the factors of columns to compare: one for all, which leaves distances alone, and 1 / standard deviation.

    The second is left out where it is nearly the first, and for sparse rows.
    """
    factors = column_factors(X)
    same = np.full(X.shape[1], factors.min())
    if sparse.issparse(X):
        return [same]
    spread = resized(X, factors).std(axis=0)
    varying = spread > 0
    if not varying.any():
        return [same]
    own = np.where(varying, factors / np.where(varying, spread, 1), 0.0)
    return [same] if np.ptp(np.log(own[varying])) < np.log(SIMILAR_UNITS) else [same, own]


def _whitening(between: np.ndarray) -> np.ndarray:
    """Return what turns kernels at the landmarks into features whose products are the kernel (Nystroem)."""
    values, vectors = np.linalg.eigh(between)
    kept = values > NEGLIGIBLE * values.max()
    return vectors[:, kept] / np.sqrt(values[kept])


def _leave_one_out_errors(features: np.ndarray, targets: np.ndarray, ridges: tuple[float, ...]) -> np.ndarray:
    """Return the mean squared error of each row's prediction without that row, for each ridge.

    With a singular value decomposition, leaving out row i divides its residual by 1 - h_i, its leverage.
    """
    n_rows = len(features)
    centered, mean = features - features.mean(axis=0), targets.mean(axis=0)
    values, vectors = np.linalg.eigh(centered.T @ centered)
    kept = values > NEGLIGIBLE**1.25 * values.max(initial=0)
    values, basis = values[kept], centered @ (vectors[:, kept] / np.sqrt(values[kept]))
    squares, loads = basis**2, basis.T @ (targets - mean)
    errors = []
    for ridge in ridges:
        kept_share = values / (values + ridge)
        residuals = targets - mean - basis @ (kept_share[:, None] * loads)
        left = np.maximum(1 - squares @ kept_share - 1 / n_rows, 1e-3)
        predicted = bounded_probabilities(targets - residuals / left[:, None], 1 / (n_rows + 1))
        errors.append(((predicted - targets) ** 2).sum(axis=1).mean())
    return np.array(errors)
