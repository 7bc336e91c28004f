"""RobustKNeighborsClassifier: nearest neighbors that correct for flipped labels."""

from __future__ import annotations

import warnings

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data

from unflip.decision import RULES
from unflip.learning import Settings, learn
from unflip.neighbors import ExactIndex, ForeignIndex, PrecomputedIndex
from unflip.neighbors.weighted import WeightedIndex
from unflip.noise_model import ACCEPTED, NoiseModel
from unflip.noise_rates import ESTIMATORS, estimator_named
from unflip.prediction import PredictionMixin
from unflip.selection import CRITERIA
from unflip.validation import check_choice, check_count, refusal


class RobustKNeighborsClassifier(PredictionMixin, ClassifierMixin, BaseEstimator):
    """Classifier of the k nearest neighbors' votes, corrected for labels that were flipped at random.

    The rates of flips are known, or estimated from the data; the votes are then held against the threshold at which
    the *clean* label changes, not the observed one. With more than two classes the votes are multiplied by the
    inverse of the transition matrix, which for two classes is the same thing. One search of neighbors serves the
    choice of k and k', the estimate and the correction.

    Parameters
    ----------
    n_neighbors : int or "auto", default="auto"
        The number k of neighbors that vote; "auto" chooses from 5, 10, ..., 100.
    noise_neighbors : int or "auto", default="auto"
        The number k' of neighbors from which noise rates are estimated; "auto" is the estimator's own, 50 for most (at
        most a quarter of the rows), or chosen as k is: for "extremes", by all criteria but "log_likelihood", which
        does not tell k' apart.
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        Known rates: None for clean labels (plain nearest neighbors), {class: rate}, one rate per class in the order of
        ``classes_``, or the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        How to estimate them. "auto" is "bayes", the posterior mean; "extremes" is the paper's way: rates too low.
        Others are "debiased_extremes", "quantile", "moments", "confident" and "beta_binomial", see
        ``unflip.noise_rates``. An object has a method ``estimate(graph, labels)`` that returns ``T[true, observed]``.
    selection : {"auto", "log_likelihood", "noisy_accuracy", "balanced_accuracy", "corrected_accuracy"}, default="auto"
        Criterion by which "auto" k and k' are chosen, on the observed labels. "log_likelihood" (leave-one-out) is
        "auto"; "noisy_accuracy" is the paper's. The last three are averages over 4 folds.
    decision : {"threshold", "algorithm_1"}, default="threshold"
        "algorithm_1" (two classes only) keeps the open intervals of the paper: a share of exactly 1/2 is not corrected.
    weights : {"uniform", "distance"}, default="uniform"
        Whether each neighbor has one vote, or 1 / distance.
    metric : str or callable, default="euclidean"
        A metric that scikit-learn knows, or "precomputed": then X is a square matrix of distances, or a sparse one that
        stores those of neighbors only.
    metric_params : dict or None, default=None
        Parameters of the metric.
    algorithm : {"auto", "exact"} or object, default="auto"
        Both names mean exact search, by the engine that suits the data. An object with ``kneighbors(X, n_neighbors)``,
        such as ``sklearn.neighbors.NearestNeighbors``, is asked instead.
    executor : None or "joblib", default=None
        Where the search runs: on threads of this process, or in parts on what joblib is set to run on; with
        ``joblib.parallel_config(backend="dask")`` that is a cluster. The result does not depend on it.
    n_jobs : int or None, default=None
        Threads of the search, or joblib's workers; None means one, -1 all cores. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Shuffles the folds of a criterion that has folds. None leaves the rows in their order, as
        ``GridSearchCV(cv=4)`` does.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted; of two the second is "positive".
    n_neighbors_ : int
        k.
    noise_neighbors_ : int or None
        k'; None where the rates were known or come from an object.
    transition_matrix_ : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``.
    noise_rates_ : ndarray of shape (n_classes,)
        How often labels of each class are flipped; for intervals see ``estimate_noise_rates``.
    threshold_ : float
        Only for two classes: the share of votes from which the second is predicted.
    class_prior_ : ndarray of shape (n_classes,)
        Frequencies of the clean classes.
    selection_ : Selection or None
        The scores behind "auto" values.
    n_samples_fit_ : int
        Number of rows in the fitted data.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, where X had any.

    See Also
    --------
    estimate_noise_rates : Only the rates, with intervals.
    make_label_noise : Flip labels at known rates, to try things out.
    sklearn.neighbors.KNeighborsClassifier : Nearest neighbors without correction.

    Notes
    -----
    A tie goes to the later class. Sample weights count as copies: a row of weight 2 is two of the k neighbors.

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
        n_neighbors="auto",
        *,
        noise_neighbors="auto",
        noise_rates="estimate",
        noise_estimator="auto",
        selection="auto",
        decision="threshold",
        weights="uniform",
        metric="euclidean",
        metric_params=None,
        algorithm="auto",
        executor=None,
        n_jobs=None,
        random_state=None,
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

    def fit(self, X, y, sample_weight=None):
        """Learn from labels of which some may be wrong.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or (n_samples, n_samples) if precomputed
            Training rows.
        y : array-like of shape (n_samples,)
            Observed labels, of any type.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            For how many rows each counts; rows of weight zero are left out.

        Returns
        -------
        self : RobustKNeighborsClassifier
            The fitted classifier.
        """
        return self._fit(X, y, sample_weight, classes=None, reset=True)

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Learn from more rows: the result is that of fit on all rows seen so far, and costs as much.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            More training rows.
        y : array-like of shape (n_samples,)
            Their observed labels.
        classes : array-like or None, default=None
            All labels that can come, on the first call; without it those seen so far.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            For how many rows each counts.

        Returns
        -------
        self : RobustKNeighborsClassifier
            The fitted classifier.
        """
        if self.metric == "precomputed":
            raise refusal(self, "metric", "a metric of rows for partial_fit", self.metric)
        first = not hasattr(self, "_seen")
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=first)
        weight = self._checked_weight(sample_weight, X)
        if not first:
            before = self._seen
            stack = sparse.vstack if sparse.issparse(X) or sparse.issparse(before[0]) else np.vstack
            X, y = stack([before[0], X]), np.concatenate([before[1], y])
            weight = np.concatenate([before[2], weight])
            classes = before[3]
        return self._fit(X, y, None if (weight == 1).all() else weight, classes, reset=False)

    def _fit(self, X, y, sample_weight, classes, reset):
        self._check_parameters()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=reset)
        check_classification_targets(y)
        self.classes_ = np.unique(y if classes is None else np.concatenate([np.asarray(classes), y]))
        n_classes = len(self.classes_)
        if self.decision == "algorithm_1" and n_classes > 2:
            raise refusal(self, "decision", '"threshold" for more than two classes', self.decision)
        self.n_samples_fit_ = X.shape[0]
        self._labels = np.searchsorted(self.classes_, y)
        if sample_weight is not None:
            sample_weight = self._checked_weight(sample_weight, X)
        self._seen = X, y, np.ones(len(y)) if sample_weight is None else sample_weight, classes
        self._fit_index(X, sample_weight)
        self._warn_of_few_rows()
        learned = learn(self._index, self._labels, n_classes, self._settings(), self._weights)
        self.n_neighbors_, self.noise_neighbors_ = learned.n_neighbors, learned.noise_neighbors
        self.selection_ = learned.selection
        noise = NoiseModel(self.classes_, learned.transition_matrix)
        self.transition_matrix_, self.noise_rates_ = noise.transition_matrix, noise.rates
        observed = np.bincount(self._labels, weights=self._weights, minlength=n_classes)
        self.class_prior_ = noise.clean_prior(observed / observed.sum())
        self.__dict__.pop("threshold_", None)
        if n_classes == 2:
            self.threshold_ = noise.threshold
        return self

    def _check_parameters(self):
        check_count(self, "n_neighbors", self.n_neighbors, auto=True)
        check_count(self, "noise_neighbors", self.noise_neighbors, auto=True)
        check_choice(self, "selection", self.selection, ("auto", *CRITERIA))
        check_choice(self, "decision", self.decision, RULES)
        check_choice(self, "weights", self.weights, ("uniform", "distance"))
        if not hasattr(self.algorithm, "kneighbors"):
            check_choice(self, "algorithm", self.algorithm, ("auto", "exact"), "an object with kneighbors()")
        if self.executor is not None:
            check_choice(self, "executor", self.executor, ("joblib",), "None")
        if not hasattr(self.noise_estimator, "estimate"):
            names = ("auto", *ESTIMATORS)
            check_choice(self, "noise_estimator", self.noise_estimator, names, "an object with estimate(graph, labels)")
        if isinstance(self.noise_rates, str) and self.noise_rates != "estimate":
            raise refusal(self, "noise_rates", f'"estimate", {ACCEPTED}', self.noise_rates)

    def _settings(self):
        known, estimator = None, self.noise_estimator
        if not isinstance(self.noise_rates, str):
            # One class can only be predicted; rates of classes that a sample happens to lack are no reason to fail.
            rates = self.noise_rates if len(self.classes_) > 1 else None
            known = NoiseModel.of(rates, self.classes_, owner=self, parameter="noise_rates").transition_matrix
        if isinstance(estimator, str):
            estimator = estimator_named(estimator, None if self.noise_neighbors == "auto" else self.noise_neighbors)
        return Settings(
            n_neighbors=self.n_neighbors,
            noise_neighbors=self.noise_neighbors,
            known_matrix=known,
            estimator=estimator,
            criterion="log_likelihood" if self.selection == "auto" else self.selection,
            rule=self.decision,
            by_distance=self.weights == "distance",
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    def _checked_weight(self, sample_weight, X):
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if len(weight) > 1 and weight.sum() < 2:
            accepted = "numbers of copies, which together are at least two rows"
            raise refusal(self, "sample_weight", accepted, f"a sum of {weight.sum():g}")
        return weight

    def _fit_index(self, X, sample_weight):
        """Index the rows; those of weight zero are not there."""
        self._weights = self._kept = None
        if sample_weight is not None:
            self._kept = np.flatnonzero(sample_weight > 0)
            self._weights, self._labels = sample_weight[self._kept], self._labels[self._kept]
            X = X[self._kept][:, self._kept] if self.metric == "precomputed" else X[self._kept]
        self._index = self._bare_index().fit(X)
        if self._weights is not None:
            self._index = WeightedIndex(self._index, self._weights)

    def _bare_index(self):
        if self.metric == "precomputed":
            return PrecomputedIndex()
        if hasattr(self.algorithm, "kneighbors"):
            return ForeignIndex(self.algorithm)
        return ExactIndex(self.metric, self.metric_params, self.n_jobs, executor=self.executor)

    def _warn_of_few_rows(self):
        size = len(self._labels) if self._weights is None else self._weights.sum()
        estimating = isinstance(self.noise_rates, str)
        for name, value, most in (
            ("n_neighbors", self.n_neighbors, size),
            ("noise_neighbors", self.noise_neighbors if estimating else "auto", size - 1),
        ):
            if value != "auto" and value > most:
                what = "rows" if self._weights is None else "rows by weight"
                warnings.warn(
                    f"{type(self).__name__}: '{name}' is {value}, but only {size:g} {what} were fitted; all are used.",
                    stacklevel=4,
                )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags
