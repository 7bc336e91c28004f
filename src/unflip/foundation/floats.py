"""Rows as floating-point numbers, in the precision in which they came."""

from __future__ import annotations

from typing import Any

import numpy as np

FLOAT_TYPES = (np.float64, np.float32)  # what check_array leaves as it is; the first is what it makes of others


def at_least_single(X: Any) -> Any:
    """Return rows of float16, which hardly any library computes with, as float32, and any others as they are.

    >>> at_least_single(np.ones((1, 1), np.float16)).dtype
    dtype('float32')
    """
    return X.astype(np.float32) if getattr(X, "dtype", None) == np.float16 else X
