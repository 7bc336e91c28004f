import numpy as np
import pytest

from unflip import UnflipError
from unflip.foundation.checks import (
    check_choice,
    check_confidence,
    check_count,
    check_n_jobs,
    check_positive,
    generator,
    is_integer,
    seed_of,
)


@pytest.mark.parametrize(
    ("check", "accepted", "refused"),
    [
        (lambda v: check_count("owner", "k", v), [1, np.int64(7)], [0, -3, 1.0, True, "auto", None, np.nan]),
        (lambda v: check_count("owner", "k", v, auto=True), [1, "auto"], [0, "Auto", 2.5]),
        (lambda v: check_positive("owner", "C", v), [1, 0.5, np.float32(2)], [0, -1, np.inf, np.nan, True, "1"]),
        (lambda v: check_n_jobs("owner", v), [None, 1, -1, np.int64(2)], [0, np.nan, 2.0, True, "2"]),
        (lambda v: check_confidence("owner", v), [0.5, np.float64(0.9)], [0, 1, True, np.nan, "0.9"]),
        (lambda v: check_choice("owner", "mode", v, ("a", "b")), ["a", "b"], ["c", "", None, 1, ["a"]]),
    ],
)
def test_what_is_accepted_passes_and_all_else_is_refused_by_its_owners_name(check, accepted, refused):
    for value in accepted:
        check(value)
    for value in refused:
        with pytest.raises(UnflipError, match=r"^owner: '(k|C|n_jobs|confidence|mode)' must be .*, got .*\.$"):
            check(value)


def test_a_choice_names_what_else_is_accepted():
    with pytest.raises(UnflipError, match='must be one of "a", "b", or a function, got 3'):
        check_choice("owner", "mode", 3, ("a", "b"), "a function")


def test_a_bool_is_no_integer():
    assert is_integer(np.int8(3))
    assert not is_integer(True)
    assert not is_integer(3.0)


def test_the_global_generator_is_never_used():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    assert generator(None).random_sample() != generator(None).random_sample()
    assert generator(3).random_sample() == np.random.RandomState(3).random_sample()
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_a_seed_is_the_given_one_zero_for_none_or_drawn_from_a_generator():
    assert (seed_of(None), seed_of(7), seed_of(np.int64(7))) == (0, 7, 7)
    random = np.random.RandomState(3)
    first, second = seed_of(random), seed_of(random)
    assert first != second
    assert first == seed_of(np.random.RandomState(3))
    assert type(first) is int
