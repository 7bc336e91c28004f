"""What the noise-aware baselines share: their noise parameters, and noise rates that are known or estimated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy import sparse

from unflip.baselines.binary_classifier import BinaryClassifier
from unflip.classifier.selection import default_noise_neighbors
from unflip.foundation.checks import check_choice, check_positive, is_number
from unflip.foundation.errors import refusal
from unflip.foundation.threads import one_blas_thread
from unflip.neighbors import ExactIndex, NeighborGraph
from unflip.noise.transition import NoiseModel, check_noise_rates
from unflip.noise_rates.estimators.contract import correctable, estimated_matrix
from unflip.noise_rates.estimators.registry import check_noise_estimator, make_estimator

MAX_VALUE = 1e100  # sums of products of larger ones overflow


def check_positive_or_choice(owner: object, parameter: str, value: Any, choices: Sequence[str]) -> None:
    """Refuse anything but a finite number above zero or one of the given strings."""
    if is_number(value):
        check_positive(owner, parameter, value)
    else:
        check_choice(owner, parameter, value, choices, "a number > 0")


class NoiseAwareClassifier(BinaryClassifier):
    """Base of classifiers that correct for the flip rates of two classes.

    A subclass has the parameters ``noise_rates`` and ``noise_estimator``, and fits its model in `_learn`.
    """

    noise_rates: Any
    noise_estimator: Any

    def fit(self, X: Any, y: Any) -> Self:
        """Train on noisy labels.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Observed labels of two classes, of any type.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        self._check_parameters()
        X, y = self._validated(X, y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self._check_two_classes(self.classes_, "y")
        self._check_size(X)
        graph = self._graph(X) if self._needs_graph() else None
        noise = self._noise(graph, labels)
        self.transition_matrix_, self.noise_rates_ = noise.transition_matrix, noise.rates
        with one_blas_thread():
            self._learn(X, labels, graph)
        return self

    def _check_size(self, X: Any) -> None:
        largest = np.abs(X.data if sparse.issparse(X) else X).max(initial=0.0)
        if largest > MAX_VALUE:
            raise refusal(self, "X", f"values of at most {MAX_VALUE:g} (scale the columns first)", float(largest))

    def _learn(self, X: Any, labels: np.ndarray, graph: NeighborGraph | None) -> None:
        """Fit the model to rows and class numbers; there is a graph only if `_needs_graph`."""
        raise NotImplementedError

    def _check_parameters(self) -> None:
        check_noise_estimator(self, self.noise_estimator)
        check_noise_rates(self, self.noise_rates)

    def _multiclass_hint(self) -> str:
        # Known rates of three classes are not those of one class against the rest.
        return f"{super()._multiclass_hint()}, which estimates the rates of each class" if self._estimates else ""

    @property
    def _estimates(self) -> bool:
        return isinstance(self.noise_rates, str)

    def _needs_graph(self) -> bool:
        return self._estimates

    def _graph(self, X: Any) -> NeighborGraph:
        """Return a graph of as many neighbors as the estimator reads, and no fewer than the default."""
        n_rows = X.shape[0]
        own = 0 if isinstance(self.noise_estimator, str) else getattr(self.noise_estimator, "n_neighbors", 0)
        n_neighbors = min(max(default_noise_neighbors(n_rows), own), n_rows - 1)
        return ExactIndex(owner=self).fit(X).graph(n_neighbors)

    def _noise(self, graph: NeighborGraph | None, labels: np.ndarray) -> NoiseModel:
        if graph is None or not self._estimates:
            return NoiseModel.of(self.noise_rates, self.classes_, owner=self, parameter="noise_rates")
        matrix = estimated_matrix(make_estimator(self.noise_estimator), graph, labels, len(self.classes_))
        return NoiseModel(self.classes_, correctable(matrix, stacklevel=3))

    @property
    def _taus(self) -> dict[str, float]:
        """The estimated or known rates by their names in the formulas."""
        return {"tau_plus": self.noise_rates_[1], "tau_minus": self.noise_rates_[0]}
