"""NoiseCorrectedClassifier: any classifier, trained on labels of which some are wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from unflip.classifier.corrections import CORRECTIONS, choose_correction, fit_corrected, true_given
from unflip.classifier.selection import default_noise_neighbors
from unflip.foundation.checks import check_choice, check_n_jobs, is_integer, seed_of
from unflip.foundation.class_numbers import class_numbers
from unflip.foundation.errors import UnflipError, refusal
from unflip.noise.transition import NoiseModel, check_noise_rates
from unflip.noise_rates.estimators.contract import correctable, estimated_matrix
from unflip.noise_rates.estimators.registry import check_noise_estimator, make_estimator
from unflip.noise_rates.judgement import Judgement, judge
from unflip.noise_rates.known_noise import KnownNoise
from unflip.noise_rates.noise_prior import NoisePrior
from unflip.opinions import Blend, CrossFitted, GivenProbabilities, Opinion, default_opinions
from unflip.opinions.choosing import neighbors_in
from unflip.opinions.cross_fitted import with_probabilities
from unflip.opinions.rowwise import in_blocks
from unflip.tables import TableEncoder, as_table, is_table
from unflip.voting.decision import favor_last


class NoiseCorrectedClassifier(ClassifierMixin, BaseEstimator):
    """Train any classifier on labels of which some are wrong.

    Several models, each judged out of sample, are blended by the likelihood of the observed labels. What the blend says
    of each label, and how often labels seem to be flipped, gives the probability of every true label; the classifier
    learns from those. Without a classifier of your own, the blend itself predicts.

    Parameters
    ----------
    estimator : classifier or None, default=None
        Any scikit-learn classifier, or a pipeline that ends in one; None means the blend of neighbors, learned
        neighbors, trees, a linear model and a kernel machine.
    noise_rates : "estimate", None, float, dict or array-like, default="estimate"
        Known rates: None for clean labels, one rate, {class: rate}, one rate per class in the order of ``classes_``, or
        the matrix ``T[true, observed]``.
    noise_estimator : str or object, default="auto"
        "auto" estimates them from the blend. Others, such as "extremes", do so from neighbors, as in
        ``RobustKNeighborsClassifier``.
    correction : {"auto", "soft", "relabel", "prune", "posterior"}, default="auto"
        What the estimator learns from: each row once per class, weighed by how likely that class is the true one
        ("soft"); the likeliest labels ("relabel"); the rows that are more likely right than wrong ("prune"); or the
        labels as they are, and what it predicts is corrected ("posterior"). "auto" is "soft" where the estimator takes
        sample weights and "relabel" where not.
    cv : int, default=5
        Folds in which the estimator is judged out of sample.
    noise_prior : NoisePrior, "auto", "uniform" or float, default="auto"
        What is believed of the rates beforehand; a number is the expected share of wrong labels.
    n_jobs : int or None, default=None
        Threads, and folds fitted at once; None means one, -1 all cores. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed of the models in the blend and of the folds; None means 0: the same every time.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    transition_matrix_ : ndarray of shape (n_classes, n_classes)
        ``T[true, observed]``.
    noise_rates_ : ndarray of shape (n_classes,)
        Flip rate of each class.
    label_issues_ : DataFrame
        One row per training row: is_label_issue, label_score, p_wrong, given_label, predicted_label.
    weights_ : dict
        How much each opinion weighs in the blend.
    correction_ : str or None
        The correction that was used; None if the blend itself predicts.
    estimator_ : classifier or None
        The fitted estimator; its classes are class numbers.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if X had any.

    See Also
    --------
    LabelAudit : Finds the wrong labels, explains them, and writes reports.
    RobustKNeighborsClassifier : Nearest neighbors alone, corrected in the same way.

    Notes
    -----
    Arrays, and tables of numbers without gaps, are taken as they are. The columns of other tables (pandas, polars,
    Arrow) may be of any kind and are encoded. A pipeline of your own gets the table as it is.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from sklearn.model_selection import train_test_split
    >>> from unflip import NoiseCorrectedClassifier, make_label_noise
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> noisy = make_label_noise(y_train, {0: 0.1, 1: 0.4}, random_state=0)
    >>> forest = RandomForestClassifier(random_state=0)
    >>> corrected = NoiseCorrectedClassifier(forest).fit(X_train, noisy)
    >>> print(f"{corrected.score(X_test, y_test):.2f} against {forest.fit(X_train, noisy).score(X_test, y_test):.2f}")
    0.96 against 0.72
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        noise_rates: Any = "estimate",
        noise_estimator: Any = "auto",
        correction: str = "auto",
        cv: int = 5,
        noise_prior: Any = "auto",
        n_jobs: int | None = None,
        random_state: Any = None,
    ):
        self.estimator = estimator
        self.noise_rates = noise_rates
        self.noise_estimator = noise_estimator
        self.correction = correction
        self.cv = cv
        self.noise_prior = noise_prior
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> NoiseCorrectedClassifier:
        """Train on labels of which some may be wrong.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Observed labels, of any type.

        Returns
        -------
        self : NoiseCorrectedClassifier
            The fitted classifier.
        """
        self._check_parameters()
        rows, matrix, y = self._checked(X, y)
        self.classes_, labels = class_numbers(self, y)
        self._opinion = Blend(self._opinions(rows, labels)).fit(matrix, labels, len(self.classes_))
        self.weights_ = self._opinion.weights_
        self._judgement = self._judge(labels)
        self.transition_matrix_ = self._judgement.transition_matrix
        self.noise_rates_ = 1 - np.diag(self.transition_matrix_)
        probabilities = self._opinion.probabilities_
        p_wrong = self._judgement.p_wrong(probabilities, labels)
        self.correction_: str | None = None
        self.estimator_: Any = None
        if self.estimator is None:
            likeliest = in_blocks(lambda *some: self._true(*some).argmax(axis=1), probabilities, p_wrong, labels)
        else:
            true = in_blocks(self._true, probabilities, p_wrong, labels)
            likeliest = true.argmax(axis=1)
            self._fit_estimator(rows, labels, true)
        self.label_issues_ = self._issues(p_wrong, likeliest, labels)
        return self

    def _true(self, probabilities: np.ndarray, p_wrong: np.ndarray, labels: np.ndarray) -> np.ndarray:
        return true_given(p_wrong, self._judgement.clean(probabilities), labels)

    def _check_parameters(self) -> None:
        estimator = self.estimator
        if estimator is not None and (isinstance(estimator, type) or not hasattr(estimator, "fit")):
            raise refusal(self, "estimator", "None or a classifier with fit and predict", estimator)
        check_choice(self, "correction", self.correction, ("auto", *CORRECTIONS))
        if not is_integer(self.cv) or self.cv < 2:
            raise refusal(self, "cv", "an integer >= 2", self.cv)
        check_n_jobs(self, self.n_jobs)
        check_noise_rates(self, self.noise_rates)
        check_noise_estimator(self, self.noise_estimator)
        NoisePrior.of(self, self.noise_prior)
        if estimator is not None:
            choose_correction(self, self.correction, with_probabilities(estimator))

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any, np.ndarray]:
        """Return the rows as the estimator sees them, as the blend does, and the labels."""
        if y is None:
            raise UnflipError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        self._encoder = None
        table = as_table(X) if is_table(X) else None
        if table is not None and not _holds_numbers(table):
            y = column_or_1d(y, warn=True)
            self._encoder = TableEncoder().fit(table, pd.Series(np.asarray(y)))
            self.n_features_in_ = table.shape[1]
            self.feature_names_in_ = np.array([str(name) for name in table.columns], dtype=object)
            matrix = self._encoded(table)
            rows = table if isinstance(self.estimator, Pipeline) else matrix
        else:
            X = X if table is None else table
            matrix = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
            check_consistent_length(matrix, y)
            rows = table if table is not None and isinstance(self.estimator, Pipeline) else matrix
        if matrix.shape[0] < 2:
            raise refusal(self, "X", "two rows or more", f"{matrix.shape[0]} sample")
        return rows, matrix, np.asarray(y)

    def _encoded(self, table: pd.DataFrame) -> Any:
        assert self._encoder is not None
        return check_array(self._encoder.transform(table), accept_sparse="csr", dtype=np.float64, estimator=self)

    def _opinions(self, rows: Any, labels: np.ndarray) -> list[Opinion]:
        seed = seed_of(self.random_state)
        opinions = default_opinions(seed=seed, n_jobs=self.n_jobs, owner=type(self).__name__)
        if self.estimator is None:
            return opinions
        own = CrossFitted(self.estimator, self.cv, seed=seed, n_jobs=self.n_jobs)
        self._own = own.fit(rows, labels, len(self.classes_)).probabilities_
        return [*opinions, GivenProbabilities(self._own, type(self.estimator).__name__)]

    def _judge(self, labels: np.ndarray) -> Judgement:
        if not isinstance(self.noise_rates, str):
            noise = NoiseModel.of(self.noise_rates, self.classes_, owner=self, parameter="noise_rates")
            return KnownNoise(noise.transition_matrix)
        if isinstance(self.noise_estimator, str) and self.noise_estimator == "auto":
            return judge(self._opinion.probabilities_, labels, NoisePrior.of(self, self.noise_prior))
        estimator, raw = make_estimator(self.noise_estimator), neighbors_in(self._opinion, raw=True)
        assert raw is not None
        graph = raw.index_.graph(default_noise_neighbors(len(labels), getattr(estimator, "n_neighbors", None)))
        matrix = estimated_matrix(estimator, graph, labels, len(self.classes_))
        return KnownNoise(correctable(matrix, stacklevel=4))

    def _issues(self, p_wrong: np.ndarray, likeliest: np.ndarray, labels: np.ndarray) -> pd.DataFrame:
        return pd.DataFrame({
            "is_label_issue": p_wrong > 0.5,
            "label_score": 1 - p_wrong,
            "p_wrong": p_wrong,
            "given_label": self.classes_[labels],
            "predicted_label": self.classes_[likeliest],
        })  # fmt: skip

    def _fit_estimator(self, rows: Any, labels: np.ndarray, true: np.ndarray) -> None:
        model = clone(with_probabilities(self.estimator))
        correction = choose_correction(self, self.correction, model)
        self.correction_, self._own_judgement = correction, None
        self.estimator_ = fit_corrected(model, rows, labels, true, correction)
        if correction == "posterior":
            known = isinstance(self._judgement, KnownNoise)
            prior = NoisePrior.of(self, self.noise_prior)
            self._own_judgement = self._judgement if known else judge(self._own, labels, prior)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Estimate the probability of each true label.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        probabilities : ndarray of shape (n_queries, n_classes)
            In the order of ``classes_``.
        """
        check_is_fitted(self)
        rows, matrix = self._new_rows(X)
        if self.estimator_ is None:
            return favor_last(self._judgement.clean(self._opinion.predict(matrix)))
        found = np.zeros((matrix.shape[0], len(self.classes_)))
        found[:, np.asarray(self.estimator_.classes_, dtype=np.intp)] = self.estimator_.predict_proba(rows)
        return found if self._own_judgement is None else favor_last(self._own_judgement.clean(found))

    def predict(self, X: Any) -> np.ndarray:
        """Predict the true labels of rows.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n_queries, n_features)
            Rows.

        Returns
        -------
        y : ndarray of shape (n_queries,)
            Labels.
        """
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def _new_rows(self, X: Any) -> tuple[Any, Any]:
        rows = as_table(X) if is_table(X) else X
        if self._encoder is None:
            matrix = validate_data(self, rows, accept_sparse="csr", dtype=np.float64, reset=False)
        elif is_table(X):
            matrix = self._encoded(rows)
        else:
            raise refusal(self, "X", "a table with the columns of the training rows", type(X).__name__)
        return (rows if is_table(X) and isinstance(self.estimator, Pipeline) else matrix), matrix

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _holds_numbers(table: pd.DataFrame) -> bool:
    """Tell whether all columns are numbers without gaps."""
    return all(dtype.kind in "biuf" for dtype in table.dtypes) and not table.isna().to_numpy().any()
