"""Why a request is refused; the message is the sentence that the page shows."""

from __future__ import annotations

from unflip.foundation.errors import UnflipError


class BadRequest(UnflipError):
    """The request asks for something that does not exist."""


class Conflict(UnflipError):
    """The request refers to an outdated state."""


class NotSaved(UnflipError):
    """The decision is not on disk."""
