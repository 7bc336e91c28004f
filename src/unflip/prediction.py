"""What a fitted classifier answers: labels, probabilities, neighbors and reasons."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted, validate_data

from unflip.decision import decide, favor_last, margins
from unflip.explanation import Explanation
from unflip.neighbors.graph import NOBODY
from unflip.noise_model import clean_posterior
from unflip.validation import check_choice, check_count, refusal
from unflip.votes import prefix_votes, vote_shares


class PredictionMixin:
    """Methods that read what `RobustKNeighborsClassifier` learned."""

    def _neighbors(self, X):
        """Return the graph of the k nearest fitted rows."""
        check_is_fitted(self)
        return self._index.query(self._checked(X), self.n_neighbors_)

    def _checked(self, X):
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        # Distances to rows of weight zero, which are not there.
        return X[:, self._kept] if self.metric == "precomputed" and self._kept is not None else X

    def _votes(self, graph):
        by_distance = self.weights == "distance"
        return prefix_votes(graph, self._labels, len(self.classes_), [self.n_neighbors_], by_distance=by_distance)[:, 0]

    def predict(self, X):
        """Predict the clean labels of rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows; if precomputed, their distances to the fitted ones.

        Returns
        -------
        y : ndarray of shape (n_queries,)
            Labels.
        """
        votes = self._votes(self._neighbors(X))
        return self.classes_[decide(votes, self.transition_matrix_, self.decision)]

    def predict_proba(self, X):
        """Estimate the probability of each clean label.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        probabilities : ndarray of shape (n_queries, n_classes)
            In the order of ``classes_``; a tie shows as a lead of 1e-12 for the later class, which is predicted.
        """
        return self._probabilities(self._votes(self._neighbors(X)))

    def predict_noisy_proba(self, X):
        """Estimate the probability of each label as it would be observed: the shares of votes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        shares : ndarray of shape (n_queries, n_classes)
            In the order of ``classes_``.
        """
        return vote_shares(self._votes(self._neighbors(X)))

    def decision_function(self, X):
        """Return how far the votes are from the threshold (two classes), or the clean probabilities (more).

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        scores : ndarray of shape (n_queries,) or (n_queries, n_classes)
            For two classes positive where the second is predicted.
        """
        votes = self._votes(self._neighbors(X))
        if len(self.classes_) == 2:
            return margins(votes, self.transition_matrix_)
        return self._probabilities(votes)

    def _probabilities(self, votes):
        return favor_last(clean_posterior(vote_shares(votes), self.transition_matrix_))

    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        """Find the nearest fitted rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features) or None, default=None
            Rows; None means every fitted row, itself left out.
        n_neighbors : int or None, default=None
            How many; None means ``n_neighbors_``.
        return_distance : bool, default=True
            Whether to return distances as well.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            Only if asked for.
        indices : ndarray of shape (n_queries, n_neighbors)
            Row numbers in the fitted data, nearest first, equal distances by row number.
        """
        check_is_fitted(self)
        k = self.n_neighbors_ if n_neighbors is None else n_neighbors
        check_count(self, "n_neighbors", k)
        index = self._index if self._weights is None else self._index.index
        most = index.n_rows - (X is None)
        if k > most:
            raise refusal(self, "n_neighbors", f"at most {most}, the number of rows to be found", k)
        graph = index.graph(k) if X is None else index.query(self._checked(X), k)
        stored = int(np.count_nonzero(graph.indices != NOBODY, axis=1).min(initial=k))
        if stored < k:  # only a sparse graph of neighbors can hold fewer
            raise refusal(self, "n_neighbors", f"at most {stored}, the number of neighbors stored for every row", k)
        indices = self._row_numbers(graph.indices)
        return (graph.distances, indices) if return_distance else indices

    def _row_numbers(self, indices):
        """Return the numbers of rows in the data as given, where rows of weight zero count."""
        return indices.astype(np.intp) if self._kept is None else self._kept[indices]

    def kneighbors_graph(self, X=None, n_neighbors=None, mode="connectivity"):
        """Return the graph of nearest fitted rows as a sparse matrix.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features) or None, default=None
            Rows; None means every fitted row, itself left out.
        n_neighbors : int or None, default=None
            How many; None means ``n_neighbors_``.
        mode : {"connectivity", "distance"}, default="connectivity"
            Whether entries are ones or distances.

        Returns
        -------
        graph : sparse matrix in CSR format of shape (n_queries, n_samples_fit)
            One row per query.
        """
        check_choice(self, "mode", mode, ("connectivity", "distance"))
        distances, indices = self.kneighbors(X, n_neighbors)
        values = np.ones(indices.size) if mode == "connectivity" else distances.ravel()
        starts = np.arange(len(indices) + 1) * indices.shape[1]
        return sparse.csr_matrix((values, indices.ravel(), starts), shape=(len(indices), self.n_samples_fit_))

    def explain(self, X):
        """Give the reasons for each prediction: neighbors, labels, distances, votes and threshold.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        explanations : list of Explanation
            One for each row; print one to read it.
        """
        graph = self._neighbors(X)
        votes = self._votes(graph)
        predictions = self.classes_[decide(votes, self.transition_matrix_, self.decision)].tolist()
        probabilities = self._probabilities(votes)
        names = self.classes_.tolist()
        explanations = []
        for row, prediction in enumerate(predictions):
            exists = graph.indices[row] >= 0
            neighbors = graph.indices[row][exists]
            explanations.append(
                Explanation(
                    prediction=prediction,
                    probabilities=dict(zip(names, probabilities[row].tolist(), strict=True)),
                    votes=dict(zip(names, votes[row].tolist(), strict=True)),
                    neighbors=self._row_numbers(neighbors),
                    neighbor_labels=self.classes_[self._labels[neighbors]],
                    distances=graph.distances[row][exists],
                    flip_rates=dict(zip(names, self.noise_rates_.tolist(), strict=True)),
                    threshold=getattr(self, "threshold_", None),
                )
            )
        return explanations
