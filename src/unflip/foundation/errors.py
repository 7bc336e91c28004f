"""The errors that unflip raises on purpose: each is one sentence about something the caller can change."""

from __future__ import annotations


class UnflipError(ValueError):
    """An input or a request that unflip refuses.

    The command shows the message and exits with 2. Anything else that is raised is a bug.
    """

    __module__ = "unflip"


class MissingExtraError(UnflipError, ImportError):
    """An optional dependency that is not installed; the message has the line that installs it."""


class UnwritableError(UnflipError, OSError):
    """A file that cannot be written."""


def refusal(owner: object, parameter: str, accepted: str, got: object) -> UnflipError:
    """Return the error for a parameter that cannot be used: who, which one, what is accepted, what came.

    >>> raise refusal("RobustKNeighborsClassifier", "n_neighbors", '"auto" or an integer >= 1', 0)
    Traceback (most recent call last):
        ...
    unflip.UnflipError: RobustKNeighborsClassifier: 'n_neighbors' must be "auto" or an integer >= 1, got 0.
    """
    name = owner if isinstance(owner, str) else type(owner).__name__
    return UnflipError(f"{name}: '{parameter}' must be {accepted}, got {got!r}.")
