"""The posterior of one class against the rest: a slow sum over everything unknown, and simulations from its model."""

import numpy as np
import pytest
from scipy.special import expit, logit

from unflip.noise_rates import class_posterior as module
from unflip.noise_rates import noise_prior
from unflip.noise_rates import response as response_module
from unflip.noise_rates.class_posterior import (
    POINTS,
    ClassPosterior,
    grouped_rate_weights,
    rate_weights,
    shortest_interval,
    weighted_quantiles,
)
from unflip.noise_rates.noise_prior import RATES, NoisePrior

PRIOR = NoisePrior()
PURE = NoisePrior(p_pure=1.0)
LEVELS = np.array([0.05, 0.95])


def use_rates(monkeypatch, rates):
    """Consider few rates, so that there is less to sum over."""
    edges = np.concatenate([[0], (rates[1:] + rates[:-1]) / 2, [RATES[-1] + 0.0125]])
    for where in (module, response_module, noise_prior):
        monkeypatch.setattr(where, "RATES", rates)
    monkeypatch.setattr(noise_prior, "EDGES", edges)


@pytest.fixture
def coarse(monkeypatch):
    use_rates(monkeypatch, np.array([0, 0.01, 0.025, 0.05, 0.1, 0.175, 0.25, 0.325, 0.4, 0.475]))
    monkeypatch.setattr(response_module, "SLOPES", np.geomspace(0.5, 8, 6))
    monkeypatch.setattr(response_module, "N_BINS", 50)


def simulated(n, tau_minus, tau_plus, *, slope=8.0, center=0.0, seed=0):
    """Draw shares that are spread, labels that respond to them as the model says, and which labels are wrong."""
    random = np.random.RandomState(seed)
    places = random.normal(0, 2, n)
    truth = random.random_sample(n) < expit(slope * (places - center))
    wrong = random.random_sample(n) < np.where(truth, tau_plus, tau_minus)
    return expit(places), truth ^ wrong, wrong


def p_wrong(posterior, shares, positive):
    return np.where(
        positive, posterior.at(shares, posterior.wrong_positive), posterior.at(shares, posterior.wrong_negative)
    )


def sure(posterior, shares, positive):
    return np.where(
        positive, posterior.at(shares, posterior.sure_positive), posterior.at(shares, posterior.sure_negative)
    )


def slow_posterior(shares, positive, prior):
    """Sum over kinds of tables, both floors, slopes, centers and rates, one at a time."""
    rates, places = module.RATES, logit(shares)
    width, quantiles = max(places.std(), 0.1), np.quantile(places, np.linspace(0.02, 0.98, 12))
    between = np.linspace(places.min(), places.max(), 13)[1:-1]
    outside = [
        places.min() - 1.5 * width,
        places.min() - width / 2,
        places.max() + width / 2,
        places.max() + 1.5 * width,
    ]
    weights, total = np.zeros((len(rates), len(rates))), 0.0
    answers = {name: np.zeros(len(module.POINTS)) for name in ("wrong_positive", "wrong_negative", "sure_positive",
                                                               "sure_negative", "clean")}  # fmt: skip
    for kind in prior.kinds():
        for i, floor in enumerate(rates):
            for j, ceiling in enumerate(1 - rates):
                if ceiling - floor < module.MIN_SIGNAL:
                    continue
                for slope in response_module.SLOPES:
                    for center in [*outside, *quantiles, *between]:
                        response = expit(slope * (places - center))
                        explained = response.var() / (response.mean() * (1 - response.mean()))
                        chances = np.where(positive, 1, -1) * (floor + (ceiling - floor) * response) + ~positive
                        chance = np.prod(np.clip(chances, module.MIN_SHARE, 1 - module.MIN_SHARE))
                        chance *= np.clip(explained, 0.001, 0.95) ** 2 * (1 - np.clip(explained, 0.001, 0.95)) ** 0.3
                        chance *= kind.chances[i, j]
                        weights += chance * np.outer(kind.minus.rates[i], kind.plus.rates[j])
                        total += chance
                        observed = floor + (ceiling - floor) * expit(slope * (module.POINTS - center))
                        observed = np.clip(observed, 1e-9, 1 - 1e-9)
                        for number, rate in enumerate(rates):
                            # The other rate is taken at its mean.
                            plus, part = kind.plus.means[j], chance * kind.minus.rates[i, number]
                            clean = np.clip((observed - rate) / (1 - rate - plus), 0, 1)
                            wrong = np.minimum(rate * (1 - clean) / observed, 1)
                            answers["wrong_positive"] += part * wrong
                            answers["sure_positive"] += part * (wrong > 0.5)
                            answers["clean"] += part * clean
                            minus, part = kind.minus.means[i], chance * kind.plus.rates[j, number]
                            clean = np.clip((observed - minus) / (1 - minus - rate), 0, 1)
                            wrong = np.minimum(rate * clean / (1 - observed), 1)
                            answers["wrong_negative"] += part * wrong
                            answers["sure_negative"] += part * (wrong > 0.5)
    return weights / total, {name: values / total for name, values in answers.items()}


def test_it_is_the_sum_over_all_that_is_not_known(monkeypatch):
    use_rates(monkeypatch, np.array([0.0, 0.05, 0.2, 0.4]))
    monkeypatch.setattr(response_module, "SLOPES", np.array([1.0, 4.0]))
    monkeypatch.setattr(module, "POINTS", np.linspace(-3, 3, 7))
    monkeypatch.setattr(module, "NEGLIGIBLE", 0.0)
    monkeypatch.setattr(module, "MAX_COMBINATIONS", 10**6)
    shares, positive, _ = simulated(40, 0.1, 0.3, slope=2.0)
    prior = NoisePrior(p_pure=0.6, overlap=0.1)
    found = ClassPosterior.of(shares, positive, prior)
    weights, answers = slow_posterior(shares, positive, prior)
    np.testing.assert_allclose(found.weights, weights, atol=1e-9)
    for name, expected in answers.items():
        np.testing.assert_allclose(getattr(found, name), expected, atol=1e-6, err_msg=name)
    np.testing.assert_allclose(rate_weights(shares, positive, prior), weights, atol=1e-9)


def test_the_share_of_wrong_labels_is_that_of_every_pair_of_rates():
    found = ClassPosterior.of(*simulated(200, 0.1, 0.3)[:2], PRIOR)
    shares, weights = found.wrong_share
    for i in (0, 10, 20):
        for j in (0, 5, 15):
            # positives = true (1 - tau_plus) + (1 - true) tau_minus
            true = np.clip((found.positives - RATES[i]) / (1 - RATES[i] - RATES[j]), 0, 1)
            assert shares[i * len(RATES) + j] == pytest.approx(true * RATES[j] + (1 - true) * RATES[i])
            assert weights[i * len(RATES) + j] == found.weights[i, j]


def test_the_shortest_interval_is_that_of_a_slow_search_and_reaches_zero_where_zero_is_likeliest():
    random = np.random.RandomState(0)
    values, weights = np.sort(random.random_sample(40)), random.random_sample(40)
    low, high = shortest_interval(values, weights, 0.8)
    ends = [weighted_quantiles(values, weights, np.array([a, a + 0.8])) for a in np.linspace(0, 0.2, 401)]
    assert high - low == pytest.approx(min(b - a for a, b in ends), abs=0.01)
    assert shortest_interval(RATES, np.exp(-50 * RATES), 0.9)[0] == 0


def test_quantiles_of_weighted_values():
    values, weights = np.array([3.0, 1.0, 2.0, 9.0]), np.array([1.0, 1.0, 2.0, 0.0])
    # Sorted: 1, 2 (twice), 3; 2 is in the middle, and a value without weight does not count.
    np.testing.assert_allclose(weighted_quantiles(values, weights, np.array([0, 0.25, 0.5, 1])), [1, 1.5, 2, 3])
    np.testing.assert_array_equal(weighted_quantiles(np.array([0.3]), np.ones(1), LEVELS), [0.3, 0.3])


def test_swapping_the_classes_mirrors_the_answers(coarse):
    shares, positive, _ = simulated(300, 0.05, 0.25, slope=3.0, center=0.5)
    one, other = ClassPosterior.of(shares, positive, PRIOR), ClassPosterior.of(1 - shares, ~positive, PRIOR)
    # Quantiles and ties of bins are not quite symmetric.
    np.testing.assert_allclose(one.weights, other.weights.T, atol=0.01)
    np.testing.assert_allclose(one.wrong_positive, other.wrong_negative[::-1], atol=0.01)
    np.testing.assert_allclose(one.sure_positive, other.sure_negative[::-1], atol=0.02)
    np.testing.assert_allclose(one.clean, 1 - other.clean[::-1], atol=0.01)
    assert abs(one.means[0] - one.means[1]) > 0.1


def test_a_higher_share_of_positives_speaks_for_positive_labels(coarse):
    for seed, rates in enumerate([(0.0, 0.0), (0.1, 0.3), (0.4, 0.4)]):
        found = ClassPosterior.of(*simulated(300, *rates, slope=2.0, seed=seed)[:2], PRIOR)
        for falls in (
            found.wrong_positive,
            found.sure_positive,
            -found.wrong_negative,
            -found.sure_negative,
            -found.clean,
        ):
            assert (np.diff(falls) <= 1e-3).all()
            assert falls[0] >= falls[-1]
        for values in (found.wrong_positive, found.sure_positive, found.clean):
            assert ((values >= 0) & (values <= 1)).all()


def drawn_from_the_prior(n_tables, n_rows):
    """Yield tables whose rates and responses are drawn as the prior says."""
    random = np.random.RandomState(0)
    for seed in range(n_tables):
        b = PRIOR.low if random.random_sample() < PRIOR.p_low else PRIOR.high
        rates = 1 - random.uniform((1 - 0.4875) ** b, 1, 2) ** (1 / b)  # Beta(1, b) below 0.4875
        slope, center = np.exp(random.uniform(0, np.log(8))), random.normal()
        yield simulated(n_rows, *rates, slope=slope, center=center, seed=seed)


def test_probabilities_come_true_and_intervals_hold_the_share_as_often_as_they_say(coarse):
    said, wrong, held = [], [], []
    for shares, positive, is_wrong in drawn_from_the_prior(60, 400):
        found = ClassPosterior.of(shares, positive, PRIOR)
        said.append(p_wrong(found, shares, positive))
        wrong.append(is_wrong)
        low, high = weighted_quantiles(*found.wrong_share, LEVELS)
        held.append(low - 0.01 <= is_wrong.mean() <= high + 0.01)
    said, wrong = np.concatenate(said), np.concatenate(wrong)
    assert said.mean() == pytest.approx(wrong.mean(), abs=0.03)
    assert np.count_nonzero(said > 0.9) > 100
    assert wrong[said > 0.9].mean() >= 0.85
    for low, high in ((0, 0.1), (0.1, 0.4), (0.4, 0.7), (0.7, 1)):
        among = (said >= low) & (said < high)
        assert said[among].mean() == pytest.approx(wrong[among].mean(), abs=0.15)
    assert np.mean(held) >= 0.8


@pytest.mark.parametrize("rates", [(0.0, 0.0), (0.3, 0.3), (0.05, 0.3)])
def test_rates_of_separate_classes_are_found_where_shares_are_spread(rates):
    found = ClassPosterior.of(*simulated(2000, *rates)[:2], PRIOR)
    assert found.means == pytest.approx(rates, abs=0.04)
    for rate, (low, high) in zip(rates, found.intervals(0.9), strict=True):
        assert low - 0.01 <= rate <= high + 0.01
        assert high - low < 0.12
    shares, weights = found.wrong_share
    assert shares @ weights == pytest.approx(np.mean(rates), abs=0.03)


def test_rates_of_separate_classes_are_found_where_shares_have_a_gap():
    random = np.random.RandomState(0)
    truth = random.random_sample(4000) < 0.5
    shares = (random.binomial(50, np.where(truth, 0.7, 0.05)) + 0.5) / 51  # of the labels of 50 neighbors
    wrong = random.random_sample(4000) < np.where(truth, 0.3, 0.05)
    found = ClassPosterior.of(shares, truth ^ wrong, PRIOR)
    assert found.means == pytest.approx((0.05, 0.3), abs=0.06)
    low, high = found.intervals(0.99).T
    assert (low <= [0.05, 0.3]).all()
    assert (high >= [0.05, 0.3]).all()


def test_labels_that_follow_nothing_are_not_surely_wrong():
    random = np.random.RandomState(0)
    shares, positive = expit(random.normal(0, 0.2, 600)), random.random_sample(600) < 0.5
    found = ClassPosterior.of(shares, positive, PRIOR)
    assert np.mean(sure(found, shares, positive) >= 0.9) < 0.05
    constant = np.full(600, 0.5)
    assert sure(ClassPosterior.of(constant, positive, PRIOR), constant, positive).max() < 0.9
    low, high = weighted_quantiles(*found.wrong_share, LEVELS)
    assert high - low > 0.05


def test_representing_many_combinations_by_few_hardly_changes_answers(monkeypatch):
    shares, positive, _ = simulated(150, 0.1, 0.2, slope=1.5)
    few = ClassPosterior.of(shares, positive, PRIOR)
    monkeypatch.setattr(module, "MAX_COMBINATIONS", 10**6)
    found = ClassPosterior.of(shares, positive, PRIOR)
    assert not np.array_equal(few.weights, found.weights)
    assert few.means == pytest.approx(found.means, abs=0.01)
    for name in ("wrong_positive", "wrong_negative", "sure_positive", "sure_negative", "clean"):
        np.testing.assert_allclose(getattr(few, name), getattr(found, name), atol=0.01, err_msg=name)


@pytest.mark.parametrize(
    ("shares", "positive"),
    [
        ([0.1, 0.9, 0.2], [0, 1, 0]), ([0.5] * 6, [0, 1] * 3), ([0.1, 0.5, 0.9], [1, 1, 1]),
        ([0.1, 0.5, 0.9], [0, 0, 0]), ([0.0, 1.0] * 3, [0, 1] * 3), ([0.3], [1]),
    ],
)  # fmt: skip
def test_next_to_nothing_is_answered_with_next_to_no_certainty(coarse, shares, positive):
    shares, positive = np.array(shares), np.array(positive) == 1
    found = ClassPosterior.of(shares, positive, PRIOR)
    assert found.weights.sum() == pytest.approx(1)
    assert found.weights.min() >= 0
    assert sure(found, shares, positive).max() < 0.7
    for low, high in found.intervals(0.9):
        assert low < 0.1 < high


def test_shares_beyond_the_points_have_the_answer_of_the_last(coarse):
    found = ClassPosterior.of(*simulated(100, 0.1, 0.1)[:2], PRIOR)
    assert found.at(np.array([0.0, 1.0, expit(POINTS[70])]), found.clean) == pytest.approx(found.clean[[0, -1, 70]])


def test_with_pure_classes_for_sure_a_floor_is_noise(coarse):
    shares, positive, _ = simulated(500, 0.1, 0.2)
    pure, doubtful = (ClassPosterior.of(shares, positive, prior) for prior in (PURE, NoisePrior(p_pure=0.1)))
    assert sum(doubtful.means) < sum(pure.means)


def test_rates_of_groups_are_as_near_the_truth_as_those_of_each_alone():
    truth = np.linspace(0.02, 0.4, 12)
    tables = [simulated(200, 0.005, rate, slope=4.0, seed=number) for number, rate in enumerate(truth)]
    shares, positive, _ = (np.concatenate(each) for each in zip(*tables, strict=True))
    group = np.repeat(np.arange(12), 200)
    order = np.random.RandomState(0).permutation(2400)
    found = grouped_rate_weights(shares[order], positive[order], group[order], 12, PRIOR, 50)
    assert found.shape == (12, len(RATES))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    alone = np.array([rate_weights(shares, positive, PRIOR, 50).sum(axis=0) for shares, positive, _ in tables])
    error, error_alone = (np.sqrt(np.mean((weights @ RATES - truth) ** 2)) for weights in (found, alone))
    assert error < 1.2 * error_alone < 0.08
    assert np.sqrt(np.mean(((found - alone) @ RATES) ** 2)) < 0.02
