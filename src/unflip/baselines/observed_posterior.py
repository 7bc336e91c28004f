"""P(observed label is the second class | x) at the rows that were observed, by four methods."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import pairwise_distances_chunked
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unflip.baselines.density_ratio import WIDTHS, density_ratio, gaussian, typical_distance
from unflip.classifier.selection import default_noise_neighbors
from unflip.foundation.checks import generator
from unflip.voting.votes import prefix_votes, vote_shares


def observed_posterior(X, labels, method="kliep", *, graph=None, width="auto", random_state=None):
    """Estimate P(observed label = 1 | x) at every row.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n_rows, n_features)
        Rows.
    labels : ndarray of int
        Observed class numbers 0 and 1.
    method : {"kliep", "logistic", "neighbors", "kde"}, default="kliep"
        Ratios of densities; logistic regression on standardized columns; shares of votes among neighbors; or kernel
        density estimates of both classes. The last two leave a row's own label out.
    graph : NeighborGraph or None, default=None
        Of the rows, for "neighbors".
    width : float or "auto", default="auto"
        Of the kernels of "kliep" and "kde"; "auto" is chosen by the likelihood of what was left out.
    random_state : int, RandomState instance or None, default=None
        For "kliep" and "kde", whose centers or scale come from a sample of rows.

    Returns
    -------
    posterior : ndarray of shape (n_rows,)
        Probabilities; where a method sees nothing of either class, the frequency of label 1.

    Examples
    --------
    >>> X = np.arange(6.0)[:, None]
    >>> observed_posterior(X, np.array([0, 0, 0, 1, 1, 1]), "kde", width=1.0).round(2)
    array([0.02, 0.11, 0.5 , 0.5 , 0.89, 0.98])
    """
    return POSTERIORS[method](X, labels, graph, width, generator(random_state))


def _by_density_ratios(X, labels, graph, width, random):
    joint = [density_ratio(X, labels == c, width=width, random_state=random) * np.mean(labels == c) for c in range(2)]
    return _share_of_second(np.column_stack(joint), labels)


def _by_regression(X, labels, graph, width, random):
    model = make_pipeline(StandardScaler(with_mean=False), LogisticRegression(max_iter=1000))
    return model.fit(X, labels).predict_proba(X)[:, 1]


def _by_neighbors(X, labels, graph, width, random):
    votes = prefix_votes(graph, labels, 2, [default_noise_neighbors(len(labels))])
    return vote_shares(votes)[:, 0, 1]


def _by_kernel_density(X, labels, graph, width, random):
    widths = [width] if not isinstance(width, str) else np.array(WIDTHS) * typical_distance(X, random)
    sums = left_out_kernel_sums(X, labels, widths)
    posteriors = [_share_of_second(sums[:, place], labels) for place in range(len(widths))]
    likelihoods = [np.log(np.maximum(np.where(labels == 1, p, 1 - p), 1e-12)).sum() for p in posteriors]
    return posteriors[int(np.argmax(likelihoods))]


POSTERIORS = {
    "kliep": _by_density_ratios,
    "logistic": _by_regression,
    "neighbors": _by_neighbors,
    "kde": _by_kernel_density,
}


def left_out_kernel_sums(X, labels, widths):
    """Return the sums of Gaussian kernels over the other rows of each class, (n_rows, n_widths, 2).

    With one width for both classes they are in the ratio of density times frequency: all that Bayes' rule asks.
    """
    members = np.column_stack([labels == 0, labels == 1]).astype(float)

    def sums(squares, start):
        own = np.arange(len(squares))
        squares[own, start + own] = np.inf
        return np.stack([gaussian(squares, width) @ members for width in widths], axis=1)

    return np.concatenate(list(pairwise_distances_chunked(X, squared=True, reduce_func=sums)))


def _share_of_second(joint, labels):
    total = joint.sum(axis=1)
    return np.divide(joint[:, 1], total, out=np.full(len(total), labels.mean()), where=total > 0)
