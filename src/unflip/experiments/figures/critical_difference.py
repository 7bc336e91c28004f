"""The critical difference diagram: methods on an axis of average ranks, with bars joining those that do not differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from unflip.experiments.statistics.ranking import alike_groups
from unflip.foundation.checks import check_positive
from unflip.foundation.errors import refusal
from unflip.foundation.optional import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Heights in lines of text, downward from the axis.
TICK, BAR_STEP, NAME_STEP = 0.25, 0.5, 1.0
RULER_HEIGHT = 1.6
INCHES_PER_LINE, INCHES_OF_RANKS = 0.28, 4.2
# Fractions of the length of the axis: its distance to the names, and how far bars extend beyond their methods.
MARGIN, OVERHANG = 0.06, 0.008
LIGHT, DARK = "0.45", "black"
OWNER = "draw_critical_difference"


def draw_critical_difference(ranks: ArrayLike, *, names: Sequence[str], critical_difference: float) -> Figure:
    """Draw average ranks, the critical difference, and bars joining methods that do not differ.

    Parameters
    ----------
    ranks : array-like of shape (n_methods,)
        Average ranks; the lowest, which is best, is on the left.
    names : sequence of str
        Names of the methods.
    critical_difference : float
        As returned by `unflip.experiments.statistics.ranking.nemenyi_critical_difference`.

    Returns
    -------
    figure : matplotlib Figure
        Not attached to a window: save it, or show it in a notebook.

    Examples
    --------
    >>> from unflip.experiments.figures.critical_difference import draw_critical_difference
    >>> figure = draw_critical_difference([1.4, 2.1, 2.5], names=["a", "b", "c"], critical_difference=0.8)
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['1', '2', '3', 'CD = 0.80', 'a  1.40', 'b  2.10', 'c  2.50']
    """
    ranks = _checked_ranks(ranks, names, critical_difference)
    n_methods = len(ranks)
    overhang = OVERHANG * (n_methods - 1)
    bars = [_bar(ranks, group, overhang) for group in alike_groups(ranks, critical_difference)]
    levels = stack_bars(bars, gap=overhang)
    first_name = BAR_STEP * (len(levels) + 1) + TICK
    bottom = first_name + NAME_STEP * ((n_methods + 1) // 2 - 0.5)
    size = (INCHES_OF_RANKS * (1 + 2 * MARGIN), INCHES_PER_LINE * (bottom + RULER_HEIGHT + 1))
    figure = optional("matplotlib.figure", "plot", OWNER).Figure(figsize=size)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_ylim(bottom, -RULER_HEIGHT - 1)
    margin = MARGIN * (n_methods - 1)
    ax.set_xlim(1 - margin, n_methods + margin)
    _draw_axis(ax, n_methods)
    _draw_ruler(ax, critical_difference)
    _draw_names(ax, ranks, names, first_name)
    for level, bars_of_level in enumerate(levels):
        for bar in bars_of_level:
            ax.plot(bar, [BAR_STEP * (level + 1)] * 2, color=DARK, linewidth=4, solid_capstyle="butt")
    return figure


def _checked_ranks(ranks: ArrayLike, names: Sequence[str], critical_difference: float) -> np.ndarray:
    ranks = np.asarray(ranks, dtype=float)
    if ranks.ndim != 1 or len(ranks) < 2 or not ((ranks >= 1) & (ranks <= len(ranks))).all():
        raise refusal(OWNER, "ranks", "two or more average ranks, each from 1 to their number", ranks.tolist())
    if len(names) != len(ranks):
        raise refusal(OWNER, "names", f"as many as 'ranks' ({len(ranks)})", names)
    check_positive(OWNER, "critical_difference", critical_difference)
    return ranks


def stack_bars(bars: Iterable[tuple[float, float]], *, gap: float) -> list[list[tuple[float, float]]]:
    """Distribute bars over levels without overlap, each on the first level that has room.

    Parameters
    ----------
    bars : iterable of tuple
        The start and end of each bar.
    gap : float
        Bars on one level are more than this far apart.

    Returns
    -------
    levels : list of list of tuple
        The bars of each level, from left to right.

    Examples
    --------
    >>> stack_bars([(1.0, 2.0), (1.5, 3.0), (2.5, 4.0)], gap=0.1)
    [[(1.0, 2.0), (2.5, 4.0)], [(1.5, 3.0)]]
    """
    levels: list[list[tuple[float, float]]] = []
    for bar in sorted(bars):
        for level in levels:
            if level[-1][1] + gap < bar[0]:
                level.append(bar)
                break
        else:
            levels.append([bar])
    return levels


def _bar(ranks: np.ndarray, group: tuple[int, ...], overhang: float) -> tuple[float, float]:
    """Return the ends of a group's bar, which extends beyond its methods but not to any other method."""
    start, end = ranks[group[0]], ranks[group[-1]]
    before = start - ranks[ranks < start].max(initial=-np.inf)
    after = ranks[ranks > end].min(initial=np.inf) - end
    return start - min(overhang, before / 2), end + min(overhang, after / 2)


def _draw_axis(ax: Axes, n_methods: int) -> None:
    ax.plot([1, n_methods], [0, 0], color=DARK, linewidth=1)
    for rank in range(1, n_methods + 1):
        ax.plot([rank, rank], [0, -TICK], color=DARK, linewidth=1)
        ax.text(rank, -TICK - 0.1, str(rank), ha="center", va="bottom")


def _draw_ruler(ax: Axes, critical_difference: float) -> None:
    ends = [1, 1 + critical_difference]  # not clipped: with few data sets it is longer than the axis
    ax.plot(ends, [-RULER_HEIGHT] * 2, color=DARK, linewidth=1, clip_on=False)
    tick = [-RULER_HEIGHT - TICK / 2, -RULER_HEIGHT + TICK / 2]
    for end in ends:
        ax.plot([end, end], tick, color=DARK, linewidth=1, clip_on=False)
    ax.text(float(np.mean(ends)), -RULER_HEIGHT - 0.2, f"CD = {critical_difference:.2f}", ha="center", va="bottom")


def _draw_names(ax: Axes, ranks: np.ndarray, names: Sequence[str], first_name: float) -> None:
    """Put the better half on the left, best on top, and the worse half on the right, worst on top."""
    order = np.argsort(ranks, kind="stable")
    half = (len(order) + 1) // 2
    left, right = ax.get_xlim()
    for methods, edge, outward, side in ((order[:half], left, -1, "right"), (order[half:][::-1], right, 1, "left")):
        for line, method in enumerate(methods):
            rank, height = ranks[method], first_name + NAME_STEP * line
            ax.plot([rank, rank, edge], [0, height, height], color=LIGHT, linewidth=0.9, zorder=1)
            text = f"{names[method]}  {rank:.2f}"
            gap = outward * 0.01 * (right - left)
            ax.text(edge + gap, height, text, ha=side, va="center", parse_math=False)
