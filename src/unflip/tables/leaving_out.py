"""Columns that would spoil distances, and why: they name the row, repeat the label, or say nothing."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from unflip.tables.scales import MOST_CATEGORIES

IDENTIFIER = re.compile(r"(^|[\W_])(id|uuid|guid|index|idx|rownames?)$|^unnamed: \d+$", re.IGNORECASE)
CAMEL_IDENTIFIER = re.compile(r"[a-z0-9](Id|ID)$")
LONG_TEXT = 30  # characters, on average
TWIN_ROWS = 0.99  # of all rows agree with the label in a twin
TWIN_VALUES = 0.95  # of each value's rows, and of each label's: in rare classes an honest column agrees in fewer
UNUSABLE = ("empty", "nested values, between which there is no distance")


def reason_to_leave_out(column, label_codes=None):
    """Say why a column should not enter distances.

    Parameters
    ----------
    column : Column
        Of any kind.
    label_codes : ndarray of shape (n_rows,) or None, default=None
        The label of each row, numbered from 0.

    Returns
    -------
    reason : str or None
        None if it should.
    """
    if column.kind == "nested":
        return UNUSABLE[1]
    n_values = column.n_values
    if n_values == 0:
        return UNUSABLE[0]
    if n_values == 1 and not column.missing.any():
        return "the same everywhere"
    if column.kind == "embedding":
        return None
    if column.kind == "number" and (reason := _numbers_as_identifier(column, n_values)):
        return reason
    if column.kind == "category" and (reason := _texts_as_identifier(column, n_values)):
        return reason
    return None if label_codes is None else _twin(column, n_values, label_codes)


def _numbers_as_identifier(column, n_values):
    numbers = column.values
    if n_values < max(4, len(numbers)) or (numbers != np.floor(numbers)).any():
        return None
    if numbers.max() - numbers.min() == len(numbers) - 1:
        return "numbers the rows"
    if IDENTIFIER.search(column.name) or CAMEL_IDENTIFIER.search(column.name):
        return "an identifier: named so, and a different number in each row"
    return None


def _texts_as_identifier(column, n_values):
    n_rows = len(column.values)
    if n_values > n_rows // 2 and (free := _free_text(column.texts)):
        return free
    unique = n_values >= 4 and n_values == (column.values >= 0).sum()
    if unique or n_values > max(MOST_CATEGORIES, n_rows // 2):
        return f"{n_values} different texts, as identifiers have"
    return None


def _free_text(texts):
    length = np.mean([len(text) for text in texts])
    spaces = np.mean([text.count(" ") for text in texts])
    if length < LONG_TEXT or spaces < 2:
        return None
    return f"free text: {len(texts)} different ones of {length:.0f} characters on average"


def _twin(column, n_values, label_codes):
    """Tell a column with one value for each label; missing may be one of them, or leave a few rows open."""
    n_labels = label_codes.max() + 1
    missing = column.missing
    if n_values + missing.any() == n_labels:
        codes = pd.factorize(np.where(missing, -1, column.values) if column.texts is not None else column.values,
                             use_na_sentinel=False)[0]  # fmt: skip
    elif n_values == n_labels:
        codes = np.where(missing, -1, pd.factorize(column.values)[0])
    else:
        return None
    share = _agreement(codes, label_codes, n_labels)
    if share is None:
        return None
    return "repeats the label" if share == 1 else f"repeats the label (in {_percent(share)} % of rows)"


def _agreement(codes, label_codes, n_labels):
    """Return the share of rows in which value and label agree one to one, None if it is no twin's."""
    codes, labels = codes[codes >= 0], label_codes[codes >= 0]
    pairs, counts = np.unique(codes * n_labels + labels, return_counts=True)
    by_count = np.argsort(counts, kind="stable")
    values, partners = np.divmod(pairs[by_count], n_labels)
    partner, agreeing = np.zeros((2, n_labels), dtype=int)
    partner[values], agreeing[values] = partners, counts[by_count]  # the last of a value stays: its most common
    share = agreeing.sum() / len(label_codes)
    of_value = agreeing / np.bincount(codes, minlength=n_labels)
    of_label = agreeing / np.bincount(labels, minlength=n_labels)[partner]
    # No two values can have nearly all rows of one label: what passes is one to one.
    is_twin = share >= TWIN_ROWS and min(of_value.min(), of_label.min()) >= TWIN_VALUES
    return share if is_twin else None


def _percent(share):
    return f"{np.floor(1000 * share) / 10:g}"  # rounded down: never 100
