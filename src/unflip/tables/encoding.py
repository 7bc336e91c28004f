"""Columns of any kind as numbers: a full range of one column weighs as much as another category of another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

MOST_CATEGORIES = 50
MISMATCH = np.sqrt(0.5)  # two one-hot columns that differ are 1 apart
CORE = (0.01, 0.99)  # the quantiles between which a number's full range lies: outliers do not decide it


@dataclass(frozen=True, eq=False)
class Encoding:
    """The numbers, and what became of each column.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_numbers)
        No missing values.
    used : list of str
        The columns in it.
    left_out : dict
        The others, {column: why}.
    """

    matrix: np.ndarray
    used: list[str]
    left_out: dict[str, str]


def encode(columns, labels=None):
    """Turn the columns of a table into numbers between which distances make sense.

    Numbers and dates are scaled by their range without outliers, categories become one column each, and a missing value
    is a case of its own. Columns that tell the row (identifiers) or the label (its twins) are left out and named.

    Parameters
    ----------
    columns : DataFrame
        One row per example.
    labels : Series or None, default=None
        The labels, to notice columns that merely repeat them.

    Returns
    -------
    encoding : Encoding
        The numbers, and the columns used and left out.
    """
    blocks, used, left_out = [], [], {}
    for position, name in enumerate(columns.columns):
        values = columns.iloc[:, position]
        reason = _reason_to_leave_out(values, labels)
        if reason:
            left_out[str(name)] = reason
            continue
        blocks.append(_encoded(values))
        used.append(str(name))
    if not blocks:
        why = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
        raise ValueError(f"No column is left to compare rows by ({why}).")
    return Encoding(np.hstack(blocks), used, left_out)


def _reason_to_leave_out(values, labels):
    n_values = values.nunique()
    if n_values == 0:
        return "empty"
    if n_values == 1 and not values.isna().any():
        return "the same everywhere"
    if labels is not None and _is_twin(values, labels):
        return "repeats the label"
    if _is_number(values):
        steps = np.diff(values.to_numpy(dtype=float, na_value=np.nan))
        if len(steps) > 2 and n_values == len(values) and (steps == 1).all():
            return "numbers the rows"
    elif n_values > max(MOST_CATEGORIES, len(values) // 2):
        return f"{n_values} different texts, as identifiers have"
    return None


def _is_twin(values, labels):
    """Tell whether each value goes with one label only, and each label with one value."""
    pairs = pd.DataFrame({"value": values.astype(str).to_numpy(), "label": labels.astype(str).to_numpy()})
    n_pairs = len(pairs.drop_duplicates())
    return n_pairs == pairs["value"].nunique() == pairs["label"].nunique()


def _is_number(values):
    types = pd.api.types
    return (
        types.is_numeric_dtype(values) and not types.is_bool_dtype(values)
    ) or types.is_datetime64_any_dtype(values)  # fmt: skip


def _encoded(values):
    missing = values.isna().to_numpy()
    block = _scaled(values, missing) if _is_number(values) else _one_hot(values, missing)
    if missing.any():
        block = np.column_stack([block, MISMATCH * missing])
    return block


def _scaled(values, missing):
    if pd.api.types.is_datetime64_any_dtype(values):
        values = values.dt.tz_localize(None).astype("datetime64[us]").astype("int64")
    numbers = values.to_numpy(dtype=float, na_value=np.nan)
    numbers = np.where(missing | ~np.isfinite(numbers), np.nan, numbers)
    low, high = np.nanquantile(numbers, CORE)
    if low == high:
        low, high = np.nanmin(numbers), np.nanmax(numbers)
    scaled = (numbers - low) / (high - low or 1.0)
    return np.where(np.isnan(numbers), 0.5, scaled)[:, None]


def _one_hot(values, missing):
    """Return a column for each of the most common categories; the rest share none of them."""
    texts = values.astype(str).to_numpy()
    common = pd.Series(texts[~missing]).value_counts().index[:MOST_CATEGORIES]
    return MISMATCH * np.column_stack([(texts == category) & ~missing for category in sorted(common)])
