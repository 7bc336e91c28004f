"""An order of rows that depends on what they hold: what is drawn in that order does not depend on where rows are."""

from __future__ import annotations

from typing import Any

import numpy as np

from unflip.foundation.row_hashes import row_hashes


def content_order(X: Any, labels: np.ndarray) -> np.ndarray:
    """Return the places of the rows, sorted by a hash of their contents and by label."""
    return np.lexsort((labels, row_hashes(X)))


def put_back(values: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return values of rows in that order, in the order the rows were given.

    >>> order = np.array([2, 0, 1])
    >>> put_back(np.array(["a", "b", "c"])[order], order)
    array(['a', 'b', 'c'], dtype='<U1')
    """
    back = np.empty_like(values)
    back[order] = values
    return back
