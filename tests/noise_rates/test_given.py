"""Rates that a user knows, and rates counted from a model's probabilities."""

import numpy as np
import pytest

from unflip import LabelAudit
from unflip.noise.transition import NoiseModel
from unflip.noise_rates.given import counted_rates, given_rates

CLASSES = np.array(["a", "b"])
LABELS = np.array([0, 0, 0, 1])


def test_known_rates_have_intervals_without_width_and_no_notes():
    found = given_rates(NoiseModel.of({"a": 0.2}, CLASSES), LABELS, 0.9)
    assert found.rates == pytest.approx([0.2, 0])
    np.testing.assert_array_equal(found.interval, np.column_stack([found.rates, found.rates]))
    # 3/4 of the labels are a, which is .8 of the true ones.
    assert found.class_prior == pytest.approx([0.9375, 0.0625])
    assert (found.noise_estimator, found.identifiable, found.notes) == ("given", True, ())


def test_rates_are_counted_by_confident_learning_with_an_interval_around_them():
    random = np.random.RandomState(0)
    truth = random.randint(0, 2, 2000)
    labels = np.where(random.random_sample(2000) < np.array([0.1, 0.3])[truth], 1 - truth, truth)
    sure = np.where(truth[:, None] == [0, 1], 0.95, 0.05)
    found = counted_rates(sure, CLASSES, labels, 0.9, random)
    assert found.rates == pytest.approx([0.1, 0.3], abs=0.03)
    assert (found.interval[:, 0] < found.rates).all()
    assert (found.interval[:, 1] > found.rates).all()
    assert np.ptp(found.interval, axis=1).max() < 0.1


def test_probabilities_that_contradict_every_label_end_in_an_answer():
    """The counted matrix cannot be inverted; it once ended in a LinAlgError."""
    probabilities = [[0.9, 0.1], [0.1, 0.9], [0.9, 0.1], [0.1, 0.9]]
    audit = LabelAudit(random_state=0).fit(None, [0, 0, 1, 1], pred_probs=probabilities)
    assert audit.rates_.rates == pytest.approx([0.5, 0.5])
    assert audit.rates_.class_prior == pytest.approx([0.5, 0.5])
    assert not audit.rates_.identifiable
    assert np.isfinite(audit.issues_["p_wrong"]).all()
