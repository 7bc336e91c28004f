"""RobustKNeighborsClassifier: nearest neighbors that correct for flipped labels."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from unflip.classifier.explanation import Explanation
from unflip.classifier.learning import learn
from unflip.classifier.selection import CRITERIA, Settings
from unflip.classifier.training_rows import TrainingRows, checked_weights
from unflip.foundation.checks import check_choice, check_count, check_n_jobs, seed_of
from unflip.foundation.errors import refusal
from unflip.foundation.floats import FLOAT_TYPES, at_least_single
from unflip.foundation.shared_executor import SharedExecutorMixin
from unflip.neighbors import NeighborGraph, make_index
from unflip.neighbors.graph import NOBODY, stacked
from unflip.neighbors.index import (
    UnfittedIndex,
    UnfittedLabeledIndex,
    algorithm_of,
    check_search,
    is_learned,
)
from unflip.neighbors.shards import is_sharded, labels_of
from unflip.noise.posterior import clean_posterior
from unflip.noise.transition import NoiseModel, check_noise_rates
from unflip.noise_rates.estimators.registry import check_noise_estimator, make_estimator
from unflip.voting.decision import RULES, decide, favor_last, margins
from unflip.voting.votes import prefix_votes, vote_shares

# What follows from rows and labels together; after partial_fit it is learned when it is first asked for.
LEARNED = frozenset(
    {"n_neighbors_", "noise_neighbors_", "selection_", "transition_matrix_", "noise_rates_", "class_prior_",
     "threshold_", "n_learned_from_"}
)  # fmt: skip


class RobustKNeighborsClassifier(SharedExecutorMixin, ClassifierMixin, BaseEstimator):
    """Classifier by the votes of the k nearest neighbors, corrected for labels that were flipped at random.

    The flip rates are known or estimated from the data; votes are then compared with the threshold at which the *true*
    label changes, not the observed one. With more than two classes, votes are multiplied by the inverse of the
    transition matrix, which for two classes is the same thing. One neighbor search serves the choice of k and k', the
    estimate and the correction.

    Parameters
    ----------
    n_neighbors : int or "auto", default="auto"
        The number k of neighbors that vote; "auto" chooses from 5, 10, ..., 100.
    noise_neighbors : int or "auto", default="auto"
        The number k' of neighbors from which noise rates are estimated. "auto" is the estimator's own, 50 for most (at
        most a quarter of the rows). For "extremes" it is chosen as k is, by all criteria but "log_likelihood", which
        cannot compare values of k'.
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        Known rates: None for clean labels (plain nearest neighbors), {class: rate}, one rate per class in the order of
        ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them. "auto" is "bayes", the posterior mean; "extremes" is the paper's, biased low. Others are
        "debiased_extremes", "quantile", "moments", "confident", "beta_binomial" and "reeve_kaban", see
        ``unflip.noise_rates``. An object has a method ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    selection : {"auto", "log_likelihood", "noisy_accuracy", "balanced_accuracy", "corrected_accuracy"}, default="auto"
        Criterion by which "auto" k and k' are chosen, on the observed labels. "auto" is "log_likelihood"
        (leave-one-out); "noisy_accuracy" is the paper's. The last three are averages over 4 folds.
    decision : {"threshold", "algorithm_1"}, default="threshold"
        "algorithm_1" (two classes only) keeps the open intervals of the paper: a share of exactly 1/2 is not corrected.
    weights : {"uniform", "distance"}, default="uniform"
        Whether each neighbor has one vote, or 1 / distance.
    metric : str, callable or ForestSpace, default="euclidean"
        A metric that scikit-learn knows; "learned" or a ``ForestSpace``, where rows are near that trees put together,
        grown without either row's label; or "precomputed": then X is a square matrix of distances, or a sparse one that
        stores those of neighbors only.
    metric_params : dict or None, default=None
        Parameters of the metric.
    algorithm : {"auto", "exact", "approximate"} or object, default="auto"
        "exact" search by the engine that suits the data, or "approximate" search with a measured recall of .99 or
        more. "auto" is exact up to about 300,000 rows of 20 columns, see ``unflip.neighbors.choice``. An object
        with ``kneighbors(X, n_neighbors)``, such as ``sklearn.neighbors.NearestNeighbors``, is used instead.
    executor : None, "joblib", dask.distributed.Client or address, default=None
        Where the search runs: on threads of this process, on joblib's workers, or on a Dask cluster, given by its
        client or by an address such as "tcp://host:8786". The result does not depend on it.
    n_jobs : int or None, default=None
        Threads of the search, or joblib's workers; None means one, -1 all cores. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Shuffles the folds of a criterion that has folds. None leaves the rows in their order, as
        ``GridSearchCV(cv=4)`` does. It is the seed of a learned metric, too, where None means 0.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted; of two classes the second is the positive one.
    n_neighbors_ : int
        k.
    noise_neighbors_ : int or None
        k'; None if the rates are known or come from an object without it.
    transition_matrix_ : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``.
    noise_rates_ : ndarray of shape (n_classes,)
        Flip rate of each class; for intervals see ``estimate_noise_rates``.
    threshold_ : float
        Two classes only: the share of votes from which the second is predicted.
    class_prior_ : ndarray of shape (n_classes,)
        Frequencies of the true classes.
    selection_ : Selection or None
        The scores behind "auto" values.
    n_learned_from_ : int
        How many rows' neighbors told k and the noise rates: all, or 200,000 where the graph of all would take more than
        4 GB; 0 if nothing was to be learned.
    algorithm_ : str
        What "auto" took: "exact" or "approximate".
    n_samples_fit_ : int
        Number of rows in the fitted data.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if X had any.

    See Also
    --------
    estimate_noise_rates : Only the rates, with intervals.
    make_label_noise : Flip labels at known rates, to try things out.
    sklearn.neighbors.KNeighborsClassifier : Nearest neighbors without correction.

    Notes
    -----
    Ties go to the later class. Sample weights count as copies: a row of weight 2 is two of the k neighbors. Weights
    that sum to less than two rows, such as those of boosting, are shares of all rows.

    References
    ----------
    .. [1] W. Gao, B.-B. Yang and Z.-H. Zhou, "On the Resistance of Nearest Neighbor to Random Noisy Labels".

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.preprocessing import minmax_scale
    >>> from unflip import RobustKNeighborsClassifier, make_label_noise
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(minmax_scale(X), y, random_state=0)
    >>> noisy = make_label_noise(y_train, {0: 0.1, 1: 0.4}, random_state=0)
    >>> robust = RobustKNeighborsClassifier().fit(X_train, noisy)
    >>> plain = RobustKNeighborsClassifier(noise_rates=None).fit(X_train, noisy)
    >>> print(f"{robust.score(X_test, y_test):.2f} against {plain.score(X_test, y_test):.2f}")
    0.94 against 0.83
    """

    def __init__(
        self,
        n_neighbors: int | str = "auto",
        *,
        noise_neighbors: int | str = "auto",
        noise_rates: Any = "estimate",
        noise_estimator: Any = "auto",
        selection: str = "auto",
        decision: str = "threshold",
        weights: str = "uniform",
        metric: Any = "euclidean",
        metric_params: dict | None = None,
        algorithm: Any = "auto",
        executor: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ):
        self.n_neighbors = n_neighbors
        self.noise_neighbors = noise_neighbors
        self.noise_rates = noise_rates
        self.noise_estimator = noise_estimator
        self.selection = selection
        self.decision = decision
        self.weights = weights
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.executor = executor
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> RobustKNeighborsClassifier:
        """Train on labels of which some may be wrong.

        Parameters
        ----------
        X : {array-like, sparse matrix, Shards} of shape (n_samples, n_features), or (n_samples, n_samples)
            Training rows, of float32 or float64; ``ParquetShards`` or ``ArrayShards`` for rows that are in files; if
            precomputed, distances.
        y : array-like of shape (n_samples,)
            Observed labels, of any type; None for ``ParquetShards`` that have a label column.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            For how many rows each counts; rows of weight zero are left out.

        Returns
        -------
        self : RobustKNeighborsClassifier
            The fitted classifier.
        """
        self._check_parameters()
        X, y = self._rows_and_labels(X, y, first=True)
        weights = None if sample_weight is None else checked_weights(sample_weight, X)
        rows = TrainingRows.of(self._unfitted_index(X), X, y, weights, pairwise=self._is_pairwise)
        self._take(rows, classes=None)
        return self._learn()

    def _rows_and_labels(self, X: Any, y: Any, *, first: bool) -> tuple[Any, np.ndarray]:
        if is_sharded(X):
            y = column_or_1d(np.asarray(labels_of(self, X, y)), warn=True)
            check_consistent_length(X, y)
            self.n_features_in_ = X.shape[1]
        else:
            X = at_least_single(X)
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOAT_TYPES, reset=first)
        check_classification_targets(y)
        return X, y

    def partial_fit(
        self, X: Any, y: Any, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> RobustKNeighborsClassifier:
        """Train on more rows: the result is that of fit on all rows seen so far.

        Neighbors of the new rows are searched among all, those of the others among the new ones only. Batches are put
        together, and the noise rates and all that follows are learned, when somebody asks for them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            More training rows.
        y : array-like of shape (n_samples,)
            Their observed labels.
        classes : array-like or None, default=None
            All labels that can occur, on the first call; None means those seen so far.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            For how many rows each counts.

        Returns
        -------
        self : RobustKNeighborsClassifier
            The fitted classifier.
        """
        if self._is_pairwise:
            raise refusal(self, "metric", "a metric of rows for partial_fit", self.metric)
        if is_sharded(X):
            raise refusal(self, "X", "rows in memory for partial_fit", type(X).__name__)
        self._check_parameters()
        first = "_rows" not in self.__dict__
        X, y = self._rows_and_labels(X, y, first=first)
        weights = None if sample_weight is None else checked_weights(sample_weight, X)
        if first:
            self._take(TrainingRows.of(self._unfitted_index(X), X, y, weights), classes)
        else:
            self._take(self._rows.extended(X, y, weights), self._possible_classes)
        return self

    def _take(self, rows: TrainingRows, classes: ArrayLike | None) -> None:
        """Keep the rows, and forget what was learned from others."""
        found = np.unique(rows.y if classes is None else np.concatenate([np.asarray(classes), rows.y]))
        if self.decision == "algorithm_1" and len(found) > 2:
            raise refusal(self, "decision", '"threshold" for more than two classes', self.decision)
        self._rows, self._possible_classes, self.classes_ = rows, classes, found
        self.n_samples_fit_ = rows.n_samples
        self._labels = np.searchsorted(self.classes_, rows.y[rows.kept])
        for name in LEARNED:
            self.__dict__.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        if name in LEARNED and "_rows" in self.__dict__ and "n_neighbors_" not in self.__dict__:
            self._learn()
            if name in self.__dict__:
                return self.__dict__[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _learn(self) -> RobustKNeighborsClassifier:
        rows, n_classes = self._rows, len(self.classes_)
        self._warn_of_few_rows()
        learned = learn(rows.index, self._labels, n_classes, self._settings(), rows.weights)
        self.n_neighbors_, self.noise_neighbors_ = learned.n_neighbors, learned.noise_neighbors
        self.selection_, self.n_learned_from_ = learned.selection, learned.n_learned_from
        noise = NoiseModel(self.classes_, learned.transition_matrix)
        self.transition_matrix_, self.noise_rates_ = noise.transition_matrix, noise.rates
        observed = np.bincount(self._labels, weights=rows.weights, minlength=n_classes)
        self.class_prior_ = noise.clean_prior(observed / observed.sum())
        if n_classes == 2:
            self.threshold_ = noise.threshold
        return self

    def _check_parameters(self) -> None:
        check_count(self, "n_neighbors", self.n_neighbors, auto=True)
        check_count(self, "noise_neighbors", self.noise_neighbors, auto=True)
        check_choice(self, "selection", self.selection, ("auto", *CRITERIA))
        check_choice(self, "decision", self.decision, RULES)
        check_choice(self, "weights", self.weights, ("uniform", "distance"))
        check_search(self, self.algorithm, self.executor)
        check_n_jobs(self, self.n_jobs)
        check_noise_estimator(self, self.noise_estimator)
        check_noise_rates(self, self.noise_rates)

    @property
    def algorithm_(self) -> str:
        """What ``algorithm="auto"`` took: "exact" or "approximate"."""
        check_is_fitted(self)
        return algorithm_of(self._rows.bare_index)

    def _unfitted_index(self, X: Any) -> UnfittedIndex | UnfittedLabeledIndex:
        return make_index(
            self,
            self.metric,
            self.metric_params,
            X=X,
            algorithm=self.algorithm,
            executor=self.executor,
            n_jobs=self.n_jobs,
            seed=seed_of(self.random_state) if is_learned(self.metric) else 0,
        )

    def _settings(self) -> Settings:
        known = None
        if not isinstance(self.noise_rates, str):
            # One class can only be predicted; rates of classes that a sample happens to lack are no reason to fail.
            rates = self.noise_rates if len(self.classes_) > 1 else None
            known = NoiseModel.of(rates, self.classes_, owner=self, parameter="noise_rates").transition_matrix
        noise_neighbors = None if isinstance(self.noise_neighbors, str) else self.noise_neighbors
        return Settings(
            n_neighbors=self.n_neighbors,
            noise_neighbors=self.noise_neighbors,
            known_matrix=known,
            estimator=make_estimator(self.noise_estimator, noise_neighbors),
            criterion="log_likelihood" if self.selection == "auto" else self.selection,
            rule=self.decision,
            by_distance=self.weights == "distance",
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    def _warn_of_few_rows(self) -> None:
        weights = self._rows.weights
        size = len(self._labels) if weights is None else weights.sum()
        estimating = isinstance(self.noise_rates, str)
        for name, value, most in (
            ("n_neighbors", self.n_neighbors, size),
            ("noise_neighbors", self.noise_neighbors if estimating else "auto", size - 1),
        ):
            if not isinstance(value, str) and value > most:
                what = "rows" if weights is None else "rows by weight"
                warnings.warn(
                    f"{type(self).__name__}: '{name}' is {value}, but only {size:g} {what} were fitted; all are used.",
                    stacklevel=4,
                )

    @property
    def _is_pairwise(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def predict(self, X: Any) -> np.ndarray:
        """Predict the true labels of rows.

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

    def predict_proba(self, X: Any) -> np.ndarray:
        """Estimate the probability of each true label.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        probabilities : ndarray of shape (n_queries, n_classes)
            In the order of ``classes_``. In a tie the later class, which is predicted, leads by 1e-12.
        """
        return self._probabilities(self._votes(self._neighbors(X)))

    def predict_noisy_proba(self, X: Any) -> np.ndarray:
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

    def decision_function(self, X: Any) -> np.ndarray:
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

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
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
            Only if return_distance is True.
        indices : ndarray of shape (n_queries, n_neighbors)
            Row numbers in the fitted data, nearest first, ties by row number.
        """
        check_is_fitted(self)
        k = self.n_neighbors_ if n_neighbors is None else n_neighbors
        check_count(self, "n_neighbors", k)
        index = self._rows.bare_index
        most = index.n_rows - (X is None)
        if k > most:
            raise refusal(self, "n_neighbors", f"at most {most}, the number of rows to be found", k)
        graph = index.graph(k) if X is None else index.query(self._checked(X), k)
        stored = int(np.count_nonzero(graph.indices != NOBODY, axis=1).min(initial=k))
        if stored < k:  # only a sparse graph of neighbors can hold fewer
            raise refusal(self, "n_neighbors", f"at most {stored}, the number of neighbors stored for every row", k)
        indices = self._rows.numbers(graph.indices)
        return (graph.distances, indices) if return_distance else indices

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> sparse.csr_matrix:
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

    def explain(self, X: Any) -> list[Explanation]:
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
                    neighbors=self._rows.numbers(neighbors),
                    neighbor_labels=self.classes_[self._labels[neighbors]],
                    distances=graph.distances[row][exists],
                    flip_rates=dict(zip(names, self.noise_rates_.tolist(), strict=True)),
                    threshold=getattr(self, "threshold_", None),
                )
            )
        return explanations

    def _neighbors(self, X: Any) -> NeighborGraph:
        """Return the graph of the k nearest fitted rows."""
        check_is_fitted(self)
        index = self._rows.index
        if is_sharded(X):
            return stacked([index.query(self._checked(block), self.n_neighbors_) for block in X.blocks()])
        return index.query(self._checked(X), self.n_neighbors_)

    def _checked(self, X: Any) -> Any:
        X = validate_data(self, at_least_single(X), accept_sparse="csr", dtype=FLOAT_TYPES, reset=False)
        # Distances to rows of weight zero are left out with the rows.
        return X[:, self._rows.kept] if self._is_pairwise else X

    def _votes(self, graph: NeighborGraph) -> np.ndarray:
        by_distance = self.weights == "distance"
        return prefix_votes(graph, self._labels, len(self.classes_), [self.n_neighbors_], by_distance=by_distance)[:, 0]

    def _probabilities(self, votes: np.ndarray) -> np.ndarray:
        return favor_last(clean_posterior(vote_shares(votes), self.transition_matrix_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._is_pairwise
        return tags
