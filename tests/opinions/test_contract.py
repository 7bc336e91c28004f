"""What every opinion keeps: a distribution for each row, in which the row's own label had no part."""

import joblib
import numpy as np
import pytest
from fuzzing import random_numbers
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from unflip.neighbors import ForestSpace
from unflip.neighbors.spaces.parts import Parts
from unflip.opinions import Blend, CrossFitted, LinearOpinion, Opinion, RawNeighbors, Sampled, default_opinions
from unflip.opinions.contract import MIN_PROBABILITY, bounded_probabilities, log_likelihood
from unflip.opinions.sampled import inner_opinion

FASTER = {
    "learned neighbors": {"space": ForestSpace(20)},
    "trees": {"n_trees": 60},
    "kernel machine": {"n_landmarks": 60},
}


def ready_opinions(n_jobs=None):
    opinions = [inner_opinion(opinion) for opinion in default_opinions(n_jobs=n_jobs)]
    return {opinion.name: opinion.set_params(**FASTER.get(opinion.name, {})) for opinion in opinions}


def make_opinion(name, n_jobs=None):
    if name == "cross-fitted":
        return CrossFitted(LogisticRegression(), n_jobs=n_jobs)
    if name == "of a sample":  # the blend of one opinion makes an array of what it says
        return Blend([Sampled(LinearOpinion(n_jobs=n_jobs), max_rows=60)])
    opinions = ready_opinions(n_jobs)
    return Blend([opinions["neighbors"], opinions["linear model"]]) if name == "blend" else opinions[name]


OF_ANY_ROWS = list(ready_opinions())
NAMES = [*OF_ANY_ROWS, "cross-fitted", "of a sample", "blend"]
every_opinion = pytest.mark.parametrize("name", NAMES)

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(90, 4))
LABELS = (X[:, 0] + 0.5 * RANDOM.normal(size=90) > 0).astype(int)
MOSTLY_ZERO = X * (RANDOM.random_sample(X.shape) < 0.5)
HUGE = np.finfo(float).max

ROWS = {
    "constant columns": X * [1, 0, 1, 0] + [0, 0.1, 0, 0],
    "rows all alike": np.full((90, 3), 0.1),
    "copies with different labels": X[np.arange(90) % 20],
    "sparse rows": sparse.csr_array(MOSTLY_ZERO),
    "a sparse matrix": sparse.csr_matrix(MOSTLY_ZERO),
}
EXTREME_ROWS = {
    "huge values": X * 1e307,
    "the largest values": np.sign(X) * HUGE,
    "one huge row": np.vstack([X[:-1], np.full((1, 4), HUGE)]),
    "huge sparse values": sparse.csr_array(MOSTLY_ZERO * 1e307),
    "tiny values": X * 1e-300,
    "random bits": random_numbers(RANDOM, (90, 3)),
}
LABELINGS = {
    "classes nobody has": LABELS * 2,
    "a class of one row": np.where(np.arange(90) == 5, 3, LABELS),
    "one row against all others": (np.arange(90) == 5).astype(int),
    "no second class": np.zeros(90, int),
}


def assert_proper(probabilities, n_rows, n_classes):
    assert probabilities.shape == (n_rows, n_classes)
    assert probabilities.min() >= 0.99 * MIN_PROBABILITY
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


# What a classifier cannot take, its opinion cannot either.
CASES = [(name, case) for name in NAMES for case in (ROWS if name == "cross-fitted" else ROWS | EXTREME_ROWS)]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_every_opinion_says_a_distribution_off_zero_whatever_the_rows(name, case):
    rows = (ROWS | EXTREME_ROWS)[case]
    opinion = make_opinion(name).fit(rows, LABELS, 2)
    assert isinstance(opinion, Opinion)
    assert_proper(opinion.probabilities_, 90, 2)
    assert_proper(opinion.predict(rows[:7]), 7, 2)


@every_opinion
@pytest.mark.parametrize("case", LABELINGS)
def test_every_opinion_says_a_distribution_off_zero_whatever_the_labels(name, case):
    opinion = make_opinion(name).fit(X, LABELINGS[case], 4)
    assert_proper(opinion.probabilities_, 90, 4)
    assert_proper(opinion.predict(X[:7]), 7, 4)


@every_opinion
def test_a_class_that_nobody_has_is_hardly_likely(name):
    opinion = make_opinion(name).fit(X, 2 * LABELS, 4)
    for said in (opinion.probabilities_, opinion.predict(X)):
        assert said[:, [1, 3]].max() < 0.1
        assert np.mean(said.argmax(axis=1) == 2 * LABELS) > 0.7


@every_opinion
def test_two_rows_are_enough(name):
    opinion = make_opinion(name).fit(X[:2], np.array([1, 0]), 2)
    assert_proper(opinion.probabilities_, 2, 2)
    assert_proper(opinion.predict(X[:5]), 5, 2)


@pytest.mark.parametrize("name", [*OF_ANY_ROWS, "of a sample", "blend"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_new_rows_may_lie_far_outside(name, kind):
    opinion = make_opinion(name).fit(kind(MOSTLY_ZERO * 1e-5), LABELS, 2)
    assert_proper(opinion.predict(kind([[HUGE] * 4, [-HUGE] * 4, [1e200, 0, 0, 0]])), 3, 2)


def flip_one(labels, row):
    flipped = labels.copy()
    flipped[row] = 1 - flipped[row]
    return flipped


@pytest.mark.parametrize("name", [*OF_ANY_ROWS, "cross-fitted"])
def test_what_is_said_of_a_row_does_not_depend_on_its_own_label(name, monkeypatch):
    """Folds and choices do, by one label among all; both are held here."""
    for module in ("linear", "kernel", "cross_fitted"):
        monkeypatch.setattr(f"unflip.opinions.{module}.make_folds", lambda labels, n, seed: np.arange(len(labels)) % n)
    parts = Parts(np.arange(90) % 3, np.arange(90), 3)
    monkeypatch.setattr("unflip.neighbors.spaces.forest_space.make_parts", lambda *_: parts)
    monkeypatch.setattr("unflip.opinions.linear.STRENGTHS", (0.3,))
    monkeypatch.setattr("unflip.opinions.kernel.WIDTHS", (1.0,))
    monkeypatch.setattr("unflip.opinions.kernel.RIDGES", (1.0,))
    opinion = make_opinion(name)
    if isinstance(opinion, RawNeighbors):
        opinion.set_params(n_neighbors=15)
    before = opinion.fit(X, LABELS, 2).probabilities_
    for row in (0, 31, 62):
        after = opinion.fit(X, flip_one(LABELS, row), 2).probabilities_
        np.testing.assert_allclose(after[row], before[row], rtol=1e-9)
        assert np.abs(after - before).max() > 0.001


@every_opinion
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_random_labels_cannot_be_told(name, share):
    """A choice of settings by the same labels earns up to one unit of log-likelihood in all; a leak would earn many.

    Six samples of 200 are 1200 rows: correlations with the own label scatter by 1 / sqrt(1200).
    """
    gains, correlations = [], []
    for seed in range(6):
        random = np.random.RandomState(seed)
        rows, labels = random.normal(size=(200, 8)), (random.random_sample(200) < share).astype(int)
        said = make_opinion(name).fit(rows, labels, 2).probabilities_
        frequencies = np.tile(np.bincount(labels) / 200, (200, 1))
        gains.append(log_likelihood(said, labels) - log_likelihood(frequencies, labels))
        correlations.append(np.corrcoef(said[:, 1], labels)[0, 1])
    assert np.mean(gains) < 1 / 200
    assert np.mean(correlations) < 2 / np.sqrt(1200)


def known_problem(n, seed):
    """Make rows, labels of which a quarter of class 1 is flipped, and P(observed = 1 | x)."""
    random = np.random.RandomState(seed)
    truth = random.randint(0, 2, n)
    rows = random.normal(size=(n, 2)) + np.column_stack([2 * truth - 1, np.zeros(n)])
    observed = truth * (random.random_sample(n) > 0.25)
    return rows, observed, 0.75 / (1 + np.exp(-2 * rows[:, 0]))


@every_opinion
def test_every_opinion_comes_near_the_probabilities_of_old_and_new_rows(name):
    rows, observed, known = known_problem(600, seed=0)
    new_rows, _, new_known = known_problem(300, seed=1)
    opinion = make_opinion(name).fit(rows, observed, 2)
    limit = 0.16 if name == "trees" else 0.1  # leaves of one row are rough
    assert np.abs(opinion.probabilities_[:, 1] - known).mean() < limit
    assert np.abs(opinion.predict(new_rows)[:, 1] - new_known).mean() < limit
    assert np.abs(known.mean() - known).mean() > 0.2


@pytest.mark.parametrize("name", [*OF_ANY_ROWS, "of a sample", "blend"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_the_order_of_the_rows_does_not_matter(name, kind):
    order = np.random.RandomState(1).permutation(90)
    opinion = make_opinion(name).fit(kind(X), LABELS, 2)
    other = make_opinion(name).fit(kind(X[order]), LABELS[order], 2)
    ties = 0.05 if name == "learned neighbors" else 0  # of few trees are many; they go to the smaller row number
    new_rows = kind(X[:9] + 0.1)
    np.testing.assert_allclose(other.probabilities_, opinion.probabilities_[order], rtol=1e-12, atol=ties)
    np.testing.assert_allclose(other.predict(new_rows), opinion.predict(new_rows), rtol=1e-12, atol=ties)


@pytest.mark.parametrize("name", [*OF_ANY_ROWS, "cross-fitted", "of a sample"])
def test_the_number_of_threads_does_not_matter(name):
    alone = make_opinion(name).fit(X, LABELS, 2)
    with joblib.parallel_config("threading"):
        together = make_opinion(name, n_jobs=3).fit(X, LABELS, 2)
        np.testing.assert_array_equal(together.probabilities_, alone.probabilities_)
        np.testing.assert_allclose(together.predict(X[:9] + 0.1), alone.predict(X[:9] + 0.1), rtol=1e-12)


def test_an_object_without_probabilities_is_no_opinion():
    assert not isinstance(LogisticRegression(), Opinion)


def test_probabilities_are_kept_off_zero_by_hand():
    bounded = bounded_probabilities(np.array([[0.0, 1.0], [-0.5, 1.5]]), 0.25)
    np.testing.assert_allclose(bounded, [[0.2, 0.8], [1 / 7, 6 / 7]])
    untouched = np.array([[0.3, 0.7]])
    np.testing.assert_allclose(bounded_probabilities(untouched), untouched)


def test_the_likelihood_is_the_mean_logarithm_and_finite_for_the_impossible():
    found = log_likelihood(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 1]))
    assert found == pytest.approx((np.log(0.5) + np.log(MIN_PROBABILITY)) / 2)
