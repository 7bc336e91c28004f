"""Columns left out of distances: they identify the row, repeat the label, or carry no information."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from unflip.tables.columns import Column
from unflip.tables.scales import MAX_CATEGORIES

IDENTIFIER = re.compile(r"(^|[\W_])(id|uuid|guid|index|idx|rownames?)$", re.IGNORECASE)
UNNAMED = re.compile(r"^unnamed: \d+_*$", re.IGNORECASE)
CAMEL_IDENTIFIER = re.compile(r"[a-z0-9](Id|ID)$")
MIN_FREE_TEXT_LENGTH = 30  # characters, on average
MIN_AGREEMENT = 0.99  # of all rows, for a column that repeats the label
MIN_CLASS_AGREEMENT = (
    0.95  # of the rows of each value and of each label: a useful column may fit a rare class less well
)
UNUSABLE = ("empty", "nested values, which have no distance")


def reason_to_leave_out(column: Column, label_codes: np.ndarray | None = None) -> str | None:
    """Return why a column should not enter distances.

    Parameters
    ----------
    column : Column
        A column of any kind.
    label_codes : ndarray of shape (n_rows,) or None, default=None
        The class number of each row's label.

    Returns
    -------
    reason : str or None
        None if the column should be used.
    """
    if column.kind == "nested":
        return UNUSABLE[1]
    n_values = column.n_values
    if n_values == 0:
        return UNUSABLE[0]
    if n_values == 1 and not column.missing.any():
        return "constant"
    if column.kind == "embedding":
        return None
    if column.kind == "number" and (reason := _numeric_identifier(column, n_values)):
        return reason
    if column.kind == "category" and (reason := _text_identifier(column, n_values)):
        return reason
    return None if label_codes is None else _repeated_label(column, n_values, label_codes)


def _numeric_identifier(column: Column, n_values: int) -> str | None:
    numbers = column.values[~column.missing]
    if (numbers != np.floor(numbers)).any():
        return None
    n_rows, unnamed = len(column.values), UNNAMED.search(column.name)
    if n_values >= max(4, n_rows):
        if numbers.max() - numbers.min() == n_rows - 1:
            return "row numbers"
        if unnamed or IDENTIFIER.search(column.name) or CAMEL_IDENTIFIER.search(column.name):
            return "an identifier by its name, with a different number in each row"
    if unnamed and n_values > max(MAX_CATEGORIES, n_rows // 10):  # as in tables put together from several
        return "whole numbers without a name, like row numbers"
    return None


def _text_identifier(column: Column, n_values: int) -> str | None:
    assert column.texts is not None
    n_rows = len(column.values)
    if n_values > n_rows // 2 and (free_text := _free_text(column.texts)):
        return free_text
    unique = n_values >= 4 and n_values == (column.values >= 0).sum()
    if unique or n_values > max(MAX_CATEGORIES, n_rows // 2):
        return f"{n_values} distinct texts, like an identifier"
    return None


def _free_text(texts: np.ndarray) -> str | None:
    length = np.mean([len(text) for text in texts])
    spaces = np.mean([text.count(" ") for text in texts])
    if length < MIN_FREE_TEXT_LENGTH or spaces < 2:
        return None
    return f"free text: {len(texts)} distinct texts of {length:.0f} characters on average"


def _repeated_label(column: Column, n_values: int, label_codes: np.ndarray) -> str | None:
    """Detect a column with one value per label; missing may be one of the values, or occur in a few rows."""
    n_labels = label_codes.max() + 1
    missing = column.missing
    if n_labels not in (n_values, n_values + missing.any()):
        return None
    codes = column.values if column.texts is not None else pd.factorize(column.values)[0]  # -1: missing
    if n_values + missing.any() == n_labels:
        codes = np.where(missing, n_values, codes)
    share = _agreement(codes, label_codes, n_labels)
    if share is None:
        return None
    return "repeats the label" if share == 1 else f"repeats the label (in {_percent(share)} of rows)"


def _agreement(codes: np.ndarray, label_codes: np.ndarray, n_labels: int) -> float | None:
    """Return the share of rows on which values and labels agree one to one, or None if it is too small."""
    codes, labels = codes[codes >= 0], label_codes[codes >= 0]
    pairs, counts = np.unique(codes * n_labels + labels, return_counts=True)
    by_count = np.argsort(counts, kind="stable")
    values, partners = np.divmod(pairs[by_count], n_labels)
    partner, agreeing = np.zeros((2, n_labels), dtype=int)
    partner[values], agreeing[values] = partners, counts[by_count]  # the last write wins: the most common label
    share = agreeing.sum() / len(label_codes)
    of_value = agreeing / np.bincount(codes, minlength=n_labels)
    of_label = agreeing / np.bincount(labels, minlength=n_labels)[partner]
    # No two values can both cover nearly all rows of one label, so this implies one to one.
    agrees = share >= MIN_AGREEMENT and min(of_value.min(), of_label.min()) >= MIN_CLASS_AGREEMENT
    return share if agrees else None


def _percent(share: float) -> str:
    return f"{np.floor(1000 * share) / 10:g}%"  # rounded down: never 100
