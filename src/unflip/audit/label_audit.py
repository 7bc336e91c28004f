"""LabelAudit: which labels are probably wrong, why, and what they should be."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from unflip.audit.document import make_document
from unflip.audit.explanation import Reason, explain
from unflip.audit.inputs import check_inputs
from unflip.audit.scoring import Question, find
from unflip.audit.suspects import suspect_table
from unflip.foundation.checks import check_confidence, check_count, check_n_jobs, is_integer, seed_of
from unflip.foundation.errors import refusal
from unflip.foundation.shared_executor import SharedExecutorMixin
from unflip.neighbors.index import check_search
from unflip.noise.transition import NoiseModel, check_noise_rates
from unflip.noise_rates.noise_prior import NoisePrior
from unflip.opinions.choosing import check_model
from unflip.report import to_html, write_html, write_label_studio


class LabelAudit(SharedExecutorMixin, BaseEstimator):
    """Find the labels that are probably wrong, by what several models make of each row without its label.

    Parameters
    ----------
    model : "auto", None or classifier, default="auto"
        Who judges the labels, always out of sample. "auto" blends neighbors, neighbors in a space that the labels
        choose, trees, a linear model and a kernel machine, by the likelihood of the observed labels; None asks the
        neighbors alone; any scikit-learn classifier is fitted in folds and blended with the neighbors. Of more than
        20,000 rows, or fewer wide ones, all but the neighbors learn from a sample, and with more than about 160 classes
        they are not asked; the report says so.
    noise_rates : "estimate", float, dict or array-like, default="estimate"
        How often labels are flipped, if it is known: one rate, {class: rate}, one rate per class in the order of
        ``classes_``, or the matrix ``T[true, observed]``.
    n_neighbors : int or "auto", default="auto"
        How many neighbors are consulted, the nearest weighing most; "auto" chooses from 5 to 200 by the likelihood of
        the observed labels.
    top : int or None, default=None
        How many labels to flag; None flags those that are more likely wrong than right.
    metric : str, callable or ForestSpace, default="euclidean"
        Distance between rows, as in ``RobustKNeighborsClassifier``; with "precomputed", X is a square matrix of
        distances, or a sparse one that stores those of neighbors only, and the neighbors alone are asked.
    algorithm : {"auto", "exact", "approximate"} or object, default="auto"
        How neighbors are searched, as in ``RobustKNeighborsClassifier``.
    executor : None, "joblib", dask.distributed.Client or address, default=None
        Where neighbors are searched; the result does not depend on it.
    encoder : transformer or None, default=None
        Turns rows into numbers between which distances make sense: a ``TableEncoder`` with columns to keep or drop, or
        any scikit-learn transformer. None means ``TableEncoder()`` for tables, and arrays as they are.
    confidence : float, default=0.9
        Of the intervals of the noise rates.
    noise_prior : NoisePrior, "auto", "uniform" or float, default="auto"
        What is believed of the rates beforehand: "auto" that they are mostly low, "uniform" that all are equally
        likely; a number is the share of wrong labels that you expect. Data can override it.
    n_jobs : int or None, default=-1
        Threads; -1 means all cores. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed of the models; None means 0: the same every time.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    rates_ : NoiseRates
        How often labels of each class are wrong, with intervals.
    issues_ : DataFrame
        One row per example in the order given: is_label_issue, label_score (0 to 1, low is suspect), p_wrong,
        given_label, predicted_label (the likeliest true label), n_agree of n_neighbors with the same label.
    weights_ : dict
        How much each opinion weighs, {name: weight}.
    n_neighbors_ : int
        How many neighbors were consulted; 0 if there were no rows, only probabilities.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if X had any.

    See Also
    --------
    find_label_issues : The same as a function that returns ``issues_``.
    estimate_noise_rates : The rates alone.
    RobustKNeighborsClassifier : Trains on such labels.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from unflip import LabelAudit, make_label_noise
    >>> X, y = load_iris(return_X_y=True)
    >>> names = np.array(["setosa", "versicolor", "virginica"])
    >>> noisy = make_label_noise(names[y], 0.1, random_state=0)
    >>> audit = LabelAudit().fit(X, noisy)
    >>> suspects = audit.issues_[audit.issues_["is_label_issue"]]
    >>> worst = suspects["p_wrong"].idxmax()
    >>> print(audit.neighbors_of(worst).sentence)  # doctest: +NORMALIZE_WHITESPACE
    29 of the 30 nearest rows are labeled setosa and none virginica;
    the label virginica is wrong with probability 0.83.
    """

    def __init__(
        self,
        model: Any = "auto",
        *,
        noise_rates: Any = "estimate",
        n_neighbors: int | str = "auto",
        top: int | None = None,
        metric: Any = "euclidean",
        algorithm: Any = "auto",
        executor: Any = None,
        encoder: Any = None,
        confidence: float = 0.9,
        noise_prior: Any = "auto",
        n_jobs: int | None = -1,
        random_state: Any = None,
    ):
        self.model = model
        self.noise_rates = noise_rates
        self.n_neighbors = n_neighbors
        self.top = top
        self.metric = metric
        self.algorithm = algorithm
        self.executor = executor
        self.encoder = encoder
        self.confidence = confidence
        self.noise_prior = noise_prior
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike | None = None, *, pred_probs: ArrayLike | None = None) -> LabelAudit:
        """Score every label.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n_samples, n_features), or None
            Numbers are compared as they are: scale them first. The columns of a table (pandas, polars, Arrow) may be of
            any kind: they are scaled and encoded so that distances make sense, and a missing value is a value of its
            own. ``ParquetShards`` and ``ArrayShards`` are rows in files. None: only pred_probs are used.
        y : array-like of shape (n_samples,)
            Labels, of any type, of two classes or more; None for ``ParquetShards`` that have a label column.
        pred_probs : array-like of shape (n_samples, n_classes) or None, default=None
            Any model's out-of-sample probabilities of each label, in the order of the sorted classes. They are blended
            with the other opinions, with the weight under which the labels are likeliest.

        Returns
        -------
        self : LabelAudit
            With ``issues_`` and ``rates_``.
        """
        return self._fit(X, y, pred_probs)

    def _fit(
        self, X: Any, y: Any, pred_probs: Any = None, progress: Callable[..., None] = lambda name, share=None: None
    ) -> LabelAudit:
        """Fit, and call progress with the name of each opinion as it begins, and with the share of it that is done."""
        self._check_parameters()
        inputs = check_inputs(self, X, y, pred_probs)
        self.classes_ = inputs.classes
        self._findings = find(inputs, self._question(), progress)
        self.rates_, self.n_neighbors_ = self._findings.rates, self._findings.n_neighbors
        self.weights_ = self._findings.weights
        self.issues_ = self._findings.table()
        return self

    def _question(self) -> Question:
        noise = None
        if not isinstance(self.noise_rates, str):
            noise = NoiseModel.of(self.noise_rates, self.classes_, owner=self, parameter="noise_rates")
        return Question(
            model=self.model,
            metric=self.metric,
            algorithm=self.algorithm,
            executor=self.executor,
            n_neighbors=self.n_neighbors,
            noise=noise,
            prior=NoisePrior.of(self, self.noise_prior),
            top=self.top,
            confidence=self.confidence,
            seed=seed_of(self.random_state),
            n_jobs=self.n_jobs,
            owner=type(self).__name__,
        )

    def _check_parameters(self) -> None:
        check_model(self, self.model)
        check_search(self, self.algorithm, self.executor)
        NoisePrior.of(self, self.noise_prior)
        check_count(self, "n_neighbors", self.n_neighbors, auto=True)
        if self.top is not None:
            check_count(self, "top", self.top)
        check_confidence(self, self.confidence)
        check_n_jobs(self, self.n_jobs)
        check_noise_rates(self, self.noise_rates)
        if self.encoder is not None and not (hasattr(self.encoder, "fit") and hasattr(self.encoder, "transform")):
            raise refusal(self, "encoder", "None or a transformer with fit and transform", self.encoder)

    def neighbors_of(self, i: int) -> Reason:
        """Explain why a label is suspected, or not.

        Parameters
        ----------
        i : int
            The row's number, from 0.

        Returns
        -------
        reason : Reason
            With ``sentence`` and ``neighbors``, a table of rows, distances, labels and how likely those are wrong.
        """
        check_is_fitted(self)
        n_rows = len(self._findings.labels)
        if not is_integer(i) or not 0 <= i < n_rows:
            raise refusal(self, "i", f"the number of a row, from 0 to {n_rows - 1}", i)
        if self._findings.graph is None:
            raise refusal(self, "X", "rows, not None, for there to be neighbors", None)
        return explain(self._findings, i)

    def clean_labels(self, confidence: float = 0.9) -> np.ndarray:
        """Return the labels with those changed of which one can be confident that a change improves them.

        Parameters
        ----------
        confidence : float, default=0.9
            How likely, over all that is not known of the noise, a label must be more likely wrong than right. The
            others that are flagged are left as they are, for somebody to look at.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            In the order given.
        """
        check_is_fitted(self)
        check_confidence(self, confidence)
        return self._findings.cleaned(confidence)

    def suspects(self) -> pd.DataFrame:
        """Return the flagged labels, worst first, with row numbers, suggestions and reasons.

        Returns
        -------
        suspects : DataFrame
            Columns row, given_label, suggested_label (the likeliest other one), p_wrong, ..., reason.
        """
        check_is_fitted(self)
        return suspect_table(self._findings, self.issues_)

    def report(self, *, title: str = "labels", label: str = "label", first_row: int = 0) -> dict[str, Any]:
        """Return everything that was found as one document of lists, numbers and texts, ready for JSON.

        Parameters
        ----------
        title : str, default="labels"
            What was audited.
        label : str, default="label"
            The name of the label column.
        first_row : int, default=0
            The number of the first row: 0 as in Python, 1 as people count.

        Returns
        -------
        document : dict
            What ``write_html`` shows and ``unflip review`` works on.
        """
        check_is_fitted(self)
        return make_document(self._findings, title=title, label=label, first_row=first_row)

    def write_html(self, path: str | PathLike[str], *, title: str = "labels", label: str = "label") -> None:
        """Write the report as one HTML file that needs nothing else.

        Parameters
        ----------
        path : str or Path
            The file.
        title : str, default="labels"
            What was audited.
        label : str, default="label"
            The name of the label column.
        """
        write_html(self.report(title=title, label=label), path)

    def to_label_studio(self, path: str | PathLike[str], *, label: str = "label") -> None:
        """Write the suspects as tasks for Label Studio, each with its suggestion as a scored prediction.

        Parameters
        ----------
        path : str or Path
            The file, JSON.
        label : str, default="label"
            The name of the label column.
        """
        write_label_studio(self.report(label=label), path)

    def _repr_html_(self) -> str:
        """Show the report in a notebook; before fit, the parameters."""
        if not hasattr(self, "issues_"):
            return f"<pre>{escape(repr(self))}</pre>"
        return f'<iframe srcdoc="{escape(to_html(self.report()))}" width="100%" height="700" frameborder="0"></iframe>'

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.metric, str) and self.metric == "precomputed"
        tags.target_tags.required = True
        return tags
