"""LabelAudit: which labels are probably wrong, why, and what they should be."""

from __future__ import annotations

from numbers import Real

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from unflip.audit.inputs import check_inputs
from unflip.audit.known_rates import counted_rates, given_rates
from unflip.audit.reasons import Reason
from unflip.audit.reporting import ReportingMixin
from unflip.audit.scoring import score, score_carefully, worst
from unflip.audit.shares import ROWS_TO_CHOOSE_BY, WIDTHS, blocks, choose_weight, choose_width, joined, neighbor_shares
from unflip.audit.suspects import reason_of
from unflip.decision import usable
from unflip.neighbors import ExactIndex
from unflip.neighbors.graph import NOBODY
from unflip.noise_model import ACCEPTED, NoiseModel
from unflip.noise_rates.estimation import DEPTH, rates_from_graph
from unflip.validation import check_count, generator, is_integer, refusal
from unflip.votes import own_label_votes


class LabelAudit(ReportingMixin, BaseEstimator):
    """Find the labels that are probably wrong, by what the neighbors of each row are labeled.

    Parameters
    ----------
    noise_rates : "estimate", float, dict or array-like, default="estimate"
        How often labels are flipped, where it is known: one rate, {class: rate}, one rate per class in the order of
        ``classes_``, or the matrix ``T[true, observed]``.
    n_neighbors : int or "auto", default="auto"
        How many neighbors are asked, the nearest weighing most; "auto" chooses from 5 to 200 by the likelihood of the
        observed labels.
    top : int or None, default=None
        How many labels to flag; None flags as many as the noise rates expect to be wrong.
    metric : str, default="euclidean"
        Distance between rows, as in ``RobustKNeighborsClassifier``.
    encoder : TableEncoder or None, default=None
        Names columns of a table that are to be kept or dropped.
    confidence : float, default=0.9
        Of the intervals of the noise rates.
    n_jobs : int or None, default=-1
        Threads of the search for neighbors; -1 means all.
    random_state : int, RandomState instance or None, default=None
        Resamples rows where rates are counted from ``pred_probs``; nothing else is random.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    rates_ : NoiseRates
        How often labels of each class are wrong, with intervals.
    issues_ : DataFrame
        One row per example in the order given: is_label_issue, label_score (0 to 1, low is suspect), p_wrong,
        given_label, predicted_label (the likeliest true label), n_agree of n_neighbors with the same label.
    n_neighbors_ : int
        How many neighbors were asked; 0 where there were no rows, only probabilities.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, where X had any.

    See Also
    --------
    find_label_issues : The same as a function that returns ``issues_``.
    estimate_noise_rates : The rates alone.
    RobustKNeighborsClassifier : Learns from such labels.

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
    19 of 20 nearest rows are labeled setosa, 0 are labeled versicolor;
    at your noise rates the label versicolor is wrong with probability 0.97.
    """

    def __init__(
        self,
        noise_rates="estimate",
        *,
        n_neighbors="auto",
        top=None,
        metric="euclidean",
        encoder=None,
        confidence=0.9,
        n_jobs=-1,
        random_state=None,
    ):
        self.noise_rates = noise_rates
        self.n_neighbors = n_neighbors
        self.top = top
        self.metric = metric
        self.encoder = encoder
        self.confidence = confidence
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, *, pred_probs=None):
        """Score every label.

        Parameters
        ----------
        X : array-like, sparse matrix or table of shape (n_samples, n_features), or None
            Numbers are compared as they are: scale them first. The columns of a table (pandas, polars, Arrow) may be of
            any kind: they are scaled and encoded so that distances make sense, and a missing value is a case of its
            own. None: only pred_probs are asked.
        y : array-like of shape (n_samples,)
            Labels, of any type, of two classes or more.
        pred_probs : array-like of shape (n_samples, n_classes) or None, default=None
            Any model's probabilities of each label, in the order of the sorted classes, predicted for rows it was not
            trained on. They join the neighbors with the weight under which the labels are likeliest.

        Returns
        -------
        self : LabelAudit
            With ``issues_`` and ``rates_``.
        """
        self._check_parameters()
        self._inputs = given = check_inputs(self, X, y, pred_probs)
        self.classes_ = given.classes
        self._graph, self.n_neighbors_ = None, 0
        if given.matrix is not None:
            self._search(ExactIndex(self.metric, None, self.n_jobs).fit(given.matrix))
        self.rates_ = self._rates()
        self._scores = self._score(usable(self.rates_.transition_matrix))
        self.issues_ = self._issues()
        return self

    def _check_parameters(self):
        check_count(self, "n_neighbors", self.n_neighbors, auto=True)
        if self.top is not None:
            check_count(self, "top", self.top)
        if not isinstance(self.confidence, Real) or not 0 < self.confidence < 1:
            raise refusal(self, "confidence", "a number between 0 and 1", self.confidence)
        if isinstance(self.noise_rates, str) and self.noise_rates != "estimate":
            raise refusal(self, "noise_rates", f'"estimate", {ACCEPTED}', self.noise_rates)

    def _search(self, index):
        """Choose how many neighbors to ask, by some rows where there are many, and find those of all."""
        labels, n_rows = self._inputs.labels, len(self._inputs.labels)
        if self.n_neighbors != "auto":
            self.n_neighbors_ = min(self.n_neighbors, n_rows - 1)
            self._graph = index.graph(max(DEPTH, self.n_neighbors_))
            return
        rows, many = np.arange(n_rows), n_rows > 4 * ROWS_TO_CHOOSE_BY
        if many:
            rows = np.sort(np.random.RandomState(0).permutation(n_rows)[:ROWS_TO_CHOOSE_BY])
        near = index.graph(WIDTHS[-1], rows)
        self.n_neighbors_ = choose_width(near, labels, len(self.classes_), WIDTHS, rows)
        depth = max(DEPTH, self.n_neighbors_)
        self._graph = index.graph(depth) if many else near.first(depth)

    def _rates(self):
        given = self._inputs
        if not isinstance(self.noise_rates, str):
            noise = NoiseModel.of(self.noise_rates, self.classes_, owner=self, parameter="noise_rates")
            return given_rates(noise, given.labels, self.confidence)
        if self._graph is None:
            random = generator(self.random_state)
            return counted_rates(given.pred_probs, self.classes_, given.labels, self.confidence, random)
        return rates_from_graph(
            self._graph.first(DEPTH), self.classes_, given.labels, confidence=self.confidence, compared=False
        )

    def _score(self, transition_matrix):
        """Return the scores of all labels, a block of rows at a time."""
        labels, pred_probs = self._inputs.labels, self._inputs.pred_probs
        weight = self._weight_of_model()
        judge = score_carefully if len(self.classes_) > 2 and isinstance(self.noise_rates, str) else score
        parts = []
        for block in blocks(len(labels)):
            shares = self._neighbor_shares(block) if weight < 1 else pred_probs[block]
            if weight > 0:
                shares = joined(shares, pred_probs[block], weight)
            parts.append(judge(shares, labels[block], transition_matrix))
        return type(parts[0])(*map(np.concatenate, zip(*parts, strict=True)))

    def _neighbor_shares(self, block):
        return neighbor_shares(self._graph, self._inputs.labels, len(self.classes_), self.n_neighbors_, block)

    def _weight_of_model(self):
        """Return how much pred_probs weigh beside the neighbors."""
        labels, pred_probs = self._inputs.labels, self._inputs.pred_probs
        if pred_probs is None:
            return 0.0
        if self._graph is None:
            return 1.0
        own = [
            self._neighbor_shares(block)[np.arange(len(labels[block])), labels[block]] for block in blocks(len(labels))
        ]
        return choose_weight(np.concatenate(own), pred_probs[np.arange(len(labels)), labels])

    def _issues(self):
        labels, (p_wrong, alternative) = self._inputs.labels, self._scores
        expected = round(self.rates_.share_wrong * len(labels))
        n_agree = np.zeros(len(labels), dtype=int)
        n_neighbors = n_agree
        if self._graph is not None:
            agree, exist = own_label_votes(self._graph.first(self.n_neighbors_), labels, [self.n_neighbors_])
            n_agree, n_neighbors = agree[:, 0].astype(int), exist[:, 0].astype(int)
        columns = {
            "is_label_issue": worst(p_wrong, expected if self.top is None else self.top),
            "label_score": 1 - p_wrong,
            "p_wrong": p_wrong,
            "given_label": self.classes_[labels],
            "predicted_label": self.classes_[np.where(p_wrong > 0.5, alternative, labels)],
            "n_agree": n_agree,
            "n_neighbors": n_neighbors,
        }
        table = self._inputs.table
        return pd.DataFrame(columns, index=None if table is None else table.index)

    def neighbors_of(self, i):
        """Tell why a label is suspected, or not.

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
        n_rows = len(self._inputs.labels)
        if not is_integer(i) or not 0 <= i < n_rows:
            raise refusal(self, "i", f"the number of a row, from 0 to {n_rows - 1}", i)
        if self._graph is None:
            raise refusal(self, "X", "rows, not None, for there to be neighbors", None)
        p_wrong, alternative = self._scores
        labels, near = self._inputs.labels, self._neighbor_rows(i)
        given, other = self.classes_[labels[i]], self.classes_[alternative[i]]
        return Reason(
            row=int(i),
            given_label=given,
            predicted_label=other if p_wrong[i] > 0.5 else given,
            p_wrong=float(p_wrong[i]),
            sentence=reason_of(self, i)[1],
            neighbors=pd.DataFrame(
                {
                    "row": near,
                    "distance": self._neighbor_distances(i),
                    "label": self.classes_[labels[near]],
                    "p_wrong": p_wrong[near],
                }
            ),
        )

    def _neighbor_rows(self, i):
        """Return the row numbers of the neighbors that are asked about a row, nearest first."""
        if self._graph is None:
            return np.empty(0, dtype=np.int32)
        near = self._graph.indices[i, : self.n_neighbors_]
        return near[near != NOBODY]

    def _neighbor_distances(self, i):
        """Return their distances."""
        return [] if self._graph is None else self._graph.distances[i, : len(self._neighbor_rows(i))]

    def clean_labels(self):
        """Return the labels with those changed that are flagged and more likely wrong than right.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            In the order given.
        """
        check_is_fitted(self)
        labels, (p_wrong, alternative) = self._inputs.labels, self._scores
        changed = self.issues_["is_label_issue"].to_numpy() & (p_wrong > 0.5)
        return self.classes_[np.where(changed, alternative, labels)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags
