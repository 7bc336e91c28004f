"""Scales turn columns into coordinates of equal weight: the full range of a number counts as one category mismatch, 1.

Each scale is learned from one column, knows how many coordinates it needs, and writes them into a block of the matrix.
scikit-learn's transformers would each return a copy to stack, and none of them places missing values, dates and unknown
categories as described here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import sparse

from unflip.tables.columns import Column

MAX_CATEGORIES = 50
MISMATCH = np.sqrt(0.5)  # two different one-hot rows are 1 apart
CORE_QUANTILES = (0.01, 0.99)  # the range of a number, without outliers
MAX_COORDINATE = 1e100  # its square is finite
N_PAIRS = 2000


class Scale(Protocol):
    """Turns one column into coordinates."""

    @property
    def width(self) -> int:
        """Number of coordinates."""

    def names(self, column: str) -> list[str]:
        """Return the names of the coordinates."""

    def write(self, column: Column, block: np.ndarray) -> None:
        """Write the coordinates of a column into a block of zeros."""


def learn_scale(column: Column) -> Scale:
    """Return the scale learned from a column."""
    if column.kind == "category":
        return CategoryScale.learn(column)
    if column.kind == "embedding":
        return EmbeddingScale.learn(column)
    return RangeScale.learn(column)


@dataclass(frozen=True)
class RangeScale:
    """Numbers, dates and booleans: 0 at the low end, 1 at the high end, linear beyond; missing values in the middle."""

    low: float
    high: float
    marks_missing: bool

    @classmethod
    def learn(cls, column: Column) -> RangeScale:
        """Learn the range without outliers, or the full range of a nearly constant column."""
        missing = column.missing
        if column.kind == "boolean":
            return cls(0.0, 1.0, bool(missing.any()))
        numbers = column.values[~missing]
        low, high = np.quantile(numbers, CORE_QUANTILES)
        if low == high:
            low, high = numbers.min(), numbers.max()
        return cls(float(low), float(high), bool(missing.any()))

    @property
    def width(self) -> int:
        """Number of coordinates."""
        return 1 + self.marks_missing

    def names(self, column: str) -> list[str]:
        """Return the names of the coordinates."""
        return [column, *_missing_name(column, self.marks_missing)]

    def write(self, column: Column, block: np.ndarray) -> None:
        """Write the coordinates of a column into a block of zeros."""
        missing = column.missing
        halves = column.values / 2 - self.low / 2  # the difference of the largest floats would overflow
        with np.errstate(over="ignore"):
            halves /= (self.high / 2 - self.low / 2) or 0.5
        np.clip(halves, -MAX_COORDINATE, MAX_COORDINATE, out=halves)
        halves[missing] = 0.5
        block[:, 0] = halves
        if self.marks_missing:
            block[:, 1] = MISMATCH * missing


@dataclass(frozen=True)
class CategoryScale:
    """One coordinate for each of the most common categories, and one for missing; all other categories are zero."""

    categories: tuple[str, ...]
    marks_missing: bool

    @classmethod
    def learn(cls, column: Column) -> CategoryScale:
        """Learn the most common categories; ties go to the alphabetically first."""
        assert column.texts is not None
        counts = np.bincount(column.values[column.values >= 0], minlength=len(column.texts))
        by_count = sorted(zip(-counts, column.texts, strict=True))
        categories = sorted(text for _, text in by_count[:MAX_CATEGORIES])
        return cls(tuple(categories), bool(column.missing.any()))

    @property
    def width(self) -> int:
        """Number of coordinates."""
        return len(self.categories) + self.marks_missing

    def names(self, column: str) -> list[str]:
        """Return the names of the coordinates."""
        return [*(f"{column}={text}" for text in self.categories), *_missing_name(column, self.marks_missing)]

    def write(self, column: Column, block: np.ndarray) -> None:
        """Write the coordinates of a column into a block of zeros."""
        rows, places = self._places(column)
        block[rows, places] = MISMATCH

    def sparse_block(self, column: Column) -> sparse.csr_array:
        """Return the coordinates of a column as a sparse matrix."""
        rows, places = self._places(column)
        shape = (len(column.values), self.width)
        return sparse.csr_array((np.full(len(rows), MISMATCH), (rows, places)), shape=shape)

    def _places(self, column: Column) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows that have a coordinate, and which."""
        assert column.texts is not None
        place_of = {text: place for place, text in enumerate(self.categories)}
        place_of_missing = len(self.categories) if self.marks_missing else -1
        places = np.array([place_of.get(text, -1) for text in column.texts] + [place_of_missing])[column.values]
        rows = np.flatnonzero(places >= 0)
        return rows, places[rows]

    def all_unknown(self, column: Column) -> bool:
        """Tell whether a column has texts, but none of the known categories."""
        assert column.texts is not None
        return len(column.texts) > 0 and set(self.categories).isdisjoint(column.texts)


@dataclass(frozen=True)
class EmbeddingScale:
    """An embedding divided by one number, so that random rows are about 1 apart."""

    divisor: float
    width: int

    @classmethod
    def learn(cls, column: Column) -> EmbeddingScale:
        """Learn the median distance of random pairs; the pairs are fixed, so results are reproducible."""
        first, second = np.random.RandomState(0).randint(len(column.values), size=(2, N_PAIRS))
        apart = np.linalg.norm(column.values[first] - column.values[second], axis=1)
        apart = apart[apart > 0]  # a pair may be the same row twice
        return cls(float(np.median(apart)) if len(apart) else 1.0, column.values.shape[1])

    def names(self, column: str) -> list[str]:
        """Return the names of the coordinates."""
        return [f"{column}[{number}]" for number in range(self.width)]

    def write(self, column: Column, block: np.ndarray) -> None:
        """Write the coordinates of a column."""
        np.divide(column.values, self.divisor, out=block)


def _missing_name(column: str, marks_missing: bool) -> list[str]:
    return [f"{column} is missing"] if marks_missing else []
