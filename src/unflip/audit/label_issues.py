"""find_label_issues: an audit as one function call."""

from __future__ import annotations

from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from unflip.audit.label_audit import LabelAudit


def find_label_issues(
    X: Any,
    y: ArrayLike,
    *,
    model: Any = "auto",
    noise_rates: Any = "estimate",
    n_neighbors: int | str = "auto",
    top: int | None = None,
    pred_probs: ArrayLike | None = None,
) -> pd.DataFrame:
    """Find the labels that are probably wrong.

    Parameters
    ----------
    X : array-like, sparse matrix or table of shape (n_samples, n_features), or None
        Rows. Numbers are compared as they are; the columns of a table (pandas, polars, Arrow) are scaled and encoded.
        None: only pred_probs are used.
    y : array-like of shape (n_samples,)
        Labels, of any type.
    model : "auto", None or classifier, default="auto"
        Who judges the labels: a blend of models, the neighbors alone, or a classifier beside them.
    noise_rates : "estimate", float, dict or array-like, default="estimate"
        How often labels are flipped, if it is known.
    n_neighbors : int or "auto", default="auto"
        How many neighbors are consulted.
    top : int or None, default=None
        How many labels to flag; None flags those that are more likely wrong than right.
    pred_probs : array-like of shape (n_samples, n_classes) or None, default=None
        Any model's out-of-sample probabilities, to be blended with the other opinions.

    Returns
    -------
    issues : DataFrame
        One row per example in the order given: is_label_issue, label_score (0 to 1, low is suspect), p_wrong,
        given_label, predicted_label, n_agree and n_neighbors.

    See Also
    --------
    LabelAudit : Also explains, and writes reports.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from unflip import find_label_issues, make_label_noise
    >>> X, y = load_digits(return_X_y=True)
    >>> noisy = make_label_noise(y, 0.1, random_state=0)
    >>> issues = find_label_issues(X, noisy)
    >>> found = issues["is_label_issue"].to_numpy()
    >>> print(f"{found.sum()} flagged, {(found & (noisy != y)).sum()} of them are among the {(noisy != y).sum()} flips")
    171 flagged, 170 of them are among the 211 flips
    """
    audit = LabelAudit(model, noise_rates=noise_rates, n_neighbors=n_neighbors, top=top)
    return audit.fit(X, y, pred_probs=pred_probs).issues_
