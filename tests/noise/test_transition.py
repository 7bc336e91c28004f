import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unflip import make_label_noise
from unflip.noise.posterior import clean_posterior, corrupted_posterior, decision_threshold, project_to_simplex
from unflip.noise.transition import NoiseModel

CLASSES = np.array(["a", "b", "c"])


def test_threshold_by_hand():
    # tau_plus = 0.3, tau_minus = 0.1: (1 + 0.1 - 0.3) / 2
    assert decision_threshold(tau_plus=0.3, tau_minus=0.1) == pytest.approx(0.4)


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


def transition_matrices(n_classes):
    """Matrices whose diagonal dominates."""
    row = st.lists(st.floats(0, 1), min_size=n_classes, max_size=n_classes).filter(lambda values: sum(values) > 0.1)
    return st.lists(row, min_size=n_classes, max_size=n_classes).map(
        lambda rows: 0.4 * np.array([np.array(r) / sum(r) for r in rows]) + 0.6 * np.eye(n_classes)
    )


def simplex(n_classes):
    numbers = st.lists(st.floats(0, 1), min_size=n_classes, max_size=n_classes).filter(lambda values: sum(values) > 0.1)
    return numbers.map(lambda values: np.array([values]) / sum(values))


@given(matrix=transition_matrices(3), posterior=simplex(3))
def test_corruption_is_undone(matrix, posterior):
    np.testing.assert_allclose(clean_posterior(corrupted_posterior(posterior, matrix), matrix), posterior, atol=1e-9)


@given(rates=st.tuples(st.floats(0, 0.49), st.floats(0, 0.49)), share=st.floats(0, 1))
def test_the_threshold_is_where_the_clean_posterior_crosses_one_half(rates, share):
    model = NoiseModel.of(rates, [0, 1])
    positive = clean_posterior([[1 - share, share]], model.transition_matrix)[0, 1]
    if abs(share - model.threshold) > 1e-9:
        assert (positive > 0.5) == (share > model.threshold)


@given(point=st.lists(st.floats(-3, 3), min_size=4, max_size=4), other=simplex(4))
def test_the_projection_is_the_nearest_point_of_the_simplex(point, other):
    projected = project_to_simplex(np.array([point]))
    assert projected.min() >= 0
    assert projected.sum() == pytest.approx(1)
    assert np.linalg.norm(projected - point) <= np.linalg.norm(other - point) + 1e-9


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_labels_are_flipped_at_the_given_rates(n_classes):
    random = np.random.RandomState(0)
    matrix = 0.6 * np.eye(n_classes) + 0.4 * random.dirichlet(np.ones(n_classes), size=n_classes)
    y = np.repeat(np.arange(n_classes), 40_000)
    noisy = make_label_noise(y, matrix, random_state=1)
    observed = np.array([np.bincount(noisy[y == c], minlength=n_classes) for c in range(n_classes)]) / 40_000
    # Four standard errors of a share of 40,000.
    np.testing.assert_allclose(observed, matrix, atol=4 * 0.5 / 200)


@pytest.mark.parametrize("y", [["x", "y"] * 10, np.array([True, False] * 10), np.array([3.0, 5.0] * 10), [1, 2] * 10])
def test_labels_keep_their_type(y):
    noisy = make_label_noise(y, 0.4, random_state=0)
    assert noisy.dtype == np.asarray(y).dtype
    assert set(noisy) <= set(y)
    assert (noisy != np.asarray(y)).any()


def test_the_same_seed_gives_the_same_flips_and_the_global_generator_is_left_alone():
    y = np.arange(300) % 3
    np.random.seed(5)  # noqa: NPY002 - the point of this test
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    np.testing.assert_array_equal(
        make_label_noise(y, 0.3, random_state=4), make_label_noise(y, 0.3, random_state=4)
    )  # fmt: skip
    make_label_noise(y, 0.3)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_no_labels_are_refused():
    with pytest.raises(ValueError, match="'y' must be at least one label"):
        make_label_noise([], 0.1)
