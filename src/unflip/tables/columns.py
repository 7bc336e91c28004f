"""One column of a table, whatever type holds it, as plain numbers or codes of texts: five kinds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from pandas.api import types

from unflip.foundation.optional import optional
from unflip.tables.refusals import TableError

ISO_DATE = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
PLURALS = {"number": "numbers", "category": "categories", "boolean": "booleans", "date": "dates", "embedding": "lists"}
NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal")


@dataclass(frozen=True, eq=False)
class Column:
    """A column's values without their type.

    Parameters
    ----------
    name : str
        Of the column.
    kind : str
        "number", "category", "boolean", "date", "embedding", or "nested", for which there is no distance.
    values : ndarray
        Float numbers, NaN where missing (dates in microseconds, an embedding in two dimensions); of a category the
        codes of its texts, -1 where missing.
    texts : ndarray or None, default=None
        Of a category: the different texts.
    """

    name: str
    kind: str
    values: np.ndarray
    texts: np.ndarray | None = None

    @property
    def missing(self):
        """Where nothing is known."""
        return self.values < 0 if self.kind == "category" else np.isnan(self.values)

    @property
    def n_values(self):
        """How many different values there are, missing ones not counted."""
        if self.texts is not None:
            return len(self.texts)
        if self.kind == "embedding":
            return 1 if (self.values == self.values[:1]).all() else len(self.values)
        return len(pd.unique(self.values[~self.missing]))


def read_column(name, values):
    """Find out the kind of a column and take its values.

    Parameters
    ----------
    name : str
        For refusals.
    values : Series
        Of any dtype.

    Returns
    -------
    column : Column
        Infinite numbers are missing; texts that are all ISO dates, or all true and false, are what they say.
    """
    values = _without_arrow(values)
    if values.dtype == object:
        values = _inferred(values)
    if values.dtype == object and _holds_lists(values):
        return _embedding(name, values)
    if types.is_complex_dtype(values):
        return Column(name, "nested", np.empty(0))
    if isinstance(values.dtype, pd.PeriodDtype):
        values = values.dt.to_timestamp()
    if types.is_bool_dtype(values) and not isinstance(values.dtype, pd.CategoricalDtype):
        return Column(name, "boolean", _floats(values))
    if types.is_datetime64_any_dtype(values):
        return Column(name, "date", _microseconds(values))
    if types.is_timedelta64_dtype(values) or types.is_numeric_dtype(values):
        return Column(name, "number", _floats(values))
    try:
        return _of_texts(name, *_texts(values))
    except TypeError:  # dictionaries, sets and the like cannot be told apart
        return Column(name, "nested", np.empty(0))


def read_column_as(name, values, kind):
    """Take the values of a column whose kind is known, or refuse the first that is of another.

    Parameters
    ----------
    name : str
        For refusals.
    values : Series
        Of any dtype.
    kind : str
        As of Column.

    Returns
    -------
    column : Column
        Of that kind.
    """
    column = read_column(name, values)
    if column.kind == kind:
        return column
    if column.kind in ("nested", "embedding") or kind == "embedding":
        raise _other_kind(name, kind, 0, values.iloc[0])
    codes, texts = _texts(_without_arrow(values))
    if kind == "category":
        return Column(name, kind, codes, texts)
    numbers = _numbers_of(kind, texts)
    wrong = np.isnan(numbers)[codes] & (codes >= 0) if len(texts) else np.zeros(len(codes), bool)
    if wrong.any():
        raise _other_kind(name, kind, wrong.argmax(), texts[codes[wrong.argmax()]])
    return Column(name, kind, _spread(numbers, codes))


def _other_kind(name, kind, row, value):
    return TableError(f"Column {name!r} held {PLURALS[kind]} before; row {row + 1} has {value!r}.")


def _without_arrow(values):
    if not isinstance(values.dtype, pd.ArrowDtype):
        return values
    arrow = optional("pyarrow", "parquet", f"A column of type {values.dtype}")
    return arrow.array(values).to_pandas(date_as_object=False)


def _inferred(values):
    """Return objects of one type in the dtype of that type; others as they are."""
    found = types.infer_dtype(values, skipna=True)
    if found == "boolean":
        return values.astype("boolean")
    if found in NUMBERS or found == "empty":
        missing = values.isna().to_numpy()
        return pd.Series([np.nan if gone else float(value) for value, gone in zip(values, missing, strict=True)])
    if found in ("date", "datetime", "datetime64"):
        return pd.to_datetime(values, utc=True)
    if found in ("timedelta", "timedelta64"):
        return pd.to_timedelta(values)
    return values


def _holds_lists(values):
    first = values.dropna().iloc[:1]
    return len(first) > 0 and isinstance(first.iloc[0], (list, tuple, np.ndarray))


def _embedding(name, values):
    """Stack lists of equally many numbers; lists of anything else are nested."""
    first = values.dropna().iloc[0]
    if not types.is_numeric_dtype(np.asarray(first)) or np.ndim(first) != 1:
        return Column(name, "nested", np.empty(0))
    for row, value in enumerate(values):
        if not isinstance(value, (list, tuple, np.ndarray)):
            raise TableError(f"Column {name!r} holds lists of numbers, but row {row + 1} has none.")
        if len(value) != len(first):
            raise TableError(f"Column {name!r}: row {row + 1} has {len(value)} numbers, row 1 has {len(first)}.")
    stacked = np.stack(values.to_numpy()).astype(np.float64, copy=False)
    bad = ~np.isfinite(stacked).all(axis=1)
    if bad.any():
        raise TableError(f"Column {name!r}: row {bad.argmax() + 1} has a number that is missing or infinite.")
    return Column(name, "embedding", stacked)


def _floats(values):
    if types.is_timedelta64_dtype(values):
        missing = values.isna().to_numpy()
        return np.where(missing, np.nan, values.to_numpy().astype("timedelta64[us]").astype(np.float64))
    numbers = values.to_numpy(dtype=np.float64, na_value=np.nan)
    infinite = np.isinf(numbers)
    return np.where(infinite, np.nan, numbers) if infinite.any() else numbers


def _microseconds(values):
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        values = values.dt.tz_convert("UTC").dt.tz_localize(None)
    missing = values.isna().to_numpy()
    return np.where(missing, np.nan, values.to_numpy().astype("datetime64[us]").astype(np.int64).astype(np.float64))


def _texts(values):
    """Return codes and the different texts; a whole number is written without a decimal point."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.cat.remove_unused_categories()
        codes, different = values.cat.codes.to_numpy(), values.cat.categories
    else:
        codes, different = pd.factorize(values)
    again, texts = pd.factorize(np.array([_text(value) for value in different], dtype=object))
    codes = np.where(codes < 0, -1, again[codes]) if len(again) else np.full(len(codes), -1)
    return codes, texts


def _text(value):
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _of_texts(name, codes, texts):
    for kind in ("boolean", "date"):
        numbers = _numbers_of(kind, texts[:1])  # most columns are ruled out by their first text
        if len(texts) and not np.isnan(numbers).any() and not np.isnan(numbers := _numbers_of(kind, texts)).any():
            return Column(name, kind, _spread(numbers, codes))
    return Column(name, "category", codes, texts)


def _numbers_of(kind, texts):
    """Return the numbers that texts stand for, NaN for those that stand for none."""
    if kind == "number":
        return pd.to_numeric(pd.Series(texts, dtype=object), errors="coerce").to_numpy(dtype=np.float64)
    if kind == "boolean":
        return np.array([{"true": 1.0, "false": 0.0}.get(text.lower(), np.nan) for text in texts])
    texts = pd.Series(texts, dtype=object)
    looks_right = texts.str.fullmatch(ISO_DATE).astype(bool)
    return _microseconds(pd.to_datetime(texts.where(looks_right), format="ISO8601", utc=True, errors="coerce"))


def _spread(numbers, codes):
    """Return the number of each row, NaN where the code is -1."""
    return np.append(numbers, np.nan)[codes]
