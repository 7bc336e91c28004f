"""Stages of a long command on a terminal: a line each, rewritten in place with the share done and the time left."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

MIN_SECONDS = 0.1  # between two drawings of a line
MIN_SHARE = 0.02  # before which nothing is said of the time left


class Stages:
    """Show stages on a terminal; anywhere else, show nothing.

    Parameters
    ----------
    file : file
        Usually standard error.
    clock : callable, default=time.monotonic
        Returns seconds.

    Examples
    --------
    >>> import sys
    >>> with Stages(sys.stderr) as stages:
    ...     stages("Reading the file.")
    ...     stages("Reading the file.", share=0.4)
    """

    def __init__(self, file: TextIO, clock: Callable[[], float] = time.monotonic):
        self._file = file
        self._clock = clock
        self._shown = file.isatty()
        self._stage = ""
        self._begun = self._drawn = 0.0
        self._width = 0

    def __call__(self, stage: str, share: float | None = None) -> None:
        """Begin a stage, or say what share of it is done.

        Parameters
        ----------
        stage : str
            A sentence.
        share : float or None, default=None
            From 0 to 1; None if it is not known.
        """
        if not self._shown:
            return
        now = self._clock()
        if stage != self._stage:
            self._finish()
            self._stage, self._begun = stage, now
            self._draw("")
        elif share is not None and now - self._drawn >= MIN_SECONDS:
            self._draw(about_share(share, now - self._begun))

    def __enter__(self) -> Stages:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        if kind is None:
            self._finish()
        elif self._stage:
            self._file.write("\n")  # what is said of the error begins a line

    def _finish(self) -> None:
        if self._stage:
            self._draw(f"{self._clock() - self._begun:.1f} s")
            self._file.write("\n")
            self._stage, self._width = "", 0

    def _draw(self, what: str) -> None:
        """Write the line over its earlier state."""
        columns = shutil.get_terminal_size().columns - 1  # a full line would wrap, and stay
        line = f"{self._stage.removesuffix('.')} ... {what}".rstrip()[:columns]
        self._file.write("\r" + line.ljust(self._width))
        self._file.flush()
        self._width, self._drawn = len(line), self._clock()


def about_share(share: float, seconds: float) -> str:
    """Return the share done, and how long the rest will take if it goes on like that.

    >>> about_share(0.4, 8.0)
    '40%, about 12 s left'
    >>> about_share(0.1, 60.0)
    '10%, about 9 min left'
    """
    if share < MIN_SHARE:
        return f"{share:.0%}"
    left = max(1.0, seconds * (1 - share) / share)
    return f"{share:.0%}, about {left:.0f} s left" if left < 100 else f"{share:.0%}, about {left / 60:.0f} min left"
