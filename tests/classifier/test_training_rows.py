"""Rows with weights, and rows that keep arriving."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.neighbors import KNeighborsClassifier

from unflip import RobustKNeighborsClassifier
from unflip.neighbors.shards import ArrayShards, ParquetShards

RANDOM = np.random.RandomState(0)


X = RANDOM.normal(size=(120, 3))


Y = (X[:, 0] > 0).astype(int)


def test_weights_count_as_copies():
    copies = RANDOM.randint(0, 4, size=120)
    weighted = RobustKNeighborsClassifier().fit(X, Y, sample_weight=copies)
    repeated = RobustKNeighborsClassifier().fit(X.repeat(copies, axis=0), Y.repeat(copies))
    assert weighted.n_neighbors_ == repeated.n_neighbors_
    np.testing.assert_allclose(weighted.transition_matrix_, repeated.transition_matrix_)
    np.testing.assert_allclose(weighted.class_prior_, repeated.class_prior_)
    np.testing.assert_allclose(weighted.predict_proba(X + 0.1), repeated.predict_proba(X + 0.1))


def test_rows_of_weight_zero_keep_their_numbers():
    weight = np.ones(120)
    weight[:10] = 0
    model = RobustKNeighborsClassifier(3).fit(X, Y, sample_weight=weight)
    indices = model.kneighbors(X[:10], return_distance=False)
    assert indices.min() >= 10
    np.testing.assert_array_equal(indices, KNeighborsClassifier(3).fit(X[10:], Y[10:]).kneighbors(X[:10])[1] + 10)
    assert model.kneighbors_graph(X[:4]).shape == (4, 120)


def test_weights_of_zero_only_are_refused():
    for method in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match="at least one non-zero number"):
            getattr(RobustKNeighborsClassifier(), method)(X, Y, sample_weight=np.zeros(120))


def test_weights_that_sum_to_one_are_shares_of_the_rows():
    copies = np.tile([0.5, 1.0, 1.5, 1.0], 16)  # 64 in all, so that scaling is exact
    expected = RobustKNeighborsClassifier().fit(X[:64], Y[:64], sample_weight=copies)
    found = RobustKNeighborsClassifier().fit(X[:64], Y[:64], sample_weight=copies / 64)
    np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))


def test_it_can_be_boosted():
    boosted = AdaBoostClassifier(RobustKNeighborsClassifier(5, noise_rates=None), n_estimators=3).fit(X, Y)
    assert boosted.score(X, Y) > 0.8


def test_one_weight_for_all_rows():
    model = RobustKNeighborsClassifier().fit(X[:60], Y[:60], sample_weight=2.0).partial_fit(X[60:], Y[60:])
    expected = RobustKNeighborsClassifier().fit(X, Y, sample_weight=np.repeat([2.0, 1.0], 60))
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))


def test_partial_fit_is_fit_on_all_rows_so_far():
    grown = RobustKNeighborsClassifier()
    grown.partial_fit(X[:40], Y[:40], classes=[0, 1])
    grown.partial_fit(X[40:], Y[40:])
    whole = RobustKNeighborsClassifier().fit(X, Y)
    np.testing.assert_array_equal(grown.predict_proba(X), whole.predict_proba(X))
    assert grown.n_samples_fit_ == 120
    grown.fit(X[:60], Y[:60]).partial_fit(X[60:], Y[60:])
    assert grown.n_samples_fit_ == 120


def test_classes_that_did_not_come_yet():
    model = RobustKNeighborsClassifier(5).partial_fit(X, Y, classes=[0, 1, 2])
    assert model.predict_proba(X).shape == (120, 3)
    assert set(model.predict(X)) == {0, 1}


def test_batches_are_learned_from_when_somebody_asks_and_give_what_fit_gives():
    whole, grown = RobustKNeighborsClassifier().fit(X, Y), RobustKNeighborsClassifier()
    for batch in np.array_split(np.arange(120), 20):
        grown.partial_fit(X[batch], Y[batch], classes=[0, 1])
    assert "noise_rates_" not in vars(grown)
    assert grown.classes_.tolist() == [0, 1]
    for name in ("noise_rates_", "transition_matrix_", "class_prior_"):
        np.testing.assert_array_equal(getattr(grown, name), getattr(whole, name))
    for name in ("n_neighbors_", "noise_neighbors_", "threshold_", "n_learned_from_", "algorithm_"):
        assert getattr(grown, name) == getattr(whole, name)
    np.testing.assert_array_equal(grown.kneighbors(X)[1], whole.kneighbors(X)[1])
    grown.partial_fit(X[:10] + 1, Y[:10])
    expected = RobustKNeighborsClassifier().fit(np.vstack([X, X[:10] + 1]), np.r_[Y, Y[:10]])
    np.testing.assert_array_equal(grown.predict_proba(X), expected.predict_proba(X))


def test_what_is_not_there_is_an_attribute_error_before_and_after_fitting():
    model = RobustKNeighborsClassifier()
    assert not hasattr(model, "noise_rates_")
    three = model.partial_fit(X, np.arange(120) % 3)
    assert not hasattr(three, "threshold_")
    assert hasattr(three, "noise_rates_")
    with pytest.raises(AttributeError, match="'RobustKNeighborsClassifier' object has no attribute 'nothing'"):
        _ = model.nothing


def test_rows_in_shards_are_fitted_and_predicted_like_rows_in_memory():
    shards = ArrayShards(np.array_split(X, 3))
    sharded, whole = RobustKNeighborsClassifier().fit(shards, Y), RobustKNeighborsClassifier().fit(X, Y)
    assert sharded.n_features_in_ == 3
    assert sharded.algorithm_ == whole.algorithm_ == "exact"
    np.testing.assert_array_equal(sharded.noise_rates_, whole.noise_rates_)
    np.testing.assert_array_equal(sharded.predict_proba(shards), whole.predict_proba(X))
    np.testing.assert_array_equal(whole.predict(shards), whole.predict(X))
    with pytest.raises(ValueError, match="'X' must be rows in memory for partial_fit, got 'ArrayShards'"):
        whole.partial_fit(shards, Y)
    with pytest.raises(ValueError, match="inconsistent"):
        RobustKNeighborsClassifier().fit(shards, Y[:5])
    for wrong in ({"metric": "precomputed"}, {"algorithm": KNeighborsClassifier()}, {"algorithm": "approximate"}):
        with pytest.raises(ValueError, match="for rows in shards or"):
            RobustKNeighborsClassifier(**wrong).fit(shards, Y)


def test_labels_come_with_the_files(tmp_path):
    pd.DataFrame(X, columns=list("abc")).assign(y=Y).to_parquet(tmp_path / "rows.parquet", index=False)
    model = RobustKNeighborsClassifier().fit(ParquetShards(tmp_path / "*.parquet", "y"))
    np.testing.assert_array_equal(model.noise_rates_, RobustKNeighborsClassifier().fit(X, Y).noise_rates_)
    with pytest.raises(ValueError, match="labels, or None for shards that have a label column"):
        RobustKNeighborsClassifier().fit(ArrayShards(X))
