"""Support vector machines whose rows have weights: exact, or linear in Nystroem features where that is asked for."""

from __future__ import annotations

from numbers import Real

import numpy as np
from scipy import sparse
from sklearn.kernel_approximation import Nystroem
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.validation import check_is_fitted, validate_data

from unflip.foundation.checks import check_choice, check_count, check_positive, generator

KERNELS = ("linear", "poly", "rbf", "sigmoid")


def kernel_gamma(X, gamma):
    """Return the kernel coefficient as a number: "scale" and "auto" mean what they mean to scikit-learn's SVC.

    >>> kernel_gamma(np.array([[0.0, 2.0], [2.0, 4.0]]), "scale")  # 1 / (2 columns * variance 2)
    0.25
    """
    if not isinstance(gamma, str):
        return gamma
    if gamma == "auto":
        return 1 / X.shape[1]
    variance = (X.multiply(X)).mean() - X.mean() ** 2 if sparse.issparse(X) else X.var()
    return float(1 / (X.shape[1] * variance)) if variance > 0 else 1.0


class KernelMachine:
    """Parameters and answers of a kernel machine: C, kernel, gamma, approximation, n_components and random_state."""

    def _check_parameters(self):
        super()._check_parameters()
        check_positive(self, "C", self.C)
        check_choice(self, "kernel", self.kernel, KERNELS)
        if not isinstance(self.gamma, Real) or isinstance(self.gamma, bool):
            check_choice(self, "gamma", self.gamma, ("scale", "auto"), "a number > 0")
        else:
            check_positive(self, "gamma", self.gamma)
        if self.approximation is not None:
            check_choice(self, "approximation", self.approximation, ("nystroem",), "None")
        check_count(self, "n_components", self.n_components)

    def _fit_machine(self, X, labels, weights):
        gamma = kernel_gamma(X, self.gamma)
        kept = np.flatnonzero(weights)  # libsvm has no use for rows that cost nothing
        X, labels, weights = X[kept], labels[kept], weights[kept]
        if self.approximation is None:
            self.machine_ = SVC(C=self.C, kernel=self.kernel, gamma=gamma).fit(X, labels, sample_weight=weights)
            return
        components = min(self.n_components, len(kept))
        coefficient = {} if self.kernel == "linear" else {"gamma": gamma}
        features = Nystroem(
            self.kernel, n_components=components, random_state=generator(self.random_state), **coefficient
        )
        self.machine_ = make_pipeline(features, LinearSVC(C=self.C, dual=False))
        self.machine_.fit(X, labels, linearsvc__sample_weight=weights)

    def decision_function(self, X):
        """Return on which side of the boundary rows lie, and how far.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        margins : ndarray of shape (n_queries,)
            Positive where the second class is predicted.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return self.machine_.decision_function(X)
