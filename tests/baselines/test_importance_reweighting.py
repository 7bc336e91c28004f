"""Weights that make the expected loss on noisy labels the clean loss."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from unflip import make_label_noise
from unflip.baselines import ImportanceReweightedLogisticRegression, ImportanceReweightedSVC
from unflip.baselines.importance_reweighting import MIN_WEIGHT, importance_weights
from unflip.baselines.observed_posterior import POSTERIORS, observed_posterior

BOTH = pytest.mark.parametrize("make", [ImportanceReweightedLogisticRegression, ImportanceReweightedSVC])


@given(
    eta=st.floats(0, 1),
    tau_plus=st.floats(0, 0.49),
    tau_minus=st.floats(0, 0.49),
    losses=st.tuples(st.floats(-9, 9), st.floats(-9, 9)),
)
def test_with_exact_posteriors_the_expected_weighted_loss_is_the_clean_one(eta, tau_plus, tau_minus, losses):
    observed = (1 - tau_plus - tau_minus) * eta + tau_minus
    weights = importance_weights(np.full(2, observed), np.arange(2), tau_plus=tau_plus, tau_minus=tau_minus)
    chances = np.array([1 - observed, observed])
    assert chances @ weights == pytest.approx(1)
    assert chances @ (weights * losses) == pytest.approx(np.array([1 - eta, eta]) @ losses, abs=1e-9)


def test_weights_by_hand():
    # tau_plus = .3, tau_minus = .1: (.5 - .1) / (.6 * .5), (.5 - .3) / (.6 * .5), and zero where negative.
    rates = {"tau_plus": 0.3, "tau_minus": 0.1}
    weights = importance_weights(np.array([0.5, 0.5, 0.05, 0.8]), np.array([1, 0, 1, 0]), **rates)
    np.testing.assert_allclose(weights, [4 / 3, 2 / 3, 0, 0])


def test_an_impossible_label_weighs_nothing_unless_flips_into_it_are_impossible_too():
    posterior, labels = np.array([0.0, 1.0]), np.array([1, 0])
    np.testing.assert_array_equal(importance_weights(posterior, labels, tau_plus=0.2, tau_minus=0.2), [0, 0])
    np.testing.assert_array_equal(importance_weights(posterior, labels, tau_plus=0.0, tau_minus=0.0), [1, 1])


def noisy_clouds(n=400, seed=0):
    random = np.random.RandomState(seed)
    y = np.arange(n) % 2
    return random.normal(size=(n, 2)) + 2.0 * y[:, None], make_label_noise(y, [0.1, 0.3], random_state=seed), y


@BOTH
def test_without_noise_it_is_the_plain_method(make):
    X, labels, _ = noisy_clouds()
    plain = {ImportanceReweightedLogisticRegression: LogisticRegression, ImportanceReweightedSVC: SVC}[make]()
    model = make(None).fit(X, labels)
    np.testing.assert_array_equal(model.decision_function(X), plain.fit(X, labels).decision_function(X))
    np.testing.assert_array_equal(model.weights_, 1)


@BOTH
@pytest.mark.parametrize("posterior", POSTERIORS)
def test_every_posterior_helps_and_makes_the_weights(make, posterior):
    X, labels, y = noisy_clouds(1500)
    rates = {"tau_plus": 0.45, "tau_minus": 0.05}
    labels = make_label_noise(y, [0.05, 0.45], random_state=0)
    model = make([0.05, 0.45], posterior=posterior, random_state=0).fit(X, labels)
    assert model.score(X, y) > make(None).fit(X, labels).score(X, y) + 0.02
    if posterior != "neighbors":
        expected = importance_weights(observed_posterior(X, labels, posterior, random_state=0), labels, **rates)
        np.testing.assert_allclose(model.weights_, expected)
    # Flipped labels get small weights.
    wrong = (labels == 0) & (y == 1)
    assert model.weights_[wrong].mean() < 0.6 * model.weights_[(labels == 0) & ~wrong].mean()


@BOTH
@pytest.mark.parametrize("posterior", ["kliep", "kde"])
def test_a_given_width_is_used(make, posterior):
    X, labels, _ = noisy_clouds()
    model = make([0.1, 0.3], posterior=posterior, width=0.15, random_state=0).fit(X, labels)
    given = observed_posterior(X, labels, posterior, width=0.15, random_state=0)
    np.testing.assert_allclose(model.weights_, importance_weights(given, labels, tau_plus=0.3, tau_minus=0.1))


@BOTH
def test_no_posterior_is_estimated_where_there_is_no_noise(make, monkeypatch):
    monkeypatch.setattr("unflip.baselines.importance_reweighting.observed_posterior", None)
    X, labels, _ = noisy_clouds(40)
    make(None).fit(X, labels)


@BOTH
def test_rows_of_weight_zero_are_dropped(make):
    X, labels, _ = noisy_clouds(600)
    gamma = {"gamma": 0.3} if make is ImportanceReweightedSVC else {"tol": 1e-8}
    model = make([0.1, 0.3], posterior="neighbors", **gamma).fit(X, labels)
    kept = model.weights_ > 0
    assert 0 < (~kept).sum() < 300
    plain = SVC(gamma=0.3) if make is ImportanceReweightedSVC else LogisticRegression(tol=1e-8)
    plain.fit(X[kept], labels[kept], sample_weight=model.weights_[kept])
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X), atol=1e-6)


@BOTH
def test_a_class_without_any_weight_keeps_a_tiny_one_with_a_warning(make):
    """One label in twenty is positive, at random, though a third of the others would be flipped to it."""
    X = np.random.RandomState(0).normal(size=(400, 2))
    labels = np.where(np.arange(400) % 20 == 0, "rare", "often")
    with pytest.warns(
        UserWarning, match=f"{make.__name__}: at these noise rates no label 'rare' is credible"
    ) as caught:
        model = make({"often": 0.35}, posterior="neighbors").fit(X, labels)
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(model.weights_[labels == "rare"], MIN_WEIGHT)
    assert set(model.predict(X)) == {"often"}


@BOTH
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"posterior": "guess"}, 'one of "kliep", "logistic", "neighbors", "kde", got \'guess\''),
        ({"width": "narrow"}, "one of \"auto\", or a number > 0, got 'narrow'"),
        ({"width": -1.0}, "a finite number > 0, got -1.0"),
    ],
)
def test_bad_parameters(make, parameters, sentence):
    X, labels, _ = noisy_clouds(20)
    with pytest.raises(ValueError, match=f"{make.__name__}: '{next(iter(parameters))}' must be {sentence}"):
        make(**parameters).fit(X, labels)


@BOTH
def test_a_seed_makes_results_reproducible(make):
    X, labels, _ = noisy_clouds()
    first, again = (make(random_state=1).fit(X, labels) for _ in range(2))
    np.testing.assert_array_equal(first.decision_function(X), again.decision_function(X))
