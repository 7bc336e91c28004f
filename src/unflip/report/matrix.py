"""The table of flagged labels, given by suggested, with a shade for each count."""

from __future__ import annotations

from math import ceil, sqrt

MOST_CLASSES = 12
SHADES = 8


def flagged_matrix(document):
    """Return the counts of the classes with most flagged labels, each with a shade from 0 to 8."""
    counts = document["flagged"]
    leaving = [sum(row) for row in counts]
    coming = [sum(column) for column in zip(*counts, strict=True)]
    every = range(len(counts))
    involved = [c for c in every if leaving[c] or coming[c]]
    shown = sorted(sorted(involved, key=lambda c: -(leaving[c] + coming[c]))[:MOST_CLASSES])
    most = max((counts[i][j] for i in shown for j in shown), default=0)
    names = document["classes"]
    return {
        "columns": [names[c] for c in shown],
        "rows": [
            {"name": names[i], "total": leaving[i],
             "cells": [{"count": counts[i][j], "shade": shade(counts[i][j], most), "same": i == j} for j in shown]}
            for i in shown
        ],
        "n_involved": len(involved),
        "n_classes": len(counts),
        "inside": sum(counts[i][j] for i in shown for j in shown),
        "total": sum(leaving),
    }  # fmt: skip


def shade(count, most):
    """Return 0 for no label and up to 8 for the most, by square roots so that small counts are seen.

    >>> [shade(count, 100) for count in (0, 1, 25, 100)]
    [0, 1, 4, 8]
    """
    return ceil(SHADES * sqrt(count / most)) if count and most else 0
