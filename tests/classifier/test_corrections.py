"""Corrections: what any classifier learns from, given how likely each class is the true one."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from unflip.classifier.corrections import (
    choose_correction,
    fit_corrected,
    true_given,
    weight_parameter,
)

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(40, 2))
LABELS = (X[:, 0] > 0).astype(int)


def certain(labels, n_classes=2):
    return np.eye(n_classes)[labels]


def test_what_is_not_the_given_label_is_shared_out_as_the_clean_posterior_has_it():
    clean = np.array([[0.1, 0.6, 0.3], [1.0, 0.0, 0.0]])
    true = true_given(np.array([0.4, 0.5]), clean, np.array([1, 0]))
    np.testing.assert_allclose(true[0], [0.1, 0.6, 0.3])
    np.testing.assert_allclose(true[1], [0.5, 0.25, 0.25])  # nothing is known of the others
    np.testing.assert_allclose(clean[0], [0.1, 0.6, 0.3])  # not changed


def test_weights_go_to_the_last_step_of_a_pipeline():
    inner = make_pipeline(StandardScaler(), LogisticRegression())
    assert weight_parameter(LogisticRegression()) == "sample_weight"
    assert weight_parameter(inner) == "logisticregression__sample_weight"
    assert weight_parameter(make_pipeline(StandardScaler(), inner)) == "pipeline__logisticregression__sample_weight"
    assert weight_parameter(KNeighborsClassifier()) is None


def test_soft_labels_where_weights_are_taken_and_changed_ones_where_not():
    assert choose_correction("me", "auto", LogisticRegression()) == "soft"
    assert choose_correction("me", "auto", KNeighborsClassifier()) == "relabel"
    assert choose_correction("me", "prune", KNeighborsClassifier()) == "prune"
    with pytest.raises(
        ValueError, match=r"me: 'correction' must be .* for an estimator whose fit takes no sample_weight"
    ):
        choose_correction("me", "soft", KNeighborsClassifier())


def test_soft_labels_weigh_every_class_by_its_probability():
    true = np.column_stack([np.linspace(0, 1, 40), np.linspace(1, 0, 40)])
    found = fit_corrected(LogisticRegression(), X, LABELS, true, "soft")
    kept = true >= 0.01
    by_hand = LogisticRegression().fit(
        np.vstack([X[kept[:, 0]], X[kept[:, 1]]]),
        np.repeat([0, 1], kept.sum(axis=0)),
        sample_weight=np.concatenate([true[kept[:, 0], 0], true[kept[:, 1], 1]]),
    )
    np.testing.assert_allclose(found.coef_, by_hand.coef_, atol=1e-3)


def test_certain_labels_are_learned_as_they_are_by_every_correction():
    expected = DecisionTreeClassifier(random_state=0).fit(X, LABELS).predict(X)
    for correction in ("soft", "relabel", "prune", "posterior"):
        model = fit_corrected(DecisionTreeClassifier(random_state=0), X, LABELS, certain(LABELS), correction)
        assert model.predict(X).tolist() == expected.tolist()


def test_relabelling_and_pruning_follow_the_likeliest_label_but_lose_no_class():
    wrong = LABELS.copy()
    wrong[:5] = 1 - wrong[:5]
    tree = DecisionTreeClassifier(random_state=0)
    assert fit_corrected(tree, X, wrong, certain(LABELS), "relabel").predict(X).tolist() == LABELS.tolist()
    pruned = fit_corrected(KNeighborsClassifier(1), X, wrong, certain(LABELS), "prune")
    assert pruned.n_samples_fit_ == 35
    rare = np.zeros(40, int)
    rare[0] = 1
    for correction in ("relabel", "prune"):
        model = fit_corrected(KNeighborsClassifier(1), X, rare, certain(np.zeros(40, int)), correction)
        assert model.predict(X[:1]).tolist() == [1]
