"""A judgement as NoiseRates."""

import numpy as np
import pytest
from scipy.special import expit

from unflip.noise_rates import NoisePrior
from unflip.noise_rates.identifiability import MAX_SENSITIVITY
from unflip.noise_rates.judged import judged_rates, share_by_data_alone
from unflip.noise_rates.judgement import judge
from unflip.noise_rates.noise_prior import UNIFORM
from unflip.opinions.rowwise import RowwiseProbabilities

CLASSES = np.array(["ham", "spam"])


def rated(slope, rates, n=1500, spread=2.0, prior=None, **changes):
    """Judge labels that follow shares more or less steeply, with flips."""
    random = np.random.RandomState(0)
    places = random.normal(0, spread, n)
    truth = random.random_sample(n) < expit(slope * places)
    labels = (truth ^ (random.random_sample(n) < np.where(truth, rates[1], rates[0]))).astype(int)
    shares = np.column_stack([expit(-places), expit(places)])
    judgement = judge(shares, labels, prior)
    return judged_rates(judgement, shares, CLASSES, labels, 0.9, **changes), judgement, shares, labels


def test_it_says_what_the_judgement_found_and_nothing_else_where_classes_are_pure():
    others = {"extremes": np.array([0.1, 0.2])}
    found, judgement, _, labels = rated(8.0, (0.05, 0.3), alternatives=others)
    np.testing.assert_array_equal(found.transition_matrix, judgement.transition_matrix)
    np.testing.assert_array_equal(found.interval, judgement.intervals(0.9))
    assert found.wrong == judgement.share_wrong(0.9)
    assert found.rates == pytest.approx([0.05, 0.3], abs=0.04)
    assert (found.noise_estimator, found.confidence, found.n_samples) == ("auto", 0.9, len(labels))
    assert found.classes.tolist() == ["ham", "spam"]
    assert found.alternatives == others
    assert (found.identifiable, found.notes) == (True, ())


def test_intervals_hold_their_estimates():
    for slope, rates in ((8.0, (0.0, 0.0)), (8.0, (0.3, 0.1)), (0.5, (0.2, 0.2))):
        found, *_ = rated(slope, rates, n=300)
        assert (found.interval[:, 0] <= found.rates).all()
        assert (found.rates <= found.interval[:, 1]).all()
        low, high = found.share_interval
        assert 0 <= low <= found.share_wrong <= high <= 1


def test_overlap_is_noted():
    found, *_ = rated(1.0, (0.2, 0.2), n=300, spread=0.8)
    assert not found.identifiable
    assert found.notes[0].startswith("The classes overlap in these columns")
    low, high = found.share_interval
    assert f"from {low:.0%} to {high:.0%}" in found.notes[0]


def test_an_answer_that_depends_on_the_prior_is_noted_with_both_answers():
    found, _, shares, labels = rated(2.0, (0.0, 0.0), n=60, prior=NoisePrior(low=200, p_low=0.999, p_same=0))
    by_data_alone, *_ = judge(shares, labels, UNIFORM).share_wrong(0.9)
    assert by_data_alone - found.share_wrong > MAX_SENSITIVITY
    assert f"{found.share_wrong:.0%} with the prior that was used" in found.notes[0]
    assert f"{by_data_alone:.0%} if every rate were equally likely" in found.notes[0]
    assert not found.identifiable


def test_three_classes():
    random = np.random.RandomState(0)
    truth = random.randint(0, 3, 600)
    shares = (0.1 + 0.7 * np.eye(3))[truth] * np.exp(0.4 * random.normal(size=(600, 3)))
    labels = np.where(random.random_sample(600) < 0.2, (truth + random.randint(1, 3, 600)) % 3, truth)
    shares /= shares.sum(axis=1, keepdims=True)
    found = judged_rates(judge(shares, labels), shares, np.array(list("abc")), labels, 0.9)
    assert found.rates == pytest.approx([0.2] * 3, abs=0.06)
    assert found.share_wrong == pytest.approx(np.mean(labels != truth), abs=0.05)
    assert (found.interval[:, 0] <= found.rates).all()
    assert (found.rates <= found.interval[:, 1]).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_share_by_data_alone_is_the_same_row_by_row(n_classes):
    random = np.random.RandomState(0)
    shares, labels = random.dirichlet(np.ones(n_classes), 200), random.randint(0, n_classes, 200)
    rowwise = RowwiseProbabilities(shares.shape, lambda rows: shares[rows])
    assert share_by_data_alone(rowwise, labels) == share_by_data_alone(shares, labels)
