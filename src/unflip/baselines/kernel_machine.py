"""Support vector machines with a weight for each row: exact, or linear in Nystroem features on request."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.kernel_approximation import Nystroem
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from unflip.baselines.noise_aware import NoiseAwareClassifier, check_positive_or_choice
from unflip.foundation.checks import check_choice, check_count, check_positive, generator
from unflip.neighbors import NeighborGraph

KERNELS = ("linear", "poly", "rbf", "sigmoid")
# Steps of libsvm, which on columns of very different scales would go on for hours without an end or an interrupt.
MIN_STEPS = 1_000_000
STEPS_PER_ROW = 1_000


def kernel_gamma(X: Any, gamma: float | str) -> float:
    """Return the kernel coefficient as a number; "scale" and "auto" are those of scikit-learn's SVC.

    >>> kernel_gamma(np.array([[0.0, 2.0], [2.0, 4.0]]), "scale")  # 1 / (2 columns * variance 2)
    0.25
    """
    if not isinstance(gamma, str):
        return gamma
    if gamma == "auto":
        return 1 / X.shape[1]
    variance = (X.multiply(X)).mean() - X.mean() ** 2 if sparse.issparse(X) else X.var()
    return float(1 / (X.shape[1] * variance)) if variance > 0 else 1.0


class KernelMachine(NoiseAwareClassifier):
    """Base of the noise-aware support vector machines: a subclass weighs the rows in `_row_weights`."""

    def __init__(
        self,
        noise_rates: Any = "estimate",
        *,
        noise_estimator: Any = "auto",
        C: float = 1.0,
        kernel: str = "rbf",
        gamma: float | str = "scale",
        approximation: str | None = None,
        n_components: int = 300,
        random_state: Any = None,
    ):
        self.noise_rates = noise_rates
        self.noise_estimator = noise_estimator
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.approximation = approximation
        self.n_components = n_components
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_positive(self, "C", self.C)
        check_choice(self, "kernel", self.kernel, KERNELS)
        check_positive_or_choice(self, "gamma", self.gamma, ("scale", "auto"))
        if self.approximation is not None:
            check_choice(self, "approximation", self.approximation, ("nystroem",), "None")
        check_count(self, "n_components", self.n_components)

    def _row_weights(self, X: Any, labels: np.ndarray, graph: NeighborGraph | None) -> np.ndarray:
        """Return by how much each row's C is multiplied."""
        raise NotImplementedError

    def _learn(self, X: Any, labels: np.ndarray, graph: NeighborGraph | None) -> None:
        weights = self._row_weights(X, labels, graph)
        gamma = kernel_gamma(X, self.gamma)
        kept = np.flatnonzero(weights)  # libsvm has no use for rows of weight zero
        X, labels, weights = X[kept], labels[kept], weights[kept]
        if self.approximation is None:
            machine = SVC(C=self.C, kernel=self.kernel, gamma=gamma, max_iter=max(MIN_STEPS, STEPS_PER_ROW * len(kept)))
            self.machine_ = machine.fit(X, labels, sample_weight=weights)
            return
        self.machine_ = make_pipeline(self._nystroem(gamma, len(kept)), LinearSVC(C=self.C, dual=False))
        self.machine_.fit(X, labels, linearsvc__sample_weight=weights)

    def _nystroem(self, gamma: float, n_rows: int) -> Nystroem:
        return Nystroem(
            self.kernel,
            n_components=min(self.n_components, n_rows),
            random_state=generator(self.random_state),
            **({} if self.kernel == "linear" else {"gamma": gamma}),
        )

    def _decision(self, X: Any) -> np.ndarray:
        return self.machine_.decision_function(X)
