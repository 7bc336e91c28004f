"""Checks of parameters; each refuses a bad value in one sentence."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from unflip.foundation.errors import refusal

if TYPE_CHECKING:
    from numpy.random import RandomState


def is_integer(value: object) -> bool:
    """Tell whether a value is an integer by type (a bool is not)."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Tell whether a value is a real number by type (a bool is not)."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def check_count(owner: object, parameter: str, value: Any, *, auto: bool = False) -> None:
    """Refuse anything but an integer >= 1 (or "auto" where that is allowed)."""
    if auto and isinstance(value, str) and value == "auto":
        return
    if not is_integer(value) or value < 1:
        raise refusal(owner, parameter, '"auto" or an integer >= 1' if auto else "an integer >= 1", value)


def check_n_jobs(owner: object, n_jobs: Any) -> None:
    """Refuse anything but None or an integer other than zero."""
    if n_jobs is not None and (not is_integer(n_jobs) or n_jobs == 0):
        raise refusal(owner, "n_jobs", "None or an integer other than 0", n_jobs)


def check_positive(owner: object, parameter: str, value: Any) -> None:
    """Refuse anything but a finite number above zero."""
    if not is_number(value) or not 0 < value < float("inf"):
        raise refusal(owner, parameter, "a finite number > 0", value)


def check_confidence(owner: object, value: Any) -> None:
    """Refuse anything but a number strictly between 0 and 1."""
    if not is_number(value) or not 0 < value < 1:
        raise refusal(owner, "confidence", "a number between 0 and 1", value)


def check_choice(
    owner: object, parameter: str, value: Any, choices: Iterable[str], otherwise: str | None = None
) -> None:
    """Refuse anything but one of the given strings; otherwise names what else the caller accepts."""
    choices = tuple(choices)
    if not isinstance(value, str) or value not in choices:
        accepted = "one of " + ", ".join(f'"{choice}"' for choice in choices)
        raise refusal(owner, parameter, accepted + (f", or {otherwise}" if otherwise else ""), value)


def seed_of(random_state: Any) -> int:
    """Return an integer seed: the given one, 0 for None (the same every time), or one drawn from a generator."""
    if random_state is None:
        return 0
    if is_integer(random_state):
        return int(random_state)
    return int(generator(random_state).randint(2**31 - 1))


def generator(random_state: Any) -> RandomState:
    """Return a RandomState of our own: the global generator is never touched."""
    from numpy.random import RandomState
    from sklearn.utils import check_random_state

    return RandomState() if random_state is None else check_random_state(random_state)
