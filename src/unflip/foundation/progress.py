"""How far long work has come, told to whoever listens: the work says it, and need not know who does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[float], None]

_LISTENER: ContextVar[Listener | None] = ContextVar("unflip_progress", default=None)


@contextmanager
def reporting(listener: Listener | None) -> Iterator[None]:
    """Let a function hear of the share that is done, from 0 to 1, while the block runs; None: nobody hears.

    >>> with reporting(lambda share: print(f"{share:.0%}")):
    ...     report(0.5)
    50%
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def report(share: float) -> None:
    """Say what share of the work is done."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(share)
