"""P(observed label = 1 | x) at the training rows, by four methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.random import RandomState
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import pairwise_distances_chunked
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unflip.baselines.density_ratio import RELATIVE_WIDTHS, density_ratio, gaussian_kernel, median_distance
from unflip.classifier.selection import default_noise_neighbors
from unflip.foundation.checks import generator
from unflip.neighbors import NeighborGraph
from unflip.voting.votes import prefix_votes, vote_shares


def observed_posterior(
    X: Any,
    labels: np.ndarray,
    method: str = "kliep",
    *,
    graph: NeighborGraph | None = None,
    width: float | str = "auto",
    random_state: Any = None,
) -> np.ndarray:
    """Estimate P(observed label = 1 | x) at every row.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_rows, n_features)
        Rows.
    labels : ndarray of int
        Observed class numbers 0 and 1.
    method : {"kliep", "logistic", "neighbors", "kde"}, default="kliep"
        Density ratios; logistic regression on standardized columns; vote shares of neighbors; or kernel density
        estimates of both classes. The last two leave out a row's own label.
    graph : NeighborGraph or None, default=None
        Neighbors of the rows, for "neighbors".
    width : float or "auto", default="auto"
        Kernel width of "kliep" and "kde"; "auto" maximizes the held-out likelihood.
    random_state : int, RandomState instance or None, default=None
        For "kliep" and "kde", which sample rows for their centers or scale.

    Returns
    -------
    posterior : ndarray of shape (n_rows,)
        Probabilities; the frequency of label 1 where no kernel of either class reaches the row.

    Examples
    --------
    >>> X = np.arange(6.0)[:, None]
    >>> observed_posterior(X, np.array([0, 0, 0, 1, 1, 1]), "kde", width=1.0).round(2)
    array([0.02, 0.11, 0.5 , 0.5 , 0.89, 0.98])
    """
    return POSTERIORS[method](X, labels, graph, width, generator(random_state))


def _by_density_ratios(X: Any, labels: np.ndarray, graph: Any, width: Any, random: RandomState) -> np.ndarray:
    joint = [density_ratio(X, labels == c, width=width, random_state=random) * np.mean(labels == c) for c in range(2)]
    return _share_of_second(np.column_stack(joint), labels)


def _by_regression(X: Any, labels: np.ndarray, graph: Any, width: Any, random: RandomState) -> np.ndarray:
    model = make_pipeline(StandardScaler(with_mean=False), LogisticRegression(max_iter=1000))
    return model.fit(X, labels).predict_proba(X)[:, 1]


def _by_neighbors(X: Any, labels: np.ndarray, graph: Any, width: Any, random: RandomState) -> np.ndarray:
    votes = prefix_votes(graph, labels, 2, [default_noise_neighbors(len(labels))])
    return vote_shares(votes)[:, 0, 1]


def _by_kernel_density(X: Any, labels: np.ndarray, graph: Any, width: Any, random: RandomState) -> np.ndarray:
    widths = [width] if not isinstance(width, str) else np.array(RELATIVE_WIDTHS) * median_distance(X, random)
    sums = leave_one_out_kernel_sums(X, labels, widths)
    posteriors = [_share_of_second(sums[:, column], labels) for column in range(len(widths))]
    likelihoods = [np.log(np.maximum(np.where(labels == 1, p, 1 - p), 1e-12)).sum() for p in posteriors]
    return posteriors[int(np.argmax(likelihoods))]


POSTERIORS: dict[str, Callable[..., np.ndarray]] = {
    "kliep": _by_density_ratios,
    "logistic": _by_regression,
    "neighbors": _by_neighbors,
    "kde": _by_kernel_density,
}


def leave_one_out_kernel_sums(X: Any, labels: np.ndarray, widths: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the sums of Gaussian kernels over the other rows of each class, (n_rows, n_widths, 2).

    With one width for both classes, they are proportional to density times frequency, which is all Bayes' rule needs.
    """
    members = np.column_stack([labels == 0, labels == 1]).astype(float)

    def sums(squared_distances: np.ndarray, start: int) -> np.ndarray:
        own = np.arange(len(squared_distances))
        squared_distances[own, start + own] = np.inf
        return np.stack([gaussian_kernel(squared_distances, width) @ members for width in widths], axis=1)

    return np.concatenate(list(pairwise_distances_chunked(X, squared=True, reduce_func=sums)))


def _share_of_second(joint: np.ndarray, labels: np.ndarray) -> np.ndarray:
    total = joint.sum(axis=1)
    return np.divide(joint[:, 1], total, out=np.full(len(total), labels.mean()), where=total > 0)
