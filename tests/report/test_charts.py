"""Dots, lines and bars are at the right pixels, with numbers worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report import documents
from unflip.report import to_html
from unflip.report.charts import histogram_chart, rates_chart, share_ticks


def with_rates(rates, intervals):
    document = documents.sized(3, 2, 2, n_classes=len(rates))
    document["rates"].update(rates=rates, interval=intervals)
    return document


def test_dots_and_intervals_are_at_their_shares():
    # 0% is at 138 and 20% at 396 pixels: 5% is 64.5 pixels
    chart = rates_chart(with_rates([0.1, 0.2], [[0.05, 0.15], [0.2, 0.2]]))
    assert [line["x"] for line in chart["lines"]] == [267.0, 396.0]
    assert [line["ends"] for line in chart["lines"]] == [[202.5, 331.5], [396.0, 396.0]]
    assert [tick["x"] for tick in chart["ticks"]] == [138.0, 202.5, 267.0, 331.5, 396.0]
    assert [tick["text"] for tick in chart["ticks"]] == ["0%", "5%", "10%", "15%", "20%"]


def test_the_page_draws_them_there():
    page = to_html(with_rates([0.1, 0.2], [[0.05, 0.15], [0.2, 0.2]]))
    assert '<line class="interval" x1="202.5" x2="331.5"' in page
    assert '<circle class="dot" cx="267.0"' in page


def test_lines_name_the_class_its_rate_and_its_counts():
    document = with_rates([0.1, 0.2], [[0.05, 0.15], None])
    document.update(n_given=[70, 30], flagged=[[0, 4], [2, 0]])
    first, second = rates_chart(document)["lines"]
    assert (first["name"], first["rate"], first["interval"]) == ("active", "10%", "5.0% to 15%")
    assert (first["n_given"], first["n_flagged"]) == (70, 4)
    assert (second["interval"], second["ends"]) == ("unknown", None)


def test_unknown_rates_have_no_dot_and_reversed_intervals_are_sorted():
    first, second = rates_chart(with_rates([float("nan"), 0.1], [[None, 0.2], [0.2, 0.1]]))["lines"]
    assert (first["x"], first["ends"], first["rate"]) == (None, None, "unknown")
    assert second["ends"] == sorted(second["ends"])


def test_of_many_classes_the_highest_rates_are_drawn_in_descending_order():
    rates = [c / 1000 for c in range(25)]
    chart = rates_chart(with_rates(rates, [None] * 25))
    assert [line["name"] for line in chart["lines"]] == [f"class {c}" for c in range(24, 4, -1)]
    assert chart["n_classes"] == 25


@pytest.mark.parametrize(
    ("max_share", "ticks"),
    [
        (0, [0, 0.002]),
        (0.01, [0, 0.002, 0.004, 0.006, 0.008, 0.01]),
        (0.3, [0, 0.1, 0.2, 0.3]),
        (0.7, [0, 0.2, 0.4, 0.6, 0.8]),
    ],
)
def test_ticks_by_hand(max_share, ticks):
    assert share_ticks(max_share) == ticks


@given(st.floats(0, 1))
def test_ticks_are_at_most_six_and_cover_the_largest_share(max_share):
    ticks = share_ticks(max_share)
    assert 2 <= len(ticks) <= 6
    assert ticks[0] == 0
    assert ticks[-1] >= max_share - 1e-9
    assert ticks[-2] < max_share or len(ticks) == 2


def histogram(edges, *counts):
    return histogram_chart({"histogram": {"edges": edges, "counts": list(counts)}})


def test_bars_are_logarithmic_and_add_up_the_classes():
    chart = histogram([0, 0.25, 0.5, 0.75, 1.0], [60, 0, 1, 4], [40, 0, 0, 6])
    assert [bar["count"] for bar in chart["bars"]] == [100, 0, 1, 10]
    # Heights: 210 (log10(count) + 0.35) / 2.35
    assert [bar["height"] for bar in chart["bars"]] == [210.0, 0, 31.3, 120.6]
    assert [bar["y"] for bar in chart["bars"]] == [22.0, 232, 200.7, 111.4]
    # 382 pixels in four steps of 95.5, after a left margin of 52
    assert [bar["x"] for bar in chart["bars"]] == [53.0, 148.5, 244.0, 339.5]
    assert (chart["bar"], chart["bottom"]) == (93.5, 232)
    assert [(bar["from"], bar["to"]) for bar in chart["bars"]][1] == ("0.25", "0.50")


def test_grid_lines_are_powers_of_ten_and_labels_above_one_half_are_counted():
    chart = histogram([0, 0.25, 0.5, 0.75, 1.0], [100, 0, 1, 10])
    assert [line["text"] for line in chart["grid"]] == ["1", "10", "100"]
    assert [line["y"] for line in chart["grid"]] == [200.7, 111.4, 22.0]
    assert (chart["total"], chart["above_half"]) == (111, 11)
    assert [(tick["x"], tick["text"]) for tick in chart["ticks"]][::2] == [(52.0, "0"), (243.0, "0.5"), (434.0, "1")]


def test_a_histogram_without_labels_has_no_bars():
    chart = histogram([0, 0.5, 1.0], [0, 0])
    assert [bar["height"] for bar in chart["bars"]] == [0, 0]
    assert [line["text"] for line in chart["grid"]] == ["1"]
