import pytest
from hypothesis import given
from hypothesis import strategies as st

from unflip.foundation.text import closest, first_line, joined, percent, probability, truncate


@given(st.text(), st.integers(1, 50))
def test_a_truncated_text_fits_and_starts_as_the_text_does(text, length):
    short = truncate(text, length)
    assert len(short) <= length
    assert short == text if len(text) <= length else text.startswith(short[:-1])


def test_no_space_stays_before_the_ellipsis():
    assert truncate("two words", 5) == "two…"


def test_the_first_line_of_a_message_without_its_full_stop():
    assert first_line(ValueError("\nIt failed.\nDetails follow.")) == "It failed"
    assert first_line(ValueError()) == ""


def test_the_closest_name_or_none():
    assert closest("Heart", ["heart", "german"]) == "heart"
    assert closest(3, [1, 2, 33]) == "33"
    assert closest("completely different", ["x"]) is None


@pytest.mark.parametrize(
    ("parts", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)  # fmt: skip
def test_parts_are_listed(parts, text):
    assert joined(parts) == text


@given(st.floats(0, 1))
def test_only_certainty_is_called_0_or_1_and_both_forms_agree(value):
    short, long = probability(value), probability(value, in_sentence=True)
    assert (short == "1.00") == (value == 1)
    assert (short == "0.00") == (value == 0)
    assert long == short.replace(">", "above ").replace("<", "below ")


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"), (1e-9, "<0.1%"), (0.0009, "<0.1%"), (0.001, "0.1%"), (0.0294, "2.9%"), (0.0994, "9.9%"),
        (0.0995, "10%"), (0.17, "17%"), (1, "100%"), (None, "unknown"), (float("nan"), "unknown"),
    ],
)  # fmt: skip
def test_shares_in_percent_have_a_decimal_if_they_are_small(share, text):
    assert percent(share) == text
