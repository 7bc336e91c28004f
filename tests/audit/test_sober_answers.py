"""Tables on which it is easy to claim too much: each has a sober answer."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from unflip import LabelAudit, make_label_noise


def audited(X, labels):
    return LabelAudit().fit(X, labels)


def gain(audit, truth):
    """Return by how much cleaning improves the labels."""
    given = audit.issues_["given_label"].to_numpy()
    return np.mean(audit.clean_labels() == truth) - np.mean(given == truth)


def precision_of_the_surest(audit, truth):
    surest = audit.issues_[audit.issues_["p_wrong"] > 0.9]
    return np.mean(surest["given_label"] != truth[surest.index]) if len(surest) else 1.0


def embedding(spread):
    random = np.random.RandomState(0)
    truth = random.randint(0, 10, 1500)
    rows = spread * random.normal(size=(10, 32))[truth] + random.normal(size=(1500, 32))
    return rows, make_label_noise(truth, 0.044, random_state=0), truth


def test_shuffled_labels_are_not_determined_and_none_is_changed():
    X, y = load_breast_cancer(return_X_y=True)
    shuffled = np.random.RandomState(0).permutation(y)
    audit = audited(X, shuffled)
    assert not audit.rates_.identifiable
    assert audit.rates_.headline.startswith("Between ")
    assert (audit.clean_labels() == shuffled).all()


def test_clean_labels_stay_as_they_are():
    X, y = load_breast_cancer(return_X_y=True)
    audit = audited(X, y)
    assert audit.rates_.share_wrong < 0.02
    assert gain(audit, y) >= -0.002


@pytest.mark.parametrize(("spread", "least_gain"), [(0.4, -0.002), (0.9, 0.01)])
def test_embeddings_of_ten_classes_weak_or_good(spread, least_gain):
    X, noisy, truth = embedding(spread)
    audit = audited(X, noisy)
    low, high = audit.rates_.share_interval
    assert high < 0.15
    assert low <= np.mean(noisy != truth) <= high
    assert gain(audit, truth) >= least_gain
    assert precision_of_the_surest(audit, truth) > 0.85


def test_constant_columns_say_nothing():
    labels = np.random.RandomState(0).randint(0, 2, 300)
    audit = audited(np.ones((300, 2)), labels)
    assert not audit.rates_.identifiable
    assert not audit.issues_["is_label_issue"].any()


def test_one_informative_column_among_a_hundred_is_enough():
    X = np.random.RandomState(0).normal(size=(800, 100))
    truth = (X[:, 3] > 0).astype(int)
    audit = audited(X, make_label_noise(truth, 0.05, random_state=0))
    assert audit.rates_.share_wrong == pytest.approx(0.055, abs=0.03)
    assert gain(audit, truth) > 0.01
    assert precision_of_the_surest(audit, truth) > 0.85


def test_one_percent_positives_are_not_taken_for_noise():
    X = np.random.RandomState(0).normal(size=(2000, 4))
    truth = np.zeros(2000, int)
    truth[:20] = 1
    X[:20] += 3
    clean = audited(X, truth)
    assert clean.rates_.share_wrong < 0.005
    assert (clean.clean_labels() == truth).all()
    noisy = audited(X, make_label_noise(truth, {0: 0.01, 1: 0.1}, random_state=0))
    assert gain(noisy, truth) > 0.005


def test_near_duplicates():
    random = np.random.RandomState(0)
    X = np.repeat(random.normal(size=(200, 3)), 3, axis=0) + 1e-6 * random.normal(size=(600, 3))
    truth = (X[:, 0] > 0).astype(int)
    audit = audited(X, make_label_noise(truth, 0.05, random_state=0))
    assert audit.rates_.share_wrong < 0.1
    assert audit.rates_.share_interval[1] > 0.03
    assert gain(audit, truth) >= 0


def test_twenty_rows_are_too_few_to_change_any():
    X = np.random.RandomState(0).normal(size=(20, 2))
    labels = (X[:, 0] > 0).astype(int)
    labels[0] = 1 - labels[0]
    audit = audited(X, labels)
    assert not audit.rates_.identifiable
    assert (audit.clean_labels() == labels).all()


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_strong_overlap_is_not_cleaned_away(noise):
    random = np.random.RandomState(0)
    X = random.normal(size=(1500, 2))
    truth = (X[:, 0] + 1.5 * random.normal(size=1500) > 0).astype(int)
    audit = audited(X, make_label_noise(truth, noise, random_state=0))
    assert gain(audit, truth) >= -0.002
    low, high = audit.rates_.share_interval
    assert low < 0.01
    assert high > noise
