"""One column of a table, whatever its dtype, as plain numbers or category codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from unflip.foundation.optional import optional
from unflip.tables.errors import TableError

ISO_DATE = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
PLURALS = {"number": "numbers", "category": "categories", "boolean": "booleans", "date": "dates", "embedding": "lists"}
FEW = 100  # numbers that a set counts faster than pandas
NUMERIC_TYPES = ("integer", "floating", "mixed-integer-float", "decimal")  # as pandas' infer_dtype names them


@dataclass(frozen=True, eq=False)
class Column:
    """The values of a column, whatever dtype held them.

    Parameters
    ----------
    name : str
        Column name.
    kind : str
        "number", "category", "boolean", "date", "embedding", or "nested" for values without a distance.
    values : ndarray
        Floats, NaN where missing (dates in microseconds; an embedding is two-dimensional). For a category, codes into
        ``texts``, -1 where missing.
    texts : ndarray or None, default=None
        The distinct texts of a category.
    """

    name: str
    kind: str
    values: np.ndarray
    texts: np.ndarray | None = None

    @property
    def missing(self) -> np.ndarray:
        """Mask of the missing values."""
        return self.values < 0 if self.kind == "category" else np.isnan(self.values)

    @property
    def n_values(self) -> int:
        """Number of distinct values, not counting missing ones."""
        if self.texts is not None:
            return len(self.texts)
        if self.kind == "embedding":
            return 1 if (self.values == self.values[:1]).all() else len(self.values)
        numbers = self.values[~self.missing]
        return len(set(numbers.tolist())) if len(numbers) <= FEW else len(pd.unique(numbers))


def read_column(name: str, values: pd.Series) -> Column:
    """Infer the kind of a column and extract its values.

    Parameters
    ----------
    name : str
        Column name, used in error messages.
    values : Series
        The column, of any dtype.

    Returns
    -------
    column : Column
        Infinite numbers count as missing. Texts that are all ISO dates, or all true or false, become dates or booleans.
    """
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "fiu":  # most columns of wide tables
        return Column(name, "number", _floats(values))
    values = _without_arrow_dtype(values)
    if values.dtype == object:
        values = _infer_objects(values)
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
        return _column_of_texts(name, *_factorize(values))
    except TypeError:  # dictionaries, sets and the like are not hashable
        return Column(name, "nested", np.empty(0))


def read_column_as(name: str, values: pd.Series, kind: str) -> Column:
    """Extract the values of a column as a given kind, or refuse the first value that is not of that kind.

    Parameters
    ----------
    name : str
        Column name, used in error messages.
    values : Series
        The column, of any dtype.
    kind : str
        The kind of the column when the encoder was fitted.

    Returns
    -------
    column : Column
        A column of that kind.
    """
    column = read_column(name, values)
    if column.kind == kind:
        return column
    if column.kind in ("nested", "embedding") or kind == "embedding":
        raise kind_error(name, kind, 0, values.iloc[0])
    codes, texts = _factorize(_without_arrow_dtype(values))
    if kind == "category":
        return Column(name, kind, codes, texts)
    numbers = _parse(kind, texts)
    wrong = np.isnan(numbers)[codes] & (codes >= 0) if len(texts) else np.zeros(len(codes), bool)
    if wrong.any():
        row = int(wrong.argmax())
        raise kind_error(name, kind, row, texts[codes[row]])
    return Column(name, kind, _take(numbers, codes))


def kind_error(name: str, kind: str, row: int, value: Any) -> TableError:
    """Return the error for a value of another kind than the fitted column had."""
    return TableError(f"Column {name!r} held {PLURALS[kind]} before; row {row + 1} has {value!r}.")


def _without_arrow_dtype(values: pd.Series) -> pd.Series:
    if not isinstance(values.dtype, pd.ArrowDtype):
        return values
    arrow = optional("pyarrow", "parquet", f"A column of type {values.dtype}")
    return arrow.array(values).to_pandas(date_as_object=False)


def _infer_objects(values: pd.Series) -> pd.Series:
    """Return objects of a single type in the dtype of that type; leave mixed ones unchanged."""
    found = types.infer_dtype(values, skipna=True)
    if found == "boolean":
        return values.astype("boolean")
    if found in NUMERIC_TYPES or found == "empty":
        missing = values.isna().to_numpy()
        return pd.Series([np.nan if gone else float(value) for value, gone in zip(values, missing, strict=True)])
    if found in ("date", "datetime", "datetime64"):
        return pd.to_datetime(values, utc=True)
    if found in ("timedelta", "timedelta64"):
        return pd.to_timedelta(values)
    return values


def _holds_lists(values: pd.Series) -> bool:
    first = values.dropna().iloc[:1]
    return len(first) > 0 and isinstance(first.iloc[0], (list, tuple, np.ndarray))


def _embedding(name: str, values: pd.Series) -> Column:
    """Stack lists of numbers of the same length; other lists are nested values."""
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
        raise TableError(f"Column {name!r}: row {bad.argmax() + 1} has a missing or infinite number.")
    return Column(name, "embedding", stacked)


def _floats(values: pd.Series) -> np.ndarray:
    if values.dtype.kind == "m":
        missing = values.isna().to_numpy()
        return np.where(missing, np.nan, values.to_numpy().astype("timedelta64[us]").astype(np.float64))
    numbers = values.to_numpy(dtype=np.float64, na_value=np.nan)
    infinite = np.isinf(numbers)
    return np.where(infinite, np.nan, numbers) if infinite.any() else numbers


def _microseconds(values: pd.Series) -> np.ndarray:
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        values = values.dt.tz_convert("UTC").dt.tz_localize(None)
    missing = values.isna().to_numpy()
    return np.where(missing, np.nan, values.to_numpy().astype("datetime64[us]").astype(np.int64).astype(np.float64))


def _factorize(values: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Return codes and the distinct texts; whole numbers have no decimal point."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.cat.remove_unused_categories()
        codes, distinct = values.cat.codes.to_numpy(), values.cat.categories
    else:
        codes, distinct = pd.factorize(values)
    code_of_value, texts = pd.factorize(np.array([_text(value) for value in distinct], dtype=object))
    codes = np.where(codes < 0, -1, code_of_value[codes]) if len(code_of_value) else np.full(len(codes), -1)
    return codes, texts


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _column_of_texts(name: str, codes: np.ndarray, texts: np.ndarray) -> Column:
    for kind in ("boolean", "date"):
        numbers = _parse(kind, texts[:1])  # the first text rules out most columns
        if len(texts) and not np.isnan(numbers).any() and not np.isnan(numbers := _parse(kind, texts)).any():
            return Column(name, kind, _take(numbers, codes))
    return Column(name, "category", codes, texts)


def _parse(kind: str, texts: np.ndarray) -> np.ndarray:
    """Return texts as numbers, booleans or dates, in floats; NaN where a text is none."""
    if kind == "number":
        return pd.to_numeric(pd.Series(texts, dtype=object), errors="coerce").to_numpy(dtype=np.float64)
    if kind == "boolean":
        return np.array([{"true": 1.0, "false": 0.0}.get(text.lower(), np.nan) for text in texts])
    dates = pd.Series(texts, dtype=object)
    is_iso = dates.str.fullmatch(ISO_DATE).astype(bool)
    return _microseconds(pd.to_datetime(dates.where(is_iso), format="ISO8601", utc=True, errors="coerce"))


def _take(numbers: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the number of each row, NaN where the code is -1."""
    return np.append(numbers, np.nan)[codes]
