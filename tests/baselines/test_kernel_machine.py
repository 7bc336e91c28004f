"""Kernel machines: gamma as in scikit-learn, and an approximation only on request."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from unflip.baselines import ImportanceReweightedSVC, LabelDependentSVC
from unflip.baselines.kernel_machine import KERNELS, kernel_gamma

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(500, 4))
Y = ((X**2).sum(axis=1) > 3.5).astype(int)
BOTH = pytest.mark.parametrize("make", [LabelDependentSVC, ImportanceReweightedSVC])


@pytest.mark.parametrize("rows", [X, sparse.csr_matrix(X * (X > 0)), np.ones((4, 2))])
@pytest.mark.parametrize("gamma", ["scale", "auto", 0.7])
def test_gamma_matches_scikit_learn(rows, gamma):
    labels = np.arange(rows.shape[0]) % 2
    assert kernel_gamma(rows, gamma) == pytest.approx(SVC(gamma=gamma).fit(rows, labels)._gamma)


@BOTH
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_fits_exactly_and_approximately(make, kernel):
    exact = make([0.1, 0.2], kernel=kernel, random_state=0).fit(X, Y)
    near = make([0.1, 0.2], kernel=kernel, approximation="nystroem", n_components=200, random_state=0).fit(X, Y)
    assert isinstance(exact.machine_, SVC)
    assert isinstance(near.machine_, Pipeline)
    assert near.machine_[0].n_components == 200
    if kernel == "rbf":
        assert np.mean(exact.predict(X) == near.predict(X)) > 0.93


@BOTH
def test_the_weights_reach_the_approximate_machine(make):
    far = make([0.0, 0.4], approximation="nystroem", random_state=0).fit(X, Y).decision_function(X).mean()
    assert far > make(None, approximation="nystroem", random_state=0).fit(X, Y).decision_function(X).mean() + 0.1


def test_c_regularizes_the_approximate_machine():
    small, large = (
        LabelDependentSVC(None, C=C, approximation="nystroem", random_state=0).fit(X, Y).decision_function(X).std()
        for C in (0.01, 100.0)
    )
    assert small < 0.5 * large


def test_there_are_no_more_components_than_rows():
    model = LabelDependentSVC(None, approximation="nystroem", random_state=0).fit(X[:50], Y[:50])
    assert model.machine_[0].n_components == 50


@BOTH
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"kernel": "precomputed"}, 'one of "linear", "poly", "rbf", "sigmoid", got \'precomputed\''),
        ({"gamma": "wide"}, 'one of "scale", "auto", or a number > 0, got \'wide\''),
        ({"gamma": 0.0}, "a finite number > 0, got 0.0"),
        ({"approximation": "fourier"}, "one of \"nystroem\", or None, got 'fourier'"),
        ({"n_components": 0}, "an integer >= 1, got 0"),
    ],
)
def test_bad_parameters(make, parameters, sentence):
    with pytest.raises(ValueError, match=f"{make.__name__}: '{next(iter(parameters))}' must be {sentence}"):
        make(**parameters).fit(X, Y)


def test_columns_of_very_different_scales_end_in_a_warning_and_not_in_hours(monkeypatch):
    monkeypatch.setattr("unflip.baselines.kernel_machine.MIN_STEPS", 200)
    monkeypatch.setattr("unflip.baselines.kernel_machine.STEPS_PER_ROW", 1)
    random = np.random.RandomState(0)
    rows = random.normal(size=(200, 3)) * [1, 1e6, 1e-3]
    with pytest.warns(ConvergenceWarning):
        LabelDependentSVC([0.1, 0.2], C=1e6, kernel="linear").fit(rows, random.randint(0, 2, 200))
