"""Checks of labels, and notes about suspicious ones."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from unflip.foundation.printable import shown
from unflip.foundation.text import joined
from unflip.tables.errors import TableError

PLAIN = (str, bool, int, float, np.bool_, np.integer, np.floating)
NESTED: dict[type | tuple[type, ...], str] = {(list, tuple, np.ndarray): "lists", Mapping: "structs", set: "sets"}
MAX_NUMBERS = 1000  # distinct numbers that may be classes
MIN_ROWS_PER_NUMBER = 5  # of more than a few distinct numbers
FEW_NUMBERS = 50


def checked_labels(path: str | PathLike[str], label: str, labels: pd.Series) -> pd.Series:
    """Return labels as numbers, booleans or texts; refuse them if they are missing, all the same, or no classes."""
    missing = np.flatnonzero(labels.isna())
    owner = f"{path}: column {shown(label)}"
    if len(missing):
        count = "1 missing label" if len(missing) == 1 else f"{len(missing)} missing labels"
        cure = f"drop those rows (with pandas: table.dropna(subset=[{shown(label)}])) or fill them"
        raise TableError(f"{owner} has {count}, the first in row {missing[0] + 1}; {cure}.")
    labels = _plain(owner, labels)
    n_classes = labels.nunique()
    if n_classes < 2:
        raise TableError(f"{owner} has one class only, {shown(labels.iloc[0])}; two or more are needed.")
    if pd.api.types.is_numeric_dtype(labels) and not pd.api.types.is_bool_dtype(labels):
        _check_numbers(owner, labels, n_classes)
    if n_classes > max(2, len(labels) // 2):
        raise TableError(f"{owner} has {n_classes} distinct values in {len(labels)} rows, too many to be classes.")
    return labels


def _check_numbers(owner: str, labels: pd.Series, n_classes: int) -> None:
    """Refuse numbers that are quantities: infinite ones, fractions, or too many for the number of rows."""
    numbers = labels.to_numpy()
    cure = "group them into classes (with pandas: pd.cut), or write a letter before each if they are names"
    if numbers.dtype.kind == "f" and (bad := ~np.isfinite(numbers)).any():
        raise TableError(f"{owner} has an infinite label in row {bad.argmax() + 1}.")
    if n_classes > MAX_NUMBERS or n_classes > max(FEW_NUMBERS, len(labels) // MIN_ROWS_PER_NUMBER):
        found = f"{n_classes:,} distinct numbers in {len(labels):,} rows"
        raise TableError(f"{owner} has {found}, a quantity and not classes; {cure}.")
    if numbers.dtype.kind == "f" and (bad := numbers != np.floor(numbers)).any():
        value, row = numbers[bad.argmax()], bad.argmax() + 1
        raise TableError(f"{owner} has fractions, such as {value:g} in row {row}, which are no classes; {cure}.")


def _plain(owner: str, labels: pd.Series) -> pd.Series:
    """Return labels of any type as numbers, booleans or texts, each class as one value."""
    if isinstance(labels.dtype, pd.CategoricalDtype):
        distinct = _plain(owner, pd.Series(labels.cat.remove_unused_categories().cat.categories))
        if distinct.dtype == labels.cat.categories.dtype:
            return labels
        labels = pd.Series(labels.to_numpy(), name=labels.name, index=labels.index)
    kind = labels.dtype.kind
    if kind == "c":
        raise TableError(f"{owner} holds complex numbers, not classes.")
    if kind == "f" and labels.dtype != np.float64 and isinstance(labels.dtype, np.dtype):
        return labels.astype(np.float64)  # pandas cannot count float16
    if kind == "M":
        return _with_values(labels, _dates(labels))
    if kind == "m":
        return _with_values(labels, [str(value) for value in labels.to_numpy()])
    if kind in "OU":
        return _plain_objects(owner, labels)
    return labels


def _plain_objects(owner: str, labels: pd.Series) -> pd.Series:
    if not isinstance(labels.dtype, pd.StringDtype):
        values = labels.to_numpy(dtype=object)
        if not all(issubclass(found, PLAIN) for found in set(map(type, values))):
            labels = _with_values(labels, [_plain_value(owner, value, row) for row, value in enumerate(values, 1)])
    for value in labels.unique():
        if isinstance(value, str) and not _is_unicode(value):
            raise TableError(f"{owner} has the label {shown(value)}, which is not valid Unicode.")
    return labels


def _plain_value(owner: str, value: Any, row: int) -> Any:
    if isinstance(value, PLAIN):
        return value
    for types, name in NESTED.items():
        if isinstance(value, types):
            raise TableError(f"{owner} holds {name}, such as {shown(value)} in row {row}, not classes.")
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            raise TableError(f"{owner} holds bytes that are not UTF-8 text, {shown(value)} in row {row}.") from None
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and abs(value) < 2**53 else str(value)
    return str(value)


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _dates(labels: pd.Series) -> list[str]:
    """Return dates as ISO texts, however far they are; a time only where there is one."""
    zone = "+00:00" if isinstance(labels.dtype, pd.DatetimeTZDtype) else ""
    if zone:
        labels = labels.dt.tz_convert("UTC").dt.tz_localize(None)
    return [text + zone for text in np.datetime_as_string(labels.to_numpy(), unit="auto").tolist()]


def _with_values(labels: pd.Series, values: list[Any]) -> pd.Series:
    return pd.Series(values, name=labels.name, index=labels.index)


def notes_on(labels: pd.Series) -> list[str]:
    """Return a sentence for each group of labels that differ in white space only.

    >>> notes_on(pd.Series(["cat", "cat ", "dog", "cat"]))
    ["The labels 'cat' (2 rows) and 'cat ' (1 row) differ in white space only."]
    """
    groups: dict[str, list[str]] = {}
    for value, count in labels.value_counts(sort=False).items():
        if isinstance(value, str) and count > 0:
            described = f"{shown(value)} ({count} row{'s' if count > 1 else ''})"
            groups.setdefault(" ".join(value.split()), []).append(described)
    return [f"The labels {joined(group)} differ in white space only." for group in groups.values() if len(group) > 1]
