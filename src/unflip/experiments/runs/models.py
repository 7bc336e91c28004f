"""Runs of estimators: the six methods that the paper compares with, tuned as it says, and added ones."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from unflip.baselines import (
    AROWClassifier,
    ImportanceReweightedLogisticRegression,
    ImportanceReweightedSVC,
    LabelDependentSVC,
    NHERDClassifier,
    UnbiasedLogisticRegression,
)
from unflip.noise.flipping import make_label_noise

MOST_ROWS_OF_EXACT_KERNEL = 5000
MOST_ROWS_OF_TUNING = 10_000  # on which C and r are chosen
MOST_ROWS_OF_WIDTH = 2000  # on which the width of LD-KSVM is chosen
POWERS = 2.0 ** np.arange(-4, 5, 2)
WIDTHS = 2.0 ** np.arange(-7, 4, 2)


@dataclass(frozen=True)
class Training:
    """What a method is given: rows, observed labels, true rates; clean labels only to be told that it peeks."""

    X: np.ndarray
    observed: np.ndarray
    clean: np.ndarray
    rates: list[float]

    @property
    def approximation(self):
        """Kernel machines of many rows are linear ones in 300 features, and their table says so."""
        return "nystroem" if len(self.X) > MOST_ROWS_OF_EXACT_KERNEL else None

    @property
    def too_many_to_tune_on(self):
        """Parameters of methods on many rows are chosen on a part of them, and their table says so."""
        return len(self.X) > MOST_ROWS_OF_TUNING

    def some(self, n_rows):
        """Return the numbers of some rows, always the same."""
        return np.random.RandomState(0).permutation(len(self.X))[:n_rows]


def _ir_logistic(training):
    return ImportanceReweightedLogisticRegression(training.rates, max_iter=1000, random_state=0)


def _ir_kernel(training):
    return ImportanceReweightedSVC(training.rates, approximation=training.approximation, random_state=0)


def _ld_kernel(training):
    """Return the machine with the width that a plain one has on clean labels: that peeks, as the paper's did."""
    some = training.some(MOST_ROWS_OF_WIDTH)
    found = GridSearchCV(SVC(), {"gamma": WIDTHS}, cv=4).fit(training.X[some], training.clean[some])
    gamma = float(found.best_params_["gamma"])
    return LabelDependentSVC(training.rates, gamma=gamma, approximation=training.approximation, random_state=0)


def _ue_logistic(training):
    return _tuned(UnbiasedLogisticRegression(training.rates, max_iter=1000), "C", training)


def _arow(training):
    return _tuned(AROWClassifier(epochs=5, random_state=0), "r", training)


def _nherd(training):
    return _tuned(NHERDClassifier(epochs=5, random_state=0), "C", training)


def _tuned(model, parameter, training):
    search = GridSearchCV(model, {parameter: POWERS}, cv=4)
    if not training.too_many_to_tune_on:
        return search
    some = training.some(MOST_ROWS_OF_TUNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.set_params(**search.fit(training.X[some], training.observed[some]).best_params_)


METHODS = {
    "IR-KSVM": _ir_kernel,
    "IR-LLog": _ir_logistic,
    "LD-KSVM": _ld_kernel,
    "UE-LLog": _ue_logistic,
    "AROW": _arow,
    "NHERD": _nherd,
}
TUNED = ("UE-LLog", "AROW", "NHERD")


def run_model_job(job, X, y, store, make=None):
    """Run a job of a method in METHODS, or of one that is made by the given function, and keep its result."""
    start = perf_counter()
    rates = [job.tau_minus, job.tau_plus]
    accuracies, details = [], {"approximated": False}
    try:
        observed = make_label_noise(y, rates, random_state=job.flips())
        for train, test in job.splits(len(X)):
            training = Training(X[train], observed[train], y[train], rates)
            model = (make or METHODS[job.method])(training)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(training.X, training.observed)
            accuracies.append(float(np.mean(model.predict(X[test]) == y[test])))
            details["approximated"] |= getattr(model, "approximation", None) is not None
            if job.method in TUNED and training.too_many_to_tune_on:
                details["tuned_on"] = MOST_ROWS_OF_TUNING
    except Exception as error:
        store.add_failure(job, error, perf_counter() - start)
    else:
        store.add(job, accuracies, perf_counter() - start, details)
