"""Refused requests are errors of their own, with the sentence that the page shows."""

from contextlib import closing

import pytest

from review.documents import small, write
from unflip import UnflipError
from unflip.review import Desk
from unflip.review.errors import BadRequest, Conflict


def test_refusals_are_unflip_errors_that_can_be_told_apart():
    assert issubclass(BadRequest, UnflipError)
    assert issubclass(Conflict, UnflipError)
    assert not issubclass(Conflict, BadRequest)


def test_what_does_not_exist_is_a_bad_request_and_what_is_outdated_is_a_conflict(tmp_path):
    with closing(Desk(write(tmp_path, small()))) as desk:
        with pytest.raises(BadRequest, match=r"^Row 4 is not a suspect of this audit\.$"):
            desk.detail(4)
        with pytest.raises(
            Conflict, match=r"^This decision was already undone or replaced, perhaps on another page\.$"
        ):
            desk.undo(7)
