"""What the noise-aware classifiers of two classes share: checks, the noise rates, and labels from a decision."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from unflip.classifier.selection import default_noise_neighbors
from unflip.foundation.errors import UnflipError, refusal
from unflip.neighbors import make_index
from unflip.noise.transition import NoiseModel, check_noise_rates
from unflip.noise_rates.estimators.contract import correctable, estimated_matrix
from unflip.noise_rates.estimators.registry import check_noise_estimator, make_estimator


class NoiseAwareClassifier(ClassifierMixin, BaseEstimator):
    """Base of classifiers of two classes that know how often labels of each are flipped.

    A subclass has the parameters ``noise_rates`` and ``noise_estimator``, learns by `_learn` and has a
    ``decision_function`` that is positive for the second class.
    """

    def fit(self, X, y):
        """Learn from labels of which some may be wrong.

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
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self._check_classes()
        graph = self._graph(X) if self._needs_graph() else None
        noise = self._noise(graph, labels)
        self.transition_matrix_, self.noise_rates_ = noise.transition_matrix, noise.rates
        self._learn(X, labels, graph)
        return self

    def _learn(self, X, labels, graph):
        """Fit the model to rows and class numbers; the graph of neighbors is None where nobody asked for it."""
        raise NotImplementedError

    def _check_parameters(self):
        check_noise_estimator(self, self.noise_estimator)
        check_noise_rates(self, self.noise_rates)

    def _check_classes(self):
        n_classes, name = len(self.classes_), type(self).__name__
        if n_classes == 1:
            raise refusal(self, "y", "labels of two classes", f"one class, {self.classes_.tolist()[0]!r}")
        if n_classes > 2:
            cure = " (sklearn.multiclass.OneVsRestClassifier fits one for each, with rates of its own)"
            raise UnflipError(
                f"{name}: Only binary classification is supported, "
                f"'y' has {n_classes} classes{cure if self._estimates else ''}."
            )

    @property
    def _estimates(self):
        return isinstance(self.noise_rates, str)

    def _needs_graph(self):
        return self._estimates

    def _graph(self, X):
        """Return the graph of as many neighbors as the estimator reads, and the default number at the least."""
        n_rows = X.shape[0]
        own = 0 if isinstance(self.noise_estimator, str) else getattr(self.noise_estimator, "n_neighbors", 0)
        return make_index(self, "euclidean").fit(X).graph(min(max(default_noise_neighbors(n_rows), own), n_rows - 1))

    def _noise(self, graph, labels):
        if not self._estimates:
            return NoiseModel.of(self.noise_rates, self.classes_, owner=self, parameter="noise_rates")
        matrix = estimated_matrix(make_estimator(self.noise_estimator), graph, labels, len(self.classes_))
        return NoiseModel(self.classes_, correctable(matrix, stacklevel=3))

    @property
    def _taus(self):
        """The rates by their names in the formulas."""
        return {"tau_plus": self.noise_rates_[1], "tau_minus": self.noise_rates_[0]}

    def predict(self, X):
        """Predict the clean labels of rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        y : ndarray of shape (n_queries,)
            Labels.
        """
        second = self.decision_function(X) > 0
        return self.classes_[second.astype(np.intp)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags
