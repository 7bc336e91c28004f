"""NoiseCorrectedClassifier: any classifier made robust, and the blend by itself."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from unflip import LabelAudit, NoiseCorrectedClassifier, estimate_noise_rates, make_label_noise
from unflip.opinions.shares import counted_shares

NOISE = {0: 0.1, 1: 0.4}


@pytest.fixture(scope="module")
def tumors():
    X, y = load_breast_cancer(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)
    return X, make_label_noise(y, NOISE, random_state=0), y, X_test, y_test


@pytest.fixture(scope="module")
def blended(tumors):
    X, noisy, *_ = tumors
    return NoiseCorrectedClassifier().fit(X, noisy)


class Deep:
    """An estimator of one's own, which wants to see more neighbors than others."""

    n_neighbors = 90

    def estimate(self, graph, labels):
        assert graph.n_neighbors == 90
        return [[0.9, 0.1], [0.4, 0.6]]


class Nonsense:
    def estimate(self, graph, labels):
        return [[2, 0], [0, 1]]


def forest():
    return RandomForestClassifier(50, random_state=0)


def test_the_blend_predicts_well_from_noisy_labels_and_says_what_it_found(tumors, blended):
    _, noisy, y, X_test, y_test = tumors
    assert blended.score(X_test, y_test) > 0.93
    assert blended.noise_rates_ == pytest.approx([0.1, 0.4], abs=0.08)
    np.testing.assert_allclose(blended.transition_matrix_.sum(axis=1), 1)
    issues = blended.label_issues_
    assert (issues["predicted_label"] == y).mean() > 0.9 > (noisy == y).mean()
    assert (noisy != y)[issues["is_label_issue"]].mean() > 0.85
    assert issues["given_label"].tolist() == noisy.tolist()
    assert sum(blended.weights_.values()) == pytest.approx(1)


def test_probabilities_are_those_of_the_true_label(tumors, blended):
    *_, X_test, y_test = tumors
    probabilities = blended.predict_proba(X_test)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert blended.classes_[probabilities.argmax(axis=1)].tolist() == blended.predict(X_test).tolist()
    brier = ((probabilities[:, 1] - y_test) ** 2).mean()
    assert brier < 0.08


@pytest.mark.parametrize("correction", ["auto", "soft", "relabel", "prune", "posterior"])
def test_every_correction_makes_a_forest_better(tumors, correction):
    X, noisy, _, X_test, y_test = tumors
    plain = forest().fit(X, noisy).score(X_test, y_test)
    model = NoiseCorrectedClassifier(forest(), correction=correction).fit(X, noisy)
    assert model.score(X_test, y_test) > plain + 0.05
    assert model.correction_ == ("soft" if correction == "auto" else correction)
    assert "RandomForestClassifier" in model.weights_


@pytest.mark.parametrize("estimator", [KNeighborsClassifier(), RidgeClassifier()])
def test_estimators_without_weights_or_probabilities_are_served(tumors, estimator):
    X, noisy, _, X_test, y_test = tumors
    model = NoiseCorrectedClassifier(make_pipeline(StandardScaler(), estimator)).fit(X, noisy)
    assert model.score(X_test, y_test) > 0.85
    np.testing.assert_allclose(model.predict_proba(X_test).sum(axis=1), 1)


def test_it_agrees_with_the_audit_and_the_rates_about_the_noise(tumors, blended):
    X, noisy, *_ = tumors
    audit = LabelAudit().fit(X, noisy)
    np.testing.assert_array_equal(audit.rates_.transition_matrix, blended.transition_matrix_)
    np.testing.assert_array_equal(estimate_noise_rates(X, noisy).transition_matrix, blended.transition_matrix_)
    np.testing.assert_array_equal(audit.issues_["p_wrong"], blended.label_issues_["p_wrong"])


def test_known_rates_and_named_estimators_are_used(tumors):
    X, noisy, _, X_test, y_test = tumors
    known = NoiseCorrectedClassifier(noise_rates=NOISE).fit(X, noisy)
    assert known.transition_matrix_.tolist() == [[0.9, 0.1], [0.4, 0.6]]
    assert known.score(X_test, y_test) > 0.93
    assert NoiseCorrectedClassifier(noise_rates=None).fit(X, noisy).noise_rates_.tolist() == [0, 0]
    named = NoiseCorrectedClassifier(noise_estimator="bayes").fit(X, noisy)
    assert named.noise_rates_ == pytest.approx([0.1, 0.4], abs=0.12)
    deep = NoiseCorrectedClassifier(noise_estimator=Deep()).fit(X, noisy)
    assert deep.transition_matrix_.tolist() == [[0.9, 0.1], [0.4, 0.6]]
    posterior = NoiseCorrectedClassifier(forest(), noise_rates=NOISE, correction="posterior").fit(X, noisy)
    assert posterior.score(X_test, y_test) > 0.85


def test_strings_tables_and_sparse_rows(tumors):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])
    noisy = make_label_noise(names[y], 0.2, random_state=0)
    table = pd.DataFrame(X, columns=["a", "b", "c", "d"]).assign(kind=np.where(X[:, 0] > 5.8, "long", "short"))
    by_table = NoiseCorrectedClassifier().fit(table, noisy)
    assert (by_table.predict(table) == names[y]).mean() > 0.9
    assert by_table.predict(table[["kind", "d", "c", "b", "a"]]).tolist() == by_table.predict(table).tolist()
    assert by_table.predict(pl.DataFrame(table.to_dict("list"))).tolist() == by_table.predict(table).tolist()
    with pytest.raises(ValueError, match="'X' must be a table with the columns of the training rows, got 'ndarray'"):
        by_table.predict(X)
    encoded = make_column_transformer((OneHotEncoder(), ["kind"]), remainder="passthrough")
    piped = NoiseCorrectedClassifier(make_pipeline(encoded, forest())).fit(table, noisy)
    assert (piped.predict(table) == names[y]).mean() > 0.9
    bare = NoiseCorrectedClassifier(forest()).fit(table, noisy)
    assert (bare.predict(table) == names[y]).mean() > 0.9
    thin = NoiseCorrectedClassifier().fit(sparse.csr_matrix(X), noisy)
    assert (thin.predict(sparse.csr_matrix(X)) == names[y]).mean() > 0.9


def test_it_is_the_same_every_time_and_survives_pickling(tumors, blended):
    X, noisy, _, X_test, _ = tumors
    again = clone(blended).set_params(n_jobs=2).fit(X, noisy)
    np.testing.assert_array_equal(again.predict_proba(X_test), blended.predict_proba(X_test))
    copy = pickle.loads(pickle.dumps(blended))
    np.testing.assert_array_equal(copy.predict_proba(X_test), blended.predict_proba(X_test))


def test_a_search_over_the_inner_model_works():
    X, y = load_iris(return_X_y=True)
    noisy = make_label_noise(y, 0.1, random_state=0)
    model = NoiseCorrectedClassifier(LogisticRegression(max_iter=500))
    search = GridSearchCV(model, {"estimator__C": [0.01, 1]}, cv=2).fit(X[:, :2], noisy)
    assert search.best_params_["estimator__C"] in (0.01, 1)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"estimator": LogisticRegression}, "'estimator' must be None or a classifier"),
        ({"correction": "magic"}, "'correction' must be one of"),
        ({"estimator": KNeighborsClassifier(), "correction": "soft"}, "whose fit takes no sample_weight"),
        ({"cv": 1}, "'cv' must be an integer >= 2, got 1"),
        ({"noise_rates": "guess"}, "'noise_rates' must be"),
        ({"noise_estimator": "magic"}, "'noise_estimator' must be one of"),
        ({"noise_prior": 0.7}, "'noise_prior' must be a NoisePrior"),
        ({"n_jobs": 0}, "'n_jobs' must be None or an integer"),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(parameters, said):
    with pytest.raises(ValueError, match="NoiseCorrectedClassifier") as refused:
        NoiseCorrectedClassifier(**parameters).fit(np.arange(8.0)[:, None], np.arange(8) % 2)
    assert said in str(refused.value)


def test_labels_and_estimates_that_cannot_be_used_are_refused():
    rows = np.arange(8.0)[:, None]
    with pytest.raises(ValueError, match="two classes or more, got '1 class: 0'"):
        NoiseCorrectedClassifier().fit(rows, np.zeros(8, int))
    with pytest.raises(ValueError, match=r"Nonsense: 'estimate\(\)' must be a matrix"):
        NoiseCorrectedClassifier(noise_estimator=Nonsense()).fit(rows, np.arange(8) % 2)
    with pytest.raises(ValueError, match="requires y to be passed"):
        NoiseCorrectedClassifier().fit(rows, None)


@pytest.mark.parametrize("estimator", [None, LogisticRegression()])
def test_a_blend_that_is_made_row_by_row_corrects_the_same(tumors, estimator, monkeypatch):
    X, noisy, _, X_test, _ = tumors
    expected = NoiseCorrectedClassifier(estimator, random_state=0).fit(X / X.max(axis=0), noisy)
    monkeypatch.setattr("unflip.opinions.neighbors.neighbor_shares", counted_shares)
    monkeypatch.setattr("unflip.opinions.rowwise.MAX_KEPT", 100)
    monkeypatch.setattr("unflip.opinions.rowwise.VALUES_AT_ONCE", 100)
    found = NoiseCorrectedClassifier(estimator, random_state=0).fit(X / X.max(axis=0), noisy)
    pd.testing.assert_frame_equal(found.label_issues_, expected.label_issues_, rtol=1e-6)
    new = X_test / X.max(axis=0)
    np.testing.assert_allclose(found.predict_proba(new), expected.predict_proba(new), rtol=1e-6)
