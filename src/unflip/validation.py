"""Checks of parameters, each refusal one sentence: who, which parameter, what is accepted, what came."""

from __future__ import annotations

import numbers
from importlib import import_module


def refusal(owner, parameter, accepted, got):
    """Return the ValueError for a parameter that cannot be used.

    >>> raise refusal("RobustKNeighborsClassifier", "n_neighbors", '"auto" or an integer >= 1', 0)
    Traceback (most recent call last):
        ...
    ValueError: RobustKNeighborsClassifier: 'n_neighbors' must be "auto" or an integer >= 1, got 0.
    """
    name = owner if isinstance(owner, str) else type(owner).__name__
    return ValueError(f"{name}: '{parameter}' must be {accepted}, got {got!r}.")


def is_integer(value):
    """Tell whether a value is a whole number by type (a bool is not)."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def check_count(owner, parameter, value, *, auto=False):
    """Refuse anything but an integer >= 1 (or "auto" where that is allowed)."""
    if auto and isinstance(value, str) and value == "auto":
        return
    if not is_integer(value) or value < 1:
        raise refusal(owner, parameter, '"auto" or an integer >= 1' if auto else "an integer >= 1", value)


def check_positive(owner, parameter, value):
    """Refuse anything but a finite number above zero."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not 0 < value < float("inf"):
        raise refusal(owner, parameter, "a finite number > 0", value)


def check_choice(owner, parameter, value, choices, otherwise=None):
    """Refuse anything but one of the given strings; otherwise names what else the caller accepts."""
    if not isinstance(value, str) or value not in choices:
        accepted = "one of " + ", ".join(f'"{choice}"' for choice in choices)
        raise refusal(owner, parameter, accepted + (f", or {otherwise}" if otherwise else ""), value)


def generator(random_state):
    """Return a RandomState of our own: the global generator is never touched."""
    from numpy.random import RandomState
    from sklearn.utils import check_random_state

    return RandomState() if random_state is None else check_random_state(random_state)


def optional(module, extra, owner):
    """Import a module that only an extra brings, or say how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise ImportError(f"{owner} needs {module.split('.')[0]}: pip install 'unflip[{extra}]'.") from None
