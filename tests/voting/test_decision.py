import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unflip.noise.posterior import unprojected_posterior
from unflip.noise.transition import NoiseModel
from unflip.voting.decision import decide, favor_last, last_argmax, margins

RATES = st.tuples(st.integers(0, 24), st.integers(0, 24)).map(lambda pair: (pair[0] / 50, pair[1] / 50))


def two_class_votes(positives, k):
    return np.array([[k - positives, positives]])


def test_every_count_of_ten_by_hand():
    # tau_minus = 0.3, tau_plus = 0.1: threshold 0.6, and exact ties at both 5 and 6 of 10.
    votes = np.array([[10 - positives, positives] for positives in range(11)])
    matrix = NoiseModel.of([0.3, 0.1], [0, 1]).transition_matrix
    assert decide(votes, matrix).tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    assert decide(votes, matrix, "algorithm_1").tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    # The other way round the threshold is 0.4: the tie at 4 belongs to the second class, but in the paper's open
    # interval the plain vote stands.
    matrix = NoiseModel.of([0.1, 0.3], [0, 1]).transition_matrix
    assert decide(votes, matrix).tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
    assert decide(votes, matrix, "algorithm_1").tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]


@given(rates=RATES, k=st.integers(1, 120), data=st.data())
def test_the_threshold_is_the_argmax_of_the_clean_posterior(rates, k, data):
    """Two classes, and the same votes with a third class of which there is nobody, must agree: one formula each."""
    votes = two_class_votes(data.draw(st.integers(0, k)), k)
    matrix = NoiseModel.of(rates, [0, 1]).transition_matrix
    posterior = unprojected_posterior(votes / k, matrix)
    assert decide(votes, matrix)[0] == last_argmax(posterior)[0]
    larger = np.eye(3)
    larger[:2, :2] = matrix
    assert decide(np.append(votes, [[0]], axis=1), larger)[0] == decide(votes, matrix)[0]


@given(rates=RATES, k=st.integers(1, 120))
def test_the_threshold_rule_is_monotone_in_the_votes(rates, k):
    votes = np.array([[k - positives, positives] for positives in range(k + 1)])
    assert (np.diff(decide(votes, NoiseModel.of(rates, [0, 1]).transition_matrix)) >= 0).all()


@given(rates=RATES, k=st.integers(1, 120), data=st.data())
def test_margins_are_positive_exactly_where_the_second_class_is_predicted(rates, k, data):
    votes = two_class_votes(data.draw(st.integers(0, k)), k)
    matrix = NoiseModel.of(rates, [0, 1]).transition_matrix
    assert (margins(votes, matrix) > 0).tolist() == decide(votes, matrix).astype(bool).tolist()


def test_symmetric_noise_changes_no_decision():
    votes = np.array([[10 - positives, positives] for positives in range(11)])
    for rule in ("threshold", "algorithm_1"):
        noisy = decide(votes, NoiseModel.of(0.3, [0, 1]).transition_matrix, rule)
        np.testing.assert_array_equal(noisy, decide(votes, np.eye(2), rule))


def test_one_class_is_predicted():
    assert decide(np.array([[3], [0]]), np.eye(1)).tolist() == [0, 0]


def test_ties_go_to_the_last_class_and_probabilities_say_so():
    probabilities = np.array([[0.4, 0.4, 0.2], [0.5, 0.25, 0.25]])
    assert last_argmax(probabilities).tolist() == [1, 0]
    favored = favor_last(probabilities)
    assert favored.argmax(axis=1).tolist() == [1, 0]
    np.testing.assert_allclose(favored, probabilities, atol=1e-11)
