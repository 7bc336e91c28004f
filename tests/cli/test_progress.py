"""Stages on a terminal."""

import io
import os

import pytest

from unflip.cli import progress
from unflip.cli.progress import Stages, about_share


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def lines(self):
        """Return what is on the screen: of each line what was written last at every place."""
        screen = []
        for line in self.getvalue().split("\n"):
            cells = []
            for text in line.split("\r"):
                cells[: len(text)] = text
            screen.append("".join(cells).rstrip())
        return screen


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def terminal():
    return Terminal()


def test_stages_end_with_their_seconds_and_show_the_time_left_meanwhile(terminal, clock):
    with Stages(terminal, clock) as stages:
        stages("Reading the file.")
        assert terminal.lines() == ["Reading the file ..."]
        clock.now = 2
        stages("Asking the neighbors about 9 rows.")
        clock.now = 10
        stages("Asking the neighbors about 9 rows.", share=0.4)
        assert terminal.lines() == [
            "Reading the file ... 2.0 s",
            "Asking the neighbors about 9 rows ... 40%, about 12 s left",
        ]
        clock.now = 22
    assert terminal.lines() == ["Reading the file ... 2.0 s", "Asking the neighbors about 9 rows ... 20.0 s", ""]


def test_a_line_is_not_drawn_more_often_than_people_read(terminal, clock):
    with Stages(terminal, clock) as stages:
        stages("Reading.")
        for step in range(1000):
            clock.now = step / 1000
            stages("Reading.", share=step / 1000)
    assert 5 < terminal.getvalue().count("\r") < 15


def test_a_line_fits_into_the_terminal(terminal, clock, monkeypatch):
    monkeypatch.setattr(progress.shutil, "get_terminal_size", lambda: os.terminal_size((20, 5)))
    with Stages(terminal, clock) as stages:
        stages("Asking the neighbors about 1,000,000 rows.")
    assert max(map(len, terminal.lines())) == 19


def test_an_error_begins_on_a_line_of_its_own(terminal, clock):
    stages = Stages(terminal, clock)
    stages("Reading the file.")
    with pytest.raises(ValueError, match="bad"), stages:
        raise ValueError("bad")
    assert terminal.lines() == ["Reading the file ...", ""]


def test_an_error_before_any_stage_has_the_first_line(terminal, clock):
    with pytest.raises(ValueError, match="bad"), Stages(terminal, clock):
        raise ValueError("bad")
    assert terminal.getvalue() == ""


def test_nothing_is_shown_without_a_terminal(clock):
    out = io.StringIO()
    with Stages(out, clock) as stages:
        stages("Reading the file.")
        stages("Reading the file.", share=0.5)
    assert out.getvalue() == ""


@pytest.mark.parametrize(
    ("share", "seconds", "said"),
    [
        (0.0, 0.0, "0%"),
        (0.01, 5.0, "1%"),
        (0.5, 99.0, "50%, about 99 s left"),
        (0.5, 150.0, "50%, about 2 min left"),
        (1.0, 9.0, "100%, about 1 s left"),
    ],
)
def test_the_time_left_is_told_in_seconds_or_minutes(share, seconds, said):
    assert about_share(share, seconds) == said
