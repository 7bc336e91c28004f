"""Where the dots, lines and bars of the noise rates and of the histogram go, in pixels."""

from __future__ import annotations

from math import log10

from unflip.report.wording import all_finite, percent, shorten, span

WIDTH = 440
MOST_RATES = 20
NAME_WIDTH = 138
VALUE_WIDTH = 44
STEP = 26
TOP = 8
HISTOGRAM_HEIGHT = 210


def rates_drawing(document):
    """Return a dot and an interval line for each class, the highest rates first where there are many classes."""
    rates = document["rates"]
    every = range(len(rates["rates"]))
    shown = sorted(every, key=lambda c: -_or_zero(rates["rates"][c]))[:MOST_RATES]
    if len(every) <= MOST_RATES:
        shown = list(every)
    ends = [_or_zero(value) for c in shown for value in (rates["rates"][c], *(rates["interval"][c] or ()))]
    ticks = share_ticks(max(ends, default=0))
    lines = [_rate_line(document, c, TOP + STEP * (place + 0.5), ticks[-1]) for place, c in enumerate(shown)]
    bottom = TOP + STEP * len(shown)
    return {
        "width": WIDTH,
        "height": bottom + 40,
        "left": NAME_WIDTH,
        "bottom": bottom,
        "middle": (NAME_WIDTH + WIDTH - VALUE_WIDTH) / 2,
        "ticks": [{"x": _rate_place(tick, ticks[-1]), "text": f"{100 * tick:g}%"} for tick in ticks],
        "lines": lines,
        "n_classes": len(every),
        "confidence": f"{rates['confidence']:.0%}",
    }


def _rate_line(document, c, y, most):
    rate, interval = document["rates"]["rates"][c], document["rates"]["interval"][c]
    ends = [_rate_place(end, most) for end in interval] if interval and all_finite(*interval) else None
    return {
        "name": document["classes"][c],
        "short": shorten(document["classes"][c], 16),
        "y": y,
        "x": _rate_place(rate, most) if all_finite(rate) else None,
        "ends": sorted(ends) if ends else None,
        "rate": percent(rate),
        "interval": span(interval),
        "n_given": document["n_given"][c],
        "n_flagged": sum(document["flagged"][c]),
    }


def _rate_place(share, most):
    return round(NAME_WIDTH + (WIDTH - NAME_WIDTH - VALUE_WIDTH) * share / most, 1)


def _or_zero(value):
    return value if all_finite(value) else 0.0


def share_ticks(most):
    """Return up to six round shares from 0 to the first that is not below the most.

    >>> share_ticks(0.17)
    [0.0, 0.05, 0.1, 0.15, 0.2]
    """
    for step in (0.002, 0.005, 0.01, 0.02, 0.05, 0.1):
        if most <= 5 * step:
            break
    else:
        step = 0.2
    ticks = [0.0]
    while ticks[-1] < min(most, 1) - 1e-9 or len(ticks) == 1:
        ticks.append(round(ticks[-1] + step, 6))
    return ticks


def histogram_drawing(document):
    """Return the bars of how many labels have each probability of being wrong, on a logarithmic scale."""
    edges = document["histogram"]["edges"]
    counts = [sum(column) for column in zip(*document["histogram"]["counts"], strict=True)]
    most = max([*counts, 1])
    left, bottom = 52, TOP + 14 + HISTOGRAM_HEIGHT
    step = (WIDTH - left - 6) / max(len(edges) - 1, 1)

    def height(count):
        return HISTOGRAM_HEIGHT * (log10(count) + 0.35) / (log10(most) + 0.35) if count else 0

    bars = [
        {"x": round(left + step * i + 1, 1), "y": round(bottom - height(n), 1), "height": round(height(n), 1),
         "from": f"{edges[i]:.2f}", "to": f"{edges[i + 1]:.2f}", "count": n}
        for i, n in enumerate(counts)
    ]  # fmt: skip
    tens = [10**power for power in range(int(log10(most)) + 1)]
    return {
        "width": WIDTH,
        "height": bottom + 40,
        "left": left,
        "bottom": bottom,
        "bar": round(step - 2, 1),
        "bars": bars,
        "grid": [{"y": round(bottom - height(ten), 1), "text": f"{ten:,}"} for ten in tens],
        "ticks": [{"x": round(left + (WIDTH - left - 6) * part / 4, 1), "text": f"{part / 4:g}"} for part in range(5)],
        "middle": (left + WIDTH) / 2,
        "total": sum(counts),
        "above_half": sum(n for i, n in enumerate(counts) if edges[i] >= 0.5 - 1e-9),
    }
