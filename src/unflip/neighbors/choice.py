"""The rule by which ``algorithm="auto"`` picks a way to search, from sizes, metric and memory alone."""

from __future__ import annotations

from typing import Any

from scipy import sparse

from unflip.foundation.memory import available_bytes
from unflip.neighbors.metrics import resolve_metric
from unflip.neighbors.shards import is_sharded

# Rows squared times columns: below, exact search takes about a minute on two cores even if nothing can be ruled out.
EXACT_WORK = 2e12
BYTES_PER_VALUE = 24  # that an exact engine takes
MOST_OF_MEMORY = 0.5


def choose_algorithm(X: Any, metric: Any, metric_params: dict | None = None, owner: object = "unflip") -> str:
    """Return "exact", "exact in pieces" or "approximate".

    Parameters
    ----------
    X : array, CSR matrix or Shards
        The rows to be searched.
    metric : str or callable
        The metric.
    metric_params : dict or None, default=None
        Its parameters.
    owner : object, default="unflip"
        Whom error messages name.

    Notes
    -----
    Exact, unless rows squared times columns exceed ``EXACT_WORK``, the rows are dense and the metric is euclidean or
    cosine: then approximate. In pieces, with the exact answer, where rows are in shards or an exact engine would take
    more than half of the memory that is left.
    """
    if is_sharded(X):
        return "exact in pieces"
    n_rows, n_columns = X.shape
    resolved = resolve_metric(metric, metric_params, owner=owner)
    if sparse.issparse(X) or resolved.space != "squared":
        return "exact"
    if n_rows**2 * n_columns > EXACT_WORK:
        return "approximate"
    left = available_bytes()
    needed = BYTES_PER_VALUE * n_rows * n_columns
    return "exact in pieces" if left is not None and needed > MOST_OF_MEMORY * left else "exact"
