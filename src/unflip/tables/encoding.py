"""TableEncoder: tables as matrices between whose rows distances make sense."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from unflip.tables.columns import Column, kind_error, read_column, read_column_as
from unflip.tables.errors import TableError, hint
from unflip.tables.frames import as_table, is_table
from unflip.tables.leaving_out import UNUSABLE, reason_to_leave_out
from unflip.tables.scales import CategoryScale, Scale, learn_scale

MAX_DENSE_WIDTH = 500
MIN_SHARE_OF_CATEGORIES = 0.8


class Encoder(Protocol):
    """Turns rows into numbers between which distances make sense: TableEncoder, or any transformer."""

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn the encoding."""

    def transform(self, X: Any) -> Any:
        """Encode rows."""


@dataclass(frozen=True, eq=False)
class Encoding:
    """An encoded table, and what happened to each of its columns.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_numbers)
        The rows as numbers, without missing values.
    used : list of str
        The columns that were encoded.
    left_out : dict
        The other columns, {column: reason}.
    """

    matrix: np.ndarray
    used: list[str]
    left_out: dict[str, str]


def encode(columns: Any, labels: Any = None, *, keep: Sequence[str] = (), drop: Sequence[str] = ()) -> Encoding:
    """Encode the columns of a table as numbers between which distances make sense.

    Numbers and dates are scaled by their range without outliers, categories are one-hot encoded, and missing values
    are marked. Columns that identify the row or repeat the label are left out, each with a reason.

    Parameters
    ----------
    columns : DataFrame, pyarrow.Table, mapping or array-like
        One row per example; see as_table.
    labels : array-like or None, default=None
        The labels, used to find columns that repeat them.
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
    {'code': '4 distinct texts, like an identifier'}
    """
    encoder = TableEncoder(keep=keep, drop=drop).fit(columns, labels)
    return Encoding(encoder.transform(columns), encoder.used_, encoder.left_out_)


class TableEncoder(TransformerMixin, BaseEstimator):
    """Encode the columns of a table as numbers between which distances make sense.

    Parameters
    ----------
    keep : sequence of str, default=()
        Columns to use although they look like identifiers or repeat the label.
    drop : sequence of str, default=()
        Columns not to use.

    Attributes
    ----------
    used_ : list of str
        The columns that are encoded.
    left_out_ : dict
        The other columns, {column: reason}.
    kinds_ : dict
        The kinds of the columns used, {column: "number", "category", "boolean", "date" or "embedding"}.
    n_features_in_ : int
        Number of columns seen during fit.
    feature_names_in_ : ndarray of str
        Names of the columns seen during fit. Defined only if all of them are strings.

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
        """Learn the encoding of each column.

        Parameters
        ----------
        X : DataFrame, pyarrow.Table, mapping or array-like
            One row per example; see as_table.
        y : array-like or None, default=None
            The labels, used to find columns that repeat them.

        Returns
        -------
        self : TableEncoder
            The fitted encoder.
        """
        table = self._fitted_table(X)
        keep, drop = _requested("keep", self.keep, self._names), _requested("drop", self.drop, self._names)
        if both := keep & drop:
            raise TableError(f"Column {min(both)!r} cannot be both kept and dropped.")
        codes = None if y is None else _label_codes(y, len(table))
        self.used_: list[str] = []
        self.left_out_: dict[str, str] = {}
        self.kinds_: dict[str, str] = {}
        self._scales: dict[str, Scale] = {}
        for name, (_, values) in zip(self._names, table.items(), strict=True):
            if name in drop:
                self.left_out_[name] = "dropped, as requested"
            else:
                self._learn(read_column(name, values), codes, name in keep)
        self._check_used(len(table))
        return self

    def _fitted_table(self, X: Any) -> pd.DataFrame:
        """Return the table to learn from; remember its width, and its names if all are strings."""
        self._by_name = is_table(X)
        if not self._by_name:
            table = as_table(self._checked_array(X, reset=True))
        else:
            table = as_table(X)
            all_strings = all(isinstance(name, str) for name in table.columns)
            named = table if all_strings else table.set_axis(range(table.shape[1]), axis=1)
            validate_data(self, named, skip_check_array=True)
        self._names = [str(name) for name in table.columns]
        return table

    def _checked_array(self, X: Any, *, reset: bool) -> np.ndarray:
        # A list of rows may mix numbers and texts, which NumPy would turn into texts.
        dtype = None if hasattr(X, "dtype") else object
        return validate_data(self, X, reset=reset, dtype=dtype, ensure_all_finite=False, ensure_min_samples=int(reset))

    def _learn(self, column: Column, codes: np.ndarray | None, kept: bool) -> None:
        reason = reason_to_leave_out(column, codes)
        if kept and reason in UNUSABLE:
            raise TableError(f"Column {column.name!r} cannot be kept: {reason}.")
        if reason and not kept:
            self.left_out_[column.name] = reason
            return
        self.used_.append(column.name)
        self.kinds_[column.name] = column.kind
        self._scales[column.name] = learn_scale(column)

    def _check_used(self, n_rows: int) -> None:
        if self.used_:
            return
        if n_rows == 1:
            raise TableError("TableEncoder: 'X' must have two rows or more, got 1 sample.")
        why = "; ".join(f"{name}: {reason}" for name, reason in self.left_out_.items())
        raise TableError(f"No column is left to compare rows by ({why or 'there is none'}).")

    def transform(self, X: Any) -> Any:
        """Encode rows.

        Unknown categories match no known one, and numbers beyond the fitted range are extrapolated linearly.

        Parameters
        ----------
        X : DataFrame, pyarrow.Table, mapping or array-like
            A table must have the fitted columns, in any order; those left out may be absent. The columns of an array
            are matched by position.

        Returns
        -------
        matrix : ndarray or sparse matrix of shape (n_rows, n_numbers)
            The rows as numbers, without missing values; sparse (CSR) if categories make up most of very many columns.
        """
        check_is_fitted(self)
        table, places = self._matched_table(X)
        return self._sparse(table, places) if self._is_wide() else self._dense(table, places)

    def _is_wide(self) -> bool:
        """Tell whether a sparse matrix is better: nearly all of many numbers are zeros of categories."""
        width = sum(scale.width for scale in self._scales.values())
        of_categories = sum(scale.width for scale in self._scales.values() if isinstance(scale, CategoryScale))
        return width > MAX_DENSE_WIDTH and of_categories > MIN_SHARE_OF_CATEGORIES * width

    def _sparse(self, table: pd.DataFrame, places: dict[str, int]) -> sparse.csr_matrix:
        blocks = []
        for name, scale in self._scales.items():
            column = self._column(name, scale, table.iloc[:, places[name]])
            if isinstance(scale, CategoryScale):
                blocks.append(scale.sparse_block(column))
            else:
                block = np.zeros((len(table), scale.width))
                scale.write(column, block)
                blocks.append(sparse.csr_array(block))
        return sparse.csr_matrix(sparse.hstack(blocks, format="csr"))

    def _dense(self, table: pd.DataFrame, places: dict[str, int]) -> np.ndarray:
        widths = [scale.width for scale in self._scales.values()]
        matrix = np.zeros((len(table), sum(widths)))
        starts = dict(zip(self._scales, np.cumsum([0, *widths]).tolist(), strict=False))
        name_at = {places[name]: name for name in self._scales}
        for place, (_, values) in enumerate(table.items()):
            if (name := name_at.get(place)) is not None:
                scale, start = self._scales[name], starts[name]
                scale.write(self._column(name, scale, values), matrix[:, start : start + scale.width])
        return matrix

    def _matched_table(self, X: Any) -> tuple[pd.DataFrame, dict[str, int]]:
        """Return the table, and the place of each fitted column in it: by name, or by position if either has none."""
        if not is_table(X):
            table = as_table(self._checked_array(X, reset=False))
        else:
            table = as_table(X)
            if self._by_name:
                return table, self._places(table)
            validate_data(self, table, reset=False, skip_check_array=True)
        return table, {name: place for place, name in enumerate(self._names)}

    def _places(self, table: pd.DataFrame) -> dict[str, int]:
        places = {str(name): place for place, name in enumerate(table.columns)}
        for name in self.used_:
            if name not in places:
                raise TableError(f"Column {name!r} is missing; {hint(name, places)}")
        fitted = set(self._names)
        for name in places:
            if name not in fitted:
                raise TableError(f"Column {name!r} was not in the fitted table; {hint(name, self.used_)}")
        return places

    def _column(self, name: str, scale: Scale, values: pd.Series) -> Column:
        kind = self.kinds_[name]
        column = read_column_as(name, values, kind)
        if kind == "embedding" and column.values.shape[1] != scale.width:
            raise TableError(f"Column {name!r} had {scale.width} numbers per row, now {column.values.shape[1]}.")
        # Numbers in place of texts are accepted only if some of them are known categories.
        if isinstance(scale, CategoryScale) and pd.api.types.is_numeric_dtype(values) and scale.all_unknown(column):
            row = int((~column.missing).argmax())
            raise kind_error(name, kind, row, values.iloc[row])
        return column

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the encoded columns.

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Names of the columns. If the fitted table had names, they must be the same.

        Returns
        -------
        names : ndarray of str
            For instance "size", "color=red" and "color is missing".
        """
        check_is_fitted(self)
        given = self._names if input_features is None else _check_feature_names_in(self, input_features)
        name_of = dict(zip(self._names, given, strict=True))
        return np.array(
            [out for name, scale in self._scales.items() for out in scale.names(name_of[name])], dtype=object
        )

    def columns_of_features(self) -> list[str]:
        """Return, for each encoded column, the name of the column it was made of.

        Returns
        -------
        names : list of str
            For instance "size", "color" and "color".
        """
        check_is_fitted(self)
        return [name for name, scale in self._scales.items() for _ in range(scale.width)]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _requested(parameter: str, requested: Iterable[str], names: list[str]) -> set[str]:
    requested = [requested] if isinstance(requested, str) else requested
    for name in requested:
        if name not in names:
            raise TableError(f"There is no column {name!r} to {parameter}; {hint(name, names)}")
    return set(requested)


def _label_codes(labels: Any, n_rows: int) -> np.ndarray:
    labels = labels if hasattr(labels, "__len__") else np.asarray(labels)
    if len(labels) != n_rows:
        raise TableError(f"There are {len(labels)} labels for {n_rows} rows.")
    codes = pd.factorize(labels if isinstance(labels, pd.Series) else pd.Series(labels))[0]
    if (codes < 0).any():
        raise TableError(f"The label of row {(codes < 0).argmax() + 1} is missing.")
    return codes
