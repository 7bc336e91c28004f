"""What P(observed label | x) says of the true labels: rates, how likely each label is wrong, and P(true label | x).

Everything that is not known of the noise is averaged over: of two classes by the posterior of both rates, of more by
several transition matrices that are equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from unflip.noise.posterior import invertible_or_identity, project_to_simplex
from unflip.noise.transition import NoiseModel
from unflip.noise_rates.class_posterior import ClassPosterior, shortest_interval
from unflip.noise_rates.known_noise import MANY_CLASSES, KnownNoise, by_columns, wrong_by_matrix
from unflip.noise_rates.many_rates import likely_matrices
from unflip.noise_rates.noise_prior import NoisePrior
from unflip.opinions.rowwise import Probabilities, in_blocks


class Judgement(Protocol):
    """What an opinion of the observed labels says of the true ones."""

    @property
    def transition_matrix(self) -> np.ndarray:
        """The posterior mean of ``T[true, observed]``."""

    def p_wrong(self, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
        """Return how likely each label is wrong, given P(observed label | x) and class numbers."""

    def p_better_changed(self, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
        """Return how likely, over all that is not known of the noise, a label is more likely wrong than right."""

    def wrong_and_better_changed(
        self, probabilities: Probabilities, labels: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return ``p_wrong`` and ``p_better_changed``, in the time of one of them."""

    def clean(self, probabilities: np.ndarray) -> np.ndarray:
        """Return P(true label | x) from P(observed label | x), rows summing to 1."""


class EstimatedJudgement(Judgement, Protocol):
    """A judgement that also says how uncertain the rates are."""

    def intervals(self, confidence: float) -> np.ndarray:
        """Return the shortest interval of each class's flip rate, (n_classes, 2)."""

    def share_wrong(self, confidence: float) -> tuple[float, float, float]:
        """Return the share of all labels that are wrong: its posterior mean, and the ends of an interval."""


def judge(probabilities: Probabilities, labels: np.ndarray, prior: NoisePrior | None = None) -> EstimatedJudgement:
    """Judge labels by an opinion.

    Parameters
    ----------
    probabilities : ndarray or RowwiseProbabilities of shape (n_rows, n_classes)
        P(observed label | x), out of sample.
    labels : ndarray of int of shape (n_rows,)
        Observed class numbers.
    prior : NoisePrior or None, default=None
        What is believed of the rates beforehand; None means ``NoisePrior()``.
    """
    prior = NoisePrior() if prior is None else prior
    if probabilities.shape[1] == 2:
        return TwoClasses(ClassPosterior.of(_of_second(probabilities), labels == 1, prior))
    observed = np.bincount(labels, minlength=probabilities.shape[1]) / len(labels)
    return ManyClasses(likely_matrices(probabilities, labels, prior), observed)


@dataclass(frozen=True, eq=False)
class TwoClasses:
    """The judgement by the posterior of the second class against the first."""

    posterior: ClassPosterior

    @property
    def transition_matrix(self) -> np.ndarray:
        """The posterior mean of ``T[true, observed]``."""
        minus, plus = self.posterior.means
        return np.array([[1 - minus, minus], [plus, 1 - plus]])

    def intervals(self, confidence: float) -> np.ndarray:
        """Return the shortest interval of each class's flip rate, (2, 2)."""
        return self.posterior.intervals(confidence)

    def share_wrong(self, confidence: float) -> tuple[float, float, float]:
        """Return the share of all labels that are wrong: its posterior mean, and the ends of an interval."""
        shares, weights = self.posterior.wrong_share
        return float(shares @ weights), *shortest_interval(shares, weights, confidence)

    def p_wrong(self, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
        """Return how likely each label is wrong."""
        return self._of_labels(probabilities, labels, self.posterior.wrong_positive, self.posterior.wrong_negative)

    def p_better_changed(self, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
        """Return how likely, over all that is not known of the noise, a label is more likely wrong than right."""
        return self._of_labels(probabilities, labels, self.posterior.sure_positive, self.posterior.sure_negative)

    def wrong_and_better_changed(
        self, probabilities: Probabilities, labels: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return ``p_wrong`` and ``p_better_changed``."""
        return self.p_wrong(probabilities, labels), self.p_better_changed(probabilities, labels)

    def _of_labels(
        self, probabilities: Probabilities, labels: np.ndarray, positive: np.ndarray, negative: np.ndarray
    ) -> np.ndarray:
        shares = _of_second(probabilities)
        return np.where(labels == 1, self.posterior.at(shares, positive), self.posterior.at(shares, negative))

    def clean(self, probabilities: np.ndarray) -> np.ndarray:
        """Return P(true label | x) from P(observed label | x), rows summing to 1."""
        positive = self.posterior.at(probabilities[:, 1], self.posterior.clean)
        return np.column_stack([1 - positive, positive])


@dataclass(frozen=True, eq=False)
class ManyClasses:
    """The judgement by matrices that are equally likely.

    Parameters
    ----------
    matrices : ndarray of shape (n_matrices, n_classes, n_classes)
        Each is a ``T[true, observed]``.
    observed : ndarray of shape (n_classes,)
        Frequencies of the observed classes.
    """

    matrices: np.ndarray
    observed: np.ndarray

    @property
    def transition_matrix(self) -> np.ndarray:
        """The posterior mean of ``T[true, observed]``."""
        return self.matrices.mean(axis=0)

    def intervals(self, confidence: float) -> np.ndarray:
        """Return the shortest interval of each class's flip rate, (n_classes, 2)."""
        rates = 1 - np.diagonal(self.matrices, axis1=1, axis2=2)
        return np.array([shortest_interval(of_class, np.ones(len(of_class)), confidence) for of_class in rates.T])

    def share_wrong(self, confidence: float) -> tuple[float, float, float]:
        """Return the share of all labels that are wrong: its posterior mean, and the ends of an interval."""
        shares = []
        for known in self._known:
            noise = NoiseModel(np.arange(len(self.observed)), known.transition_matrix)
            shares.append(noise.rates @ noise.clean_prior(self.observed))
        return float(np.mean(shares)), *shortest_interval(np.array(shares), np.ones(len(shares)), confidence)

    def p_wrong(self, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
        """Return how likely each label is wrong."""
        return np.mean(self._wrong_by_matrix(probabilities, labels), axis=0)

    def p_better_changed(self, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
        """Return how likely, over all that is not known of the noise, a label is more likely wrong than right."""
        return self.wrong_and_better_changed(probabilities, labels)[1]

    def wrong_and_better_changed(
        self, probabilities: Probabilities, labels: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return ``p_wrong`` and ``p_better_changed``, in the time of one of them."""
        by_matrix = self._wrong_by_matrix(probabilities, labels)
        return np.mean(by_matrix, axis=0), np.mean(by_matrix > 0.5, axis=0)

    def _wrong_by_matrix(self, probabilities: Probabilities, labels: np.ndarray) -> np.ndarray:
        """Return how likely each label is wrong under each matrix, (n_matrices, n_rows)."""
        if by_columns(probabilities):
            return wrong_by_matrix(np.array([each.transition_matrix for each in self._known]), probabilities, labels).T
        return np.array([each.p_wrong(probabilities, labels) for each in self._known])

    def clean(self, probabilities: np.ndarray) -> np.ndarray:
        """Return P(true label | x) from P(observed label | x), rows summing to 1.

        Of many classes the average over matrices is taken first, and brought into [0, 1] once.
        """
        if probabilities.shape[1] > MANY_CLASSES:
            return project_to_simplex(probabilities @ self._mean_inverse)
        return np.mean([each.clean(probabilities) for each in self._known], axis=0)

    @cached_property
    def _mean_inverse(self) -> np.ndarray:
        return np.mean([np.linalg.inv(each.transition_matrix) for each in self._known], axis=0)

    @cached_property
    def _known(self) -> list[KnownNoise]:
        return [KnownNoise(invertible_or_identity(matrix)) for matrix in self.matrices]


def _of_second(probabilities: Probabilities) -> np.ndarray:
    return in_blocks(lambda some: some[:, 1], probabilities)
