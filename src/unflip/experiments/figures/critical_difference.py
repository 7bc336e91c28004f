"""The critical-difference picture: methods on a line of average ranks, bars over those that do not differ."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from unflip.experiments.statistics.ranking import alike_groups
from unflip.foundation.checks import check_positive
from unflip.foundation.errors import refusal
from unflip.foundation.optional import optional

# Heights in the unit of one line of text, downward from the line of ranks.
TICK, BAR_STEP, NAME_STEP = 0.25, 0.5, 1.0
RULER_HEIGHT = 1.6
INCHES_PER_LINE, INCHES_OF_RANKS = 0.28, 4.2
# Shares of the length of the line of ranks: from it to the names, and how far a bar sticks out.
MARGIN, OVERHANG = 0.06, 0.008
LIGHT, DARK = "0.45", "black"


def draw_critical_difference(ranks, *, names, critical_difference):
    """Draw average ranks, the critical difference, and bars that join the methods which do not differ.

    Parameters
    ----------
    ranks : array-like of shape (n_methods,)
        Average ranks; the best, the lowest, stands on the left.
    names : sequence of str
        Of the methods.
    critical_difference : float
        As `unflip.experiments.statistics.ranking.nemenyi_critical_difference` returns it.

    Returns
    -------
    figure : matplotlib Figure
        Of no window: save it, or show it in a notebook.

    See Also
    --------
    write_critical_difference : Draws into files.

    Examples
    --------
    >>> from unflip.experiments.figures.critical_difference import draw_critical_difference
    >>> figure = draw_critical_difference([1.4, 2.1, 2.5], names=["a", "b", "c"], critical_difference=0.8)
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['1', '2', '3', 'CD = 0.80', 'a  1.40', 'b  2.10', 'c  2.50']
    """
    owner = "draw_critical_difference"
    ranks = np.asarray(ranks, dtype=float)
    if ranks.ndim != 1 or len(ranks) < 2 or not ((ranks >= 1) & (ranks <= len(ranks))).all():
        raise refusal(owner, "ranks", "two or more average ranks, each from 1 to their number", ranks.tolist())
    if len(names) != len(ranks):
        raise refusal(owner, "names", f"as many as 'ranks' ({len(ranks)})", names)
    check_positive(owner, "critical_difference", critical_difference)
    overhang = OVERHANG * (len(ranks) - 1)
    bars = [_bar(ranks, group, overhang) for group in alike_groups(ranks, critical_difference)]
    levels = stack_bars(bars, gap=overhang)
    first_name = BAR_STEP * (len(levels) + 1) + TICK
    n_lines = (len(ranks) + 1) // 2
    bottom = first_name + NAME_STEP * (n_lines - 0.5)
    figure = optional("matplotlib.figure", "plot", owner).Figure(
        figsize=(INCHES_OF_RANKS * (1 + 2 * MARGIN), INCHES_PER_LINE * (bottom + RULER_HEIGHT + 1))
    )
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_ylim(bottom, -RULER_HEIGHT - 1)
    margin = MARGIN * (len(ranks) - 1)
    ax.set_xlim(1 - margin, len(ranks) + margin)
    _draw_line_of_ranks(ax, len(ranks))
    _draw_ruler(ax, critical_difference)
    _draw_names(ax, ranks, names, first_name)
    for level, bars_of_level in enumerate(levels):
        for bar in bars_of_level:
            ax.plot(bar, [BAR_STEP * (level + 1)] * 2, color=DARK, linewidth=4, solid_capstyle="butt")
    return figure


def write_critical_difference(path, ranks, *, names, critical_difference):
    """Write the picture as SVG and as PNG, the same bytes each time.

    Parameters
    ----------
    path : str or Path
        Without an ending: ".svg" and ".png" are put behind it.
    ranks : array-like of shape (n_methods,)
        Average ranks.
    names : sequence of str
        Of the methods.
    critical_difference : float
        In ranks.

    Returns
    -------
    paths : tuple of Path
        The two files.
    """
    figure = draw_critical_difference(ranks, names=names, critical_difference=critical_difference)
    svg, png = (Path(f"{path}.{ending}") for ending in ("svg", "png"))
    matplotlib = optional("matplotlib", "plot", "write_critical_difference")
    with matplotlib.rc_context({"svg.hashsalt": "unflip"}):
        figure.savefig(svg, bbox_inches="tight", metadata={"Date": None})
    figure.savefig(png, bbox_inches="tight", dpi=200)
    return svg, png


def stack_bars(bars, *, gap):
    """Sort bars into levels in which there is a gap from each to the next, each bar as high up as it can go.

    >>> stack_bars([(1.0, 2.0), (1.5, 3.0), (2.5, 4.0)], gap=0.1)
    [[(1.0, 2.0), (2.5, 4.0)], [(1.5, 3.0)]]
    """
    levels = []
    for bar in sorted(bars):
        for level in levels:
            if level[-1][1] + gap < bar[0]:
                level.append(bar)
                break
        else:
            levels.append([bar])
    return levels


def _bar(ranks, group, overhang):
    """Return the ends of a group's bar, which stick out, but never as far as a method outside it."""
    start, end = ranks[group[0]], ranks[group[-1]]
    before = start - ranks[ranks < start].max(initial=-np.inf)
    after = ranks[ranks > end].min(initial=np.inf) - end
    return start - min(overhang, before / 2), end + min(overhang, after / 2)


def _draw_line_of_ranks(ax, n_methods):
    ax.plot([1, n_methods], [0, 0], color=DARK, linewidth=1)
    for rank in range(1, n_methods + 1):
        ax.plot([rank, rank], [0, -TICK], color=DARK, linewidth=1)
        ax.text(rank, -TICK - 0.1, str(rank), ha="center", va="bottom")


def _draw_ruler(ax, critical_difference):
    ends = [1, 1 + critical_difference]  # with few data sets longer than the line of ranks, hence no clipping
    ax.plot(ends, [-RULER_HEIGHT] * 2, color=DARK, linewidth=1, clip_on=False)
    for end in ends:
        ax.plot(
            [end, end], [-RULER_HEIGHT - TICK / 2, -RULER_HEIGHT + TICK / 2], color=DARK, linewidth=1, clip_on=False
        )
    ax.text(np.mean(ends), -RULER_HEIGHT - 0.2, f"CD = {critical_difference:.2f}", ha="center", va="bottom")


def _draw_names(ax, ranks, names, first_name):
    """Put the better half on the left, the best on top, and the other on the right, the last on top."""
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
