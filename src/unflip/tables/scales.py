"""Columns as coordinates: a full range of one weighs as much as another category of another, which is 1.

Each scale is learned from one column, says how many coordinates it needs, and writes them into a block of the matrix.
These are a few lines of our own: scikit-learn's transformers would each return a copy to be stacked, and none of them
places missing values, dates and unknown categories as described here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MOST_CATEGORIES = 50
MISMATCH = np.sqrt(0.5)  # two one-hot columns that differ are 1 apart
CORE = (0.01, 0.99)  # the quantiles between which a number's full range lies: outliers do not decide it
FARTHEST = 1e100  # squares of coordinates stay finite
N_PAIRS = 2000


def scale_of(column):
    """Return the scale learned from a column."""
    return {"category": Categories, "embedding": CommonScale}.get(column.kind, Range).learn(column)


@dataclass(frozen=True)
class Range:
    """Numbers, dates and booleans: 0 at the low end, 1 at the high, on beyond both; missing ones in the middle."""

    low: float
    high: float
    marks_missing: bool

    @classmethod
    def learn(cls, column):
        """Take the range without outliers; of a column that is nearly constant, the whole."""
        missing = column.missing
        if column.kind == "boolean":
            return cls(0.0, 1.0, bool(missing.any()))
        numbers = column.values[~missing]
        low, high = np.quantile(numbers, CORE)
        if low == high:
            low, high = numbers.min(), numbers.max()
        return cls(float(low), float(high), bool(missing.any()))

    @property
    def width(self):
        """How many coordinates."""
        return 1 + self.marks_missing

    def names(self, column):
        """Return the names of the coordinates."""
        return [column, *([f"{column} is missing"] if self.marks_missing else [])]

    def write(self, column, block):
        """Write the coordinates of a column."""
        missing = column.missing
        halves = column.values / 2 - self.low / 2  # the difference of the largest floats is no float
        with np.errstate(over="ignore"):
            halves /= (self.high / 2 - self.low / 2) or 0.5
        np.clip(halves, -FARTHEST, FARTHEST, out=halves)
        halves[missing] = 0.5
        block[:, 0] = halves
        if self.marks_missing:
            block[:, 1] = MISMATCH * missing


@dataclass(frozen=True)
class Categories:
    """One coordinate for each of the most common texts, and one for missing; other texts have none."""

    known: tuple[str, ...]
    marks_missing: bool

    @classmethod
    def learn(cls, column):
        """Take the most common texts; of equally common ones the first by alphabet."""
        counts = np.bincount(column.values[column.values >= 0], minlength=len(column.texts))
        by_count = sorted(zip(-counts, column.texts, strict=True))
        known = sorted(text for _, text in by_count[:MOST_CATEGORIES])
        return cls(tuple(known), bool(column.missing.any()))

    @property
    def width(self):
        """How many coordinates."""
        return len(self.known) + self.marks_missing

    def names(self, column):
        """Return the names of the coordinates."""
        return [*(f"{column}={text}" for text in self.known), *([f"{column} is missing"] if self.marks_missing else [])]

    def write(self, column, block):
        """Write the coordinates of a column into a block of zeros."""
        places = {text: place for place, text in enumerate(self.known)}
        of_text = np.array([places.get(text, -1) for text in column.texts] + [self._place_of_missing()])
        place = of_text[column.values]
        rows = np.flatnonzero(place >= 0)
        block[rows, place[rows]] = MISMATCH

    def _place_of_missing(self):
        return len(self.known) if self.marks_missing else -1

    def knows_any(self, column):
        """Tell whether a column has one of the known texts, or none at all."""
        return len(column.texts) == 0 or not set(self.known).isdisjoint(column.texts)


@dataclass(frozen=True)
class CommonScale:
    """An embedding divided by one number: random rows are a distance of about 1 apart."""

    size: float
    width: int

    @classmethod
    def learn(cls, column):
        """Take the median distance of random pairs; which pairs is fixed, so that results repeat."""
        first, second = np.random.RandomState(0).randint(len(column.values), size=(2, N_PAIRS))
        apart = np.linalg.norm(column.values[first] - column.values[second], axis=1)
        apart = apart[apart > 0]  # a pair may be one row twice
        return cls(float(np.median(apart)) if len(apart) else 1.0, column.values.shape[1])

    def names(self, column):
        """Return the names of the coordinates."""
        return [f"{column}[{number}]" for number in range(self.width)]

    def write(self, column, block):
        """Write the coordinates of a column."""
        np.divide(column.values, self.size, out=block)
