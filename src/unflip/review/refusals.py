"""What a request can be refused for; the text is the sentence that a person reads."""


class BadRequest(ValueError):
    """The request asks for what does not exist."""


class Conflict(ValueError):
    """The request is about a state that has passed."""
