"""What comes from files stays on one line, short, and harmless to a terminal."""

import pytest

from unflip.foundation.printable import cut, message, printable, shown, valid_in_html


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain é 猫 👨‍👩‍👧", "plain é 猫 👨‍👩‍👧"),
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("a\nb\r\tc\0", r"a\nb\r\tc\x00"),
        ("\x9b\u202e\u2028\ud800", r"\x9b\u202e\u2028\ud800"),
    ],
)
def test_control_characters_and_half_characters_are_escaped(text, escaped):
    assert printable(text) == escaped


def test_long_values_are_cut_in_the_middle():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "ab…efg"
    assert len(shown("x" * 1000)) == 60
    assert len(message("x\n" * 1000)) == 300


def test_html_gets_no_character_that_it_does_not_allow():
    assert valid_in_html("a\0b\x1b\n\tc") == "a\ufffdb\ufffd\n\tc"
