"""Numbers, names and sentences of the report."""

import pytest

from report import documents
from unflip.foundation.text import percent
from unflip.report.wording import (
    all_finite,
    cleaning_sentence,
    encodable,
    headline,
    important_columns,
    interval_text,
    notes,
    one_line,
    opinions_of,
    plain_line,
    shorten,
)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"), (1e-9, "<0.1%"), (0.0009, "<0.1%"), (0.001, "0.1%"), (0.0294, "2.9%"), (0.0994, "9.9%"),
        (0.0995, "10%"), (0.17, "17%"), (1, "100%"), (None, "unknown"), (float("nan"), "unknown"),
    ],
)  # fmt: skip
def test_percent(share, text):
    assert percent(share) == text


def test_intervals():
    assert interval_text([0.021, 0.18]) == "2.1% to 18%"
    assert {interval_text(one) for one in (None, [None, 0.2], [0.1, float("inf")])} == {"unknown"}


def test_all_finite():
    assert all_finite(0, 1.5)
    assert not any(all_finite(1, other) for other in (None, float("nan"), float("inf")))


def test_texts_are_put_on_one_line():
    assert one_line(" a\n\tb  c ") == "a b c"
    assert one_line(7) == "7"
    assert one_line(" \n") == one_line("") == "(empty)"
    assert shorten("a very\nlong name", 8) == "a very…"


def test_direction_controls_are_removed():
    assert plain_line("\u202eabc\u2066d\u200f\u061c", 10) == "abcd"
    assert plain_line("\u202e", 10) == "(empty)"
    assert plain_line("abcdef", 4) == "abc…"


def test_lone_surrogates_become_question_marks():
    assert encodable("half \ud800, whole \U0001f600") == "half ?, whole \U0001f600"


ABOUT = "About 2.9% of 12,000 labels are probably wrong"
FEW = "Fewer than 0.1% of 12,000 labels are probably wrong"


@pytest.mark.parametrize(
    ("n_issues", "expected_wrong", "n_listed", "sentence"),
    [
        (0, 0.4, 0, "None of 12,000 labels looks wrong."),
        (0, 3.0, 0, f"{FEW}, but no single one stands out: none is flagged."),
        (1, 348.0, 1, f"{ABOUT}: 1 is flagged and listed below."),
        (20, 348.0, 20, f"{ABOUT}: 20 are flagged and listed below, worst first."),
        (2000, 348.0, 200, f"{ABOUT}: 2,000 are flagged; the 200 most suspicious are listed below."),
        (20, 348.0, 1, f"{ABOUT}: 20 are flagged; the most suspicious is listed below."),
    ],
)
def test_headlines(n_issues, expected_wrong, n_listed, sentence):
    document = documents.empty() | {"n_issues": n_issues, "expected_wrong": expected_wrong}
    assert headline(document, n_listed) == sentence


def test_notes_of_the_audit_come_first_and_none_is_repeated():
    assert notes({"notes": ["a", "b"], "rates": {"notes": ["b", "c"]}}) == ["a", "b", "c"]
    assert notes({"notes": [], "rates": {}}) == []


@pytest.mark.parametrize(
    ("n_issues", "cleaning", "sentence"),
    [
        (0, {"n_changed": 0}, ""),
        (5, None, ""),
        (5, {"n_changed": 0}, "None is certain enough to be changed without a look"),
        (1, {"n_changed": 1, "expected_before": 0.9, "expected_after": 0.95}, "1 is surely better changed, as in"),
        (5, {"n_changed": 4, "expected_before": 0.9, "expected_after": 0.95}, "; 1 more is worth a look. Expected"),
        (5, {"n_changed": 2, "expected_before": 0.9, "expected_after": 0.95}, "3 more are worth a look"),
    ],
)
def test_what_cleaning_changes_and_leaves(n_issues, cleaning, sentence):
    said = cleaning_sentence({"n_issues": n_issues, "cleaning": cleaning})
    assert sentence in said
    assert bool(said) == bool(sentence)


def test_opinions_and_columns_are_listed_by_weight_and_older_documents_have_none():
    document = {"opinions": {"trees": 0.2, "neighbors": 0.8, "linear model": 0.0}, "importances": [["size", 0.75]]}
    assert opinions_of(document) == [("neighbors", "80%"), ("trees", "20%")]
    assert important_columns(document) == [("size", "75%")]
    assert opinions_of({}) == important_columns({}) == []


def test_a_share_that_is_not_determined_is_a_range():
    rates = {"identifiable": False, "share_interval": [0.02, 0.31]}
    document = {"n_rows": 100, "n_issues": 3, "expected_wrong": 12, "rates": rates}
    assert headline(document, 3).startswith("Between 2.0% and 31% of 100 labels are probably wrong: 3 are flagged")
