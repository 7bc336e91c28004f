"""Tables as matrices between whose rows distances make sense, learned once and applied to new rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from unflip.tables.columns import PLURALS, Column, read_column, read_column_as
from unflip.tables.frames import as_table
from unflip.tables.leaving_out import UNUSABLE, reason_to_leave_out
from unflip.tables.refusals import TableError, hint
from unflip.tables.scales import Categories, scale_of


class Encoder(Protocol):
    """What turns rows into numbers between which distances make sense: TableEncoder, or any transformer."""

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn from rows."""

    def transform(self, X: Any) -> Any:
        """Encode rows by what was learned."""


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


def encode(columns: Any, labels: Any = None, *, keep: Sequence[str] = (), drop: Sequence[str] = ()) -> Encoding:
    """Turn the columns of a table into numbers between which distances make sense.

    Numbers and dates are scaled by their range without outliers, categories are one-hot encoded, and a missing value
    is a value of its own. Columns that identify the row or repeat the label are left out and named.

    Parameters
    ----------
    columns : DataFrame, pyarrow.Table, mapping or array
        One row per example; see as_table.
    labels : Series or None, default=None
        The labels, to notice columns that merely repeat them.
    keep : sequence of str, default=()
        Columns to use although they look like identifiers or repeat the label.
    drop : sequence of str, default=()
        Columns not to use.

    Returns
    -------
    encoding : Encoding
        The numbers, and the columns used and left out.

    See Also
    --------
    TableEncoder : Encodes new rows the same way.

    Examples
    --------
    >>> table = {"size": [1.0, 2.0, 3.0, 2.0], "color": ["red", "blue", "red", "red"], "code": list("abcd")}
    >>> encode(table).left_out
    {'code': '4 different texts, as identifiers have'}
    """
    encoder = TableEncoder(keep=keep, drop=drop).fit(columns, labels)
    return Encoding(encoder.transform(columns), encoder.used_, encoder.left_out_)


class TableEncoder(TransformerMixin, BaseEstimator):
    """Learns from a table how its columns become numbers, and encodes new rows with the same columns.

    Parameters
    ----------
    keep : sequence of str, default=()
        Columns to use although they look like identifiers or repeat the label.
    drop : sequence of str, default=()
        Columns not to use.

    Attributes
    ----------
    used_ : list of str
        The columns that enter distances.
    left_out_ : dict
        The others, {column: why}.
    kinds_ : dict
        Of the columns used, {column: "number", "category", "boolean", "date" or "embedding"}.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns.

    Examples
    --------
    >>> encoder = TableEncoder().fit({"size": [0.0, 10.0, 5.0], "color": ["red", "blue", "red"]})
    >>> encoder.kinds_
    {'size': 'number', 'color': 'category'}
    >>> encoder.transform({"color": ["green"], "size": [5.0]}).round(2)
    array([[0.5, 0. , 0. ]])
    >>> encoder.get_feature_names_out()
    array(['size', 'color=blue', 'color=red'], dtype=object)
    """

    def __init__(self, *, keep: Sequence[str] = (), drop: Sequence[str] = ()):
        self.keep = keep
        self.drop = drop

    def fit(self, X: Any, y: Any = None) -> TableEncoder:
        """Learn from a table.

        Parameters
        ----------
        X : DataFrame, pyarrow.Table, mapping or array
            One row per example; see as_table.
        y : array-like or None, default=None
            The labels, to notice columns that merely repeat them.

        Returns
        -------
        self : TableEncoder
            The fitted encoder.
        """
        table = as_table(X)
        names = [str(name) for name in table.columns]
        keep, drop = _asked("keep", self.keep, names), _asked("drop", self.drop, names)
        if both := keep & drop:
            raise TableError(f"Column {min(both)!r} cannot be both kept and dropped.")
        codes = None if y is None else _label_codes(y, len(table))
        self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
        self.used_: list[str] = []
        self.left_out_: dict[str, str] = {}
        self.kinds_: dict[str, str] = {}
        self._scales: dict[str, Any] = {}
        for position, name in enumerate(names):
            if name in drop:
                self.left_out_[name] = "dropped, as requested"
            else:
                self._learn(read_column(name, table.iloc[:, position]), codes, name in keep)
        if not self.used_:
            why = "; ".join(f"{name}: {reason}" for name, reason in self.left_out_.items())
            raise TableError(f"No column is left to compare rows by ({why or 'there is none'}).")
        return self

    def _learn(self, column: Column, codes: np.ndarray | None, kept: bool) -> None:
        reason = reason_to_leave_out(column, codes)
        if kept and reason in UNUSABLE:
            raise TableError(f"Column {column.name!r} cannot be kept: {reason}.")
        if reason and not kept:
            self.left_out_[column.name] = reason
            return
        self.used_.append(column.name)
        self.kinds_[column.name] = column.kind
        self._scales[column.name] = scale_of(column)

    def transform(self, X: Any) -> np.ndarray:
        """Encode rows by what was learned.

        Unknown categories match none of the known ones, and numbers go on linearly beyond the range.

        Parameters
        ----------
        X : DataFrame, pyarrow.Table, mapping or array
            Rows with the columns of the fitted table, in any order; those left out may be absent.

        Returns
        -------
        matrix : ndarray of shape (n_rows, n_numbers)
            No missing values.
        """
        check_is_fitted(self)
        table = as_table(X)
        places = self._places(table)
        matrix = np.zeros((len(table), sum(scale.width for scale in self._scales.values())))
        start = 0
        for name, scale in self._scales.items():
            block = matrix[:, start : start + scale.width]
            scale.write(self._column(name, scale, table.iloc[:, places[name]]), block)
            start += scale.width
        return matrix

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the numbers that a row becomes.

        Parameters
        ----------
        input_features : None, default=None
            For scikit-learn's sake; the names are those of the fitted table.

        Returns
        -------
        names : ndarray of str
            Such as "size", "color=red" and "color is missing".
        """
        check_is_fitted(self)
        return np.array([out for name, scale in self._scales.items() for out in scale.names(name)], dtype=object)

    def _places(self, table: pd.DataFrame) -> dict[str, int]:
        places = {str(name): place for place, name in enumerate(table.columns)}
        for name in self.used_:
            if name not in places:
                raise TableError(f"Column {name!r} is missing; {hint(name, places)}")
        for name in places:
            if name not in self._scales and name not in self.left_out_:
                raise TableError(f"Column {name!r} was not in the fitted table; {hint(name, self.used_)}")
        return places

    def _column(self, name: str, scale: Any, values: pd.Series) -> Column:
        kind = self.kinds_[name]
        column = read_column_as(name, values, kind)
        if kind == "embedding" and column.values.shape[1] != scale.width:
            raise TableError(f"Column {name!r} had {scale.width} numbers a row, now {column.values.shape[1]}.")
        numbers_for_texts = isinstance(scale, Categories) and pd.api.types.is_numeric_dtype(values)
        if numbers_for_texts and not scale.knows_any(column):
            row = (~column.missing).argmax()
            raise TableError(f"Column {name!r} held {PLURALS[kind]} before; row {row + 1} has {values.iloc[row]!r}.")
        return column


def _asked(parameter: str, asked: Iterable[str], names: list[str]) -> set[str]:
    asked = [asked] if isinstance(asked, str) else asked
    for name in asked:
        if name not in names:
            raise TableError(f"There is no column {name!r} to {parameter}; {hint(name, names)}")
    return set(asked)


def _label_codes(labels: Any, n_rows: int) -> np.ndarray:
    if len(labels) != n_rows:
        raise TableError(f"There are {len(labels)} labels for {n_rows} rows.")
    codes = pd.factorize(labels if isinstance(labels, pd.Series) else pd.Series(labels))[0]
    if (codes < 0).any():
        raise TableError(f"The label of row {(codes < 0).argmax() + 1} is missing.")
    return codes
