"""What a request can be refused for; the text is the sentence that a person reads."""

from unflip.foundation.errors import UnflipError


class BadRequest(UnflipError):
    """The request asks for what does not exist."""


class Conflict(UnflipError):
    """The request is about a state that has passed."""
