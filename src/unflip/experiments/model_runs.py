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
from unflip.noise_model import make_label_noise

MOST_ROWS_OF_EXACT_KERNEL = 5000
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


def _ir_logistic(training):
    return ImportanceReweightedLogisticRegression(training.rates, max_iter=1000, random_state=0)


def _ir_kernel(training):
    return ImportanceReweightedSVC(training.rates, approximation=training.approximation, random_state=0)


def _ld_kernel(training):
    """Return the machine with the width that a plain one has on clean labels: that peeks, as the paper's did."""
    some = np.random.RandomState(0).permutation(len(training.X))[:MOST_ROWS_OF_WIDTH]
    found = GridSearchCV(SVC(), {"gamma": WIDTHS}, cv=4).fit(training.X[some], training.clean[some])
    gamma = float(found.best_params_["gamma"])
    return LabelDependentSVC(training.rates, gamma=gamma, approximation=training.approximation, random_state=0)


def _ue_logistic(training):
    return _tuned(UnbiasedLogisticRegression(training.rates, max_iter=1000), "C")


def _arow(training):
    return _tuned(AROWClassifier(epochs=5, random_state=0), "r")


def _nherd(training):
    return _tuned(NHERDClassifier(epochs=5, random_state=0), "C")


def _tuned(model, parameter):
    return GridSearchCV(model, {parameter: POWERS}, cv=4)


METHODS = {
    "IR-KSVM": _ir_kernel,
    "IR-LLog": _ir_logistic,
    "LD-KSVM": _ld_kernel,
    "UE-LLog": _ue_logistic,
    "AROW": _arow,
    "NHERD": _nherd,
}


def run_model_job(job, X, y, store, make=None):
    """Run a job of a method in METHODS, or of one that is made by the given function, and keep its result."""
    start = perf_counter()
    rates = [job.tau_minus, job.tau_plus]
    accuracies, approximated = [], False
    try:
        observed = make_label_noise(y, rates, random_state=job.flips())
        for train, test in job.splits(len(X)):
            training = Training(X[train], observed[train], y[train], rates)
            model = (make or METHODS[job.method])(training)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(training.X, training.observed)
            accuracies.append(float(np.mean(model.predict(X[test]) == y[test])))
            approximated |= getattr(model, "approximation", None) is not None
    except Exception as error:
        store.add_failure(job, error, perf_counter() - start)
    else:
        store.add(job, accuracies, perf_counter() - start, {"approximated": approximated})
