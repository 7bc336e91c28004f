"""The classifier against the slow reference on 200 awkward small data sets."""

from functools import partial

import numpy as np
import pytest
import reference

from unflip import RobustKNeighborsClassifier
from unflip.neighbors import exact as index_module
from unflip.voting.folds import make_folds

GROUPS = range(20)
PaperClassifier = partial(RobustKNeighborsClassifier, noise_estimator="extremes")


@pytest.fixture(params=["plain", "compiled"])
def engine(request, monkeypatch):
    limit = 0 if request.param == "compiled" else 2**60
    monkeypatch.setattr(index_module, "PLAIN_WORK", limit)
    return request.param


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("group", GROUPS)
def test_votes_rates_and_predictions_equal_the_reference(group, n_jobs, engine):
    for seed in range(10 * group, 10 * group + 10):
        X, y, queries = reference.random_problem(seed)
        k, noise_neighbors = 1 + seed % 9, 2 + seed % 7
        rule = ("threshold", "algorithm_1")[seed % 2]
        model = PaperClassifier(k, noise_neighbors=noise_neighbors, decision=rule, n_jobs=n_jobs).fit(X, y)
        tau_plus, tau_minus = reference.extremes(X, y, np.arange(len(X)), noise_neighbors)
        assert model.noise_rates_.tolist() == [tau_minus, tau_plus], seed
        lists = reference.neighbor_lists(X, queries, range(len(X)))[:, :k]
        positives = y[lists].sum(axis=1)
        np.testing.assert_array_equal(model.kneighbors(queries)[1], lists, err_msg=str(seed))
        np.testing.assert_array_equal(model.predict_noisy_proba(queries)[:, 1], positives / k, err_msg=str(seed))
        expected = reference.classify(positives, k, tau_plus, tau_minus, rule)
        np.testing.assert_array_equal(model.predict(queries), expected, err_msg=str(seed))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("group", GROUPS)
def test_chosen_k_and_noise_k_equal_a_fit_per_candidate_and_fold(group, n_jobs, engine):
    for seed in range(10 * group, 10 * group + 10):
        X, y, _ = reference.random_problem(seed)
        rule = ("threshold", "algorithm_1")[seed % 2]
        model = PaperClassifier(selection="noisy_accuracy", decision=rule, n_jobs=n_jobs, random_state=seed)
        chosen = model.fit(X, y).selection_
        scores = reference.select_by_noisy_accuracy(
            X, y, make_folds(y, seed), chosen.n_neighbors, chosen.noise_neighbors, rule
        )
        np.testing.assert_allclose(chosen.scores, scores, rtol=0, atol=1e-12, err_msg=str(seed))
        row, column = reference.first_best(scores)
        assert model.n_neighbors_ == chosen.n_neighbors[row], seed
        assert model.noise_neighbors_ == chosen.noise_neighbors[column], seed


@pytest.mark.parametrize("group", GROUPS)
def test_k_by_likelihood_equals_the_reference(group, engine):
    for seed in range(10 * group, 10 * group + 10):
        X, y, _ = reference.random_problem(seed)
        model = RobustKNeighborsClassifier(noise_neighbors=5).fit(X, y)
        scores = reference.select_by_likelihood(X, y, model.selection_.n_neighbors)
        np.testing.assert_allclose(model.selection_.scores, scores, rtol=0, atol=1e-12, err_msg=str(seed))
        assert model.n_neighbors_ == model.selection_.n_neighbors[reference.first_best(scores)[0]], seed
