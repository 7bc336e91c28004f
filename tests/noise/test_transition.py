import numpy as np
import pytest

from unflip.noise.transition import NoiseModel

CLASSES = np.array(["a", "b", "c"])


def test_none_is_clean():
    np.testing.assert_array_equal(NoiseModel.of(None, CLASSES).transition_matrix, np.eye(3))


def test_all_forms_of_the_same_noise_give_the_same_matrix():
    # A flipped label becomes each other class equally often.
    expected = [[0.8, 0.1, 0.1], [0.0, 1.0, 0.0], [0.2, 0.2, 0.6]]
    for form in ({"a": 0.2, "c": 0.4}, [0.2, 0.0, 0.4], np.array([0.2, 0.0, 0.4]), expected):
        np.testing.assert_allclose(NoiseModel.of(form, CLASSES).transition_matrix, expected)
    np.testing.assert_allclose(NoiseModel.of(0.3, CLASSES).rates, [0.3, 0.3, 0.3])


def test_two_classes_by_hand():
    model = NoiseModel.of({0: 0.1, 1: 0.3}, [0, 1])
    assert (model.tau_minus, model.tau_plus) == (0.1, 0.3)
    assert model.threshold == pytest.approx(0.4)
    assert model.rates.tolist() == [0.1, 0.3]
    # Of 100 clean rows, 50 positive: 35 + 5 = 40 are observed positive.
    np.testing.assert_allclose(model.clean_prior([0.6, 0.4]), [0.5, 0.5])


@pytest.mark.parametrize(
    ("noise", "classes", "words"),
    [
        ([0.2, 1.0], [0, 1], r"rates in \[0, 1\), got \[0.2, 1.0\]"),
        ([0.2, -0.1], [0, 1], r"rates in \[0, 1\)"),
        ([0.2, float("nan")], [0, 1], r"rates in \[0, 1\)"),
        ([0.6, 0.4], [0, 1], r"sum is below 1 .*got '0.6 \+ 0.4'"),
        ([[0.5, 0.5], [0.5, 0.5]], [0, 1], "sum is below 1"),
        ([0.1, 0.2, 0.3], [0, 1], r"for 2 classes, got 'an array of shape \(3,\)'"),
        ([[0.9, 0.2], [0.1, 0.9]], [0, 1], "rows sum to 1, got 'row 0 with sum 1.1'"),
        ([[1.1, -0.1], [0.1, 0.9]], [0, 1], r"probabilities in \[0, 1\]"),
        (np.full((3, 3), 1 / 3), CLASSES, "an invertible matrix"),
        ([[0, 1, 0], [0.5, 0.5, 0], [0, 0, 1]], CLASSES, "its diagonal"),
        ({"z": 0.1}, CLASSES, r"of the classes \['a', 'b', 'c'\], got 'z'"),
        ({"a": "much"}, CLASSES, r"\{class: rate in \[0, 1\)\}"),
        ("much", CLASSES, "None, a rate"),
        (True, CLASSES, "None, a rate"),
        ([0.1], ["only"], "0 where there is only one class"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(noise, classes, words):
    with pytest.raises(ValueError, match=rf"Owner: 'noise_rates' must be .*{words}") as caught:
        NoiseModel.of(noise, classes, owner="Owner", parameter="noise_rates")
    assert "\n" not in str(caught.value)
