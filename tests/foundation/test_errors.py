import pickle

import pytest

import unflip
from unflip.foundation.errors import MissingExtraError, UnflipError, UnwritableError, refusal


class Model:
    pass


def test_a_refusal_names_owner_parameter_what_is_accepted_and_what_came():
    assert str(refusal(Model(), "k", "an integer", "x")) == "Model: 'k' must be an integer, got 'x'."
    assert str(refusal("fit", "k", "an integer", None)) == "fit: 'k' must be an integer, got None."


def test_refusals_are_value_errors_and_what_else_their_kind_is():
    assert issubclass(UnflipError, ValueError)
    assert issubclass(MissingExtraError, UnflipError)
    assert issubclass(MissingExtraError, ImportError)
    assert issubclass(UnwritableError, UnflipError)
    assert issubclass(UnwritableError, OSError)


def test_an_error_can_be_caught_and_pickled_by_its_public_name():
    assert unflip.UnflipError is UnflipError
    again = pickle.loads(pickle.dumps(refusal("fit", "k", "an integer", 0)))
    assert type(again) is UnflipError
    assert str(again) == "fit: 'k' must be an integer, got 0."
    with pytest.raises(OSError, match="full"):
        raise UnwritableError("the disk is full.")
