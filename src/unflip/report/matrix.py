"""The matrix of flagged labels, given by suggested, with a shade for each count."""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

from unflip.report.document_format import Document

MAX_CLASSES = 12
N_SHADES = 8


def flagged_matrix(document: Document) -> dict[str, Any]:
    """Return the counts of the classes with the most flagged labels, each with a shade from 0 to 8."""
    counts, names = document["flagged"], document["classes"]
    given = [sum(row) for row in counts]
    suggested = [sum(column) for column in zip(*counts, strict=True)]
    involved = [c for c in range(len(counts)) if given[c] or suggested[c]]
    shown = sorted(sorted(involved, key=lambda c: -(given[c] + suggested[c]))[:MAX_CLASSES])
    max_count = max((counts[i][j] for i in shown for j in shown), default=0)
    return {
        "columns": [names[c] for c in shown],
        "rows": [
            {"name": names[i], "total": given[i],
             "cells": [{"count": counts[i][j], "shade": shade(counts[i][j], max_count), "same": i == j} for j in shown]}
            for i in shown
        ],
        "n_involved": len(involved),
        "n_shown": sum(counts[i][j] for i in shown for j in shown),
        "total": sum(given),
    }  # fmt: skip


def shade(count: int, max_count: int) -> int:
    """Return 0 for no label, and up to 8 for the largest count; square roots keep small counts visible.

    >>> [shade(count, 100) for count in (0, 1, 25, 100)]
    [0, 1, 4, 8]
    """
    return ceil(N_SHADES * sqrt(count / max_count)) if count and max_count else 0
