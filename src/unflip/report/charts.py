"""The charts of noise rates and of probabilities: where dots, lines and bars go, in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

from unflip.foundation.text import percent
from unflip.report.document_format import Document
from unflip.report.wording import all_finite, interval_text, shorten

WIDTH = 440
MAX_RATES = 20
NAME_WIDTH = 138
VALUE_WIDTH = 44
STEP = 26
TOP = 8
HISTOGRAM_LEFT = 52
HISTOGRAM_HEIGHT = 210
HISTOGRAM_WIDTH = WIDTH - HISTOGRAM_LEFT - 6


def rates_chart(document: Document) -> dict[str, Any]:
    """Return a dot and an interval line for each class; of many classes, those with the highest rates."""
    rates = document["rates"]
    classes = list(range(len(rates["rates"])))
    shown = classes
    if len(classes) > MAX_RATES:
        shown = sorted(classes, key=lambda c: -_or_zero(rates["rates"][c]))[:MAX_RATES]
    ends = [_or_zero(value) for c in shown for value in (rates["rates"][c], *(rates["interval"][c] or ()))]
    ticks = share_ticks(max(ends, default=0))
    bottom = TOP + STEP * len(shown)
    return {
        "width": WIDTH,
        "height": bottom + 40,
        "left": NAME_WIDTH,
        "bottom": bottom,
        "middle": (NAME_WIDTH + WIDTH - VALUE_WIDTH) / 2,
        "ticks": [{"x": _rate_x(tick, ticks[-1]), "text": f"{100 * tick:g}%"} for tick in ticks],
        "lines": [_rate_line(document, c, TOP + STEP * (i + 0.5), ticks[-1]) for i, c in enumerate(shown)],
        "n_classes": len(classes),
        "confidence": f"{rates['confidence']:.0%}",
    }


def _rate_line(document: Document, c: int, y: float, max_share: float) -> dict[str, Any]:
    rate, interval = document["rates"]["rates"][c], document["rates"]["interval"][c]
    ends = [_rate_x(end, max_share) for end in interval] if interval and all_finite(*interval) else None
    return {
        "name": document["classes"][c],
        "short": shorten(document["classes"][c], 16),
        "y": y,
        "x": _rate_x(rate, max_share) if all_finite(rate) else None,
        "ends": sorted(ends) if ends else None,
        "rate": percent(rate),
        "interval": interval_text(interval),
        "n_given": document["n_given"][c],
        "n_flagged": sum(document["flagged"][c]),
    }


def _rate_x(share: float, max_share: float) -> float:
    return round(NAME_WIDTH + (WIDTH - NAME_WIDTH - VALUE_WIDTH) * share / max_share, 1)


def _or_zero(value: float | None) -> float:
    return value if value is not None and all_finite(value) else 0.0


def share_ticks(max_share: float) -> list[float]:
    """Return up to six round shares, from 0 to the first that is not below max_share.

    >>> share_ticks(0.17)
    [0.0, 0.05, 0.1, 0.15, 0.2]
    """
    for step in (0.002, 0.005, 0.01, 0.02, 0.05, 0.1):
        if max_share <= 5 * step:
            break
    else:
        step = 0.2
    ticks = [0.0]
    while ticks[-1] < min(max_share, 1) - 1e-9 or len(ticks) == 1:
        ticks.append(round(ticks[-1] + step, 6))
    return ticks


def histogram_chart(document: Document) -> dict[str, Any]:
    """Return the bars of a histogram of the probability that a label is wrong, on a logarithmic scale."""
    edges = document["histogram"]["edges"]
    counts = [sum(column) for column in zip(*document["histogram"]["counts"], strict=True)]
    max_count = max([*counts, 1])
    bottom = TOP + 14 + HISTOGRAM_HEIGHT
    step = HISTOGRAM_WIDTH / max(len(edges) - 1, 1)
    powers = [10**power for power in range(int(log10(max_count)) + 1)]
    return {
        "width": WIDTH,
        "height": bottom + 40,
        "left": HISTOGRAM_LEFT,
        "bottom": bottom,
        "bar": round(step - 2, 1),
        "bars": _bars(edges, counts, max_count, bottom, step),
        "grid": [{"y": round(bottom - _bar_height(n, max_count), 1), "text": f"{n:,}"} for n in powers],
        "ticks": [{"x": round(HISTOGRAM_LEFT + HISTOGRAM_WIDTH * i / 4, 1), "text": f"{i / 4:g}"} for i in range(5)],
        "middle": (HISTOGRAM_LEFT + WIDTH) / 2,
        "total": sum(counts),
        "above_half": sum(n for i, n in enumerate(counts) if edges[i] >= 0.5 - 1e-9),
    }


def _bars(
    edges: Sequence[float], counts: Sequence[int], max_count: int, bottom: float, step: float
) -> list[dict[str, Any]]:
    heights = [_bar_height(count, max_count) for count in counts]
    return [
        {"x": round(HISTOGRAM_LEFT + step * i + 1, 1), "y": round(bottom - height, 1), "height": round(height, 1),
         "from": f"{edges[i]:.2f}", "to": f"{edges[i + 1]:.2f}", "count": count}
        for i, (count, height) in enumerate(zip(counts, heights, strict=True))
    ]  # fmt: skip


def _bar_height(count: int, max_count: int) -> float:
    # 0.35 keeps the bar of a single label visible: its logarithm is 0.
    return HISTOGRAM_HEIGHT * (log10(count) + 0.35) / (log10(max_count) + 0.35) if count else 0
