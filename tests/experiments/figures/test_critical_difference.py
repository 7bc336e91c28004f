"""The critical difference diagram: nothing overlaps, and bars join methods that do not differ."""

import sys
from itertools import combinations

import numpy as np
import pytest

from unflip import UnflipError
from unflip.experiments.figures.critical_difference import draw_critical_difference, stack_bars
from unflip.experiments.statistics.ranking import alike_groups, nemenyi_critical_difference

NAMES = ["RkNN", "kNN", "IR-LLog", "IR-KSVM", "LD-KSVM", "UE-LLog", "AROW", "NHERD"]
RANKS = [1.9, 3.1, 4.4, 3.15, 5.2, 5.25, 6.3, 6.7]
CASES = {
    "eight methods": (RANKS, NAMES, nemenyi_critical_difference(8, 60)),
    "eight on few data sets": (RANKS, NAMES, nemenyi_critical_difference(8, 12)),
    "eight in long words": (RANKS, [f"A method of many words called {name}" for name in NAMES], 1.3),
    "eight the other way round": ([9 - rank for rank in RANKS], NAMES, 1.3),
    "eight alike": ([4.5] * 8, NAMES, 1.3),
    "an odd number": ([1.2, 2.1, 3.4, 3.5, 4.8], list("abcde"), 1.1),
    "two": ([1.0, 2.0], ["a", "b"], 1.386),
}


def bars(figure):
    return [line for line in figure.axes[0].lines if line.get_linewidth() == 4]


def drawn(case):
    ranks, names, critical_difference = CASES[case]
    return draw_critical_difference(ranks, names=names, critical_difference=critical_difference)


@pytest.mark.parametrize("case", CASES)
def test_no_text_lies_on_another_or_on_a_line(case):
    figure = drawn(case)
    figure.canvas.draw()
    boxes = {text.get_text(): text.get_window_extent() for text in figure.axes[0].texts}
    for (one, box), (other, beside) in combinations(boxes.items(), 2):
        assert not box.overlaps(beside), f"{one} lies on {other}"
    for line in figure.axes[0].lines:
        path = line.get_transform().transform_path(line.get_path())
        for text, box in boxes.items():
            assert not path.intersects_bbox(box, filled=False), f"a line crosses {text}"


@pytest.mark.parametrize("case", CASES)
def test_every_method_stands_there_with_its_rank(case):
    ranks, names, _ = CASES[case]
    texts = [text.get_text() for text in drawn(case).axes[0].texts]
    for rank, name in zip(ranks, names, strict=True):
        assert f"{name}  {rank:.2f}" in texts


def test_the_better_half_stands_on_the_left_and_ranks_go_round():
    texts = [text for text in drawn("an odd number").axes[0].texts if "  " in text.get_text()]
    left, right = ([text for text in texts if text.get_horizontalalignment() == side] for side in ("right", "left"))
    for side, names in ((left, "abc"), (right, "ed")):
        from_the_top = sorted(side, key=lambda text: text.get_position()[1])
        assert "".join(text.get_text()[0] for text in from_the_top) == names


@pytest.mark.parametrize("case", CASES)
def test_each_bar_covers_one_group_and_no_more(case):
    ranks, _, critical_difference = CASES[case]
    covered = [
        {i for i, rank in enumerate(ranks) if line.get_xdata()[0] <= rank <= line.get_xdata()[1]}
        for line in bars(drawn(case))
    ]
    assert sorted(map(sorted, covered)) == sorted(map(sorted, alike_groups(ranks, critical_difference)))


@pytest.mark.parametrize("case", CASES)
def test_bars_do_not_touch_and_lie_between_the_line_of_ranks_and_the_names(case):
    figure = drawn(case)
    names = [text.get_position()[1] for text in figure.axes[0].texts if "  " in text.get_text()]
    for bar in bars(figure):
        assert 0 < bar.get_ydata()[0] < min(names)
    for one, other in combinations(bars(figure), 2):
        if one.get_ydata()[0] == other.get_ydata()[0]:
            (first, second) = sorted([tuple(one.get_xdata()), tuple(other.get_xdata())])
            assert first[1] < second[0]


def test_the_ruler_is_as_long_as_the_critical_difference():
    figure = draw_critical_difference([1.0, 2.0], names=["a", "b"], critical_difference=1.386)
    lengths = [np.ptp(line.get_xdata()) for line in figure.axes[0].lines if line.get_ydata()[0] < -1]
    assert max(lengths) == pytest.approx(1.386)
    ruler = max(figure.axes[0].lines, key=lambda line: max(line.get_xdata()))
    assert not ruler.get_clip_on()


def test_bars_that_almost_meet_go_to_different_levels():
    assert stack_bars([(1, 2), (2.05, 3)], gap=0.1) == [[(1, 2)], [(2.05, 3)]]
    assert stack_bars([(1, 2), (2.05, 3)], gap=0.01) == [[(1, 2), (2.05, 3)]]
    assert stack_bars([], gap=0.1) == []


def test_a_dollar_in_a_name_is_a_dollar():
    figure = draw_critical_difference([1.2, 1.8], names=["$x_", "a$b$"], critical_difference=1)
    figure.canvas.draw()
    assert not any(text.get_parse_math() for text in figure.axes[0].texts if "$" in text.get_text())


@pytest.mark.parametrize(
    ("ranks", "names", "difference", "sentence"),
    [
        ([1.0], ["a"], 1, "'ranks' must be two or more average ranks"),
        ([0.5, 2], ["a", "b"], 1, "'ranks' must be two or more average ranks, each from 1 to their number"),
        ([1, 3], ["a", "b"], 1, "'ranks' must be"),
        ([1, 2], ["a"], 1, r"'names' must be as many as 'ranks' \(2\), got \['a'\]"),
        ([1, 2], ["a", "b"], 0, "'critical_difference' must be a finite number > 0, got 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(ranks, names, difference, sentence):
    with pytest.raises(UnflipError, match=sentence):
        draw_critical_difference(ranks, names=names, critical_difference=difference)


def test_without_matplotlib_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'unflip\[plot\]'"):
        draw_critical_difference([1.2, 1.8], names=["a", "b"], critical_difference=1)
