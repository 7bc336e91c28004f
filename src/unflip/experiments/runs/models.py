"""Runs of estimators: the paper's six comparators, tuned as it describes, our own that learn, and added methods."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

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
from unflip.classifier import NoiseCorrectedClassifier, RobustKNeighborsClassifier
from unflip.experiments.plan.jobs import Job
from unflip.experiments.runs.store import Store
from unflip.foundation.errors import UnflipError
from unflip.noise.flipping import make_label_noise

MAX_EXACT_KERNEL_ROWS = 5000
MAX_TUNING_ROWS = 10_000  # for choosing C and r
MAX_GAMMA_ROWS = 2000  # for choosing the kernel width of LD-KSVM
PENALTIES = 2.0 ** np.arange(-4, 5, 2)
GAMMAS = 2.0 ** np.arange(-7, 4, 2)


@dataclass(frozen=True)
class Training:
    """The training data of one run.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Rows.
    observed : ndarray of int
        Noisy labels.
    clean : ndarray of int
        Clean labels; a method that uses them cheats, and must say so.
    rates : list of float
        True flip rates of classes 0 and 1.
    """

    X: np.ndarray
    observed: np.ndarray
    clean: np.ndarray
    rates: list[float]

    @property
    def approximation(self) -> str | None:
        """The kernel approximation: on many rows, kernel machines are linear in 300 Nystroem features."""
        return "nystroem" if len(self.X) > MAX_EXACT_KERNEL_ROWS else None

    @property
    def tuned_on_subsample(self) -> bool:
        """Whether parameters are chosen on a subsample of the rows."""
        return len(self.X) > MAX_TUNING_ROWS

    def subsample(self, n_rows: int) -> np.ndarray:
        """Return the same random rows every time.

        Parameters
        ----------
        n_rows : int
            How many at most.

        Returns
        -------
        rows : ndarray of int
            Row numbers.
        """
        return np.random.RandomState(0).permutation(len(self.X))[:n_rows]


def _ir_logistic(training: Training) -> Any:
    return ImportanceReweightedLogisticRegression(training.rates, max_iter=1000, random_state=0)


def _ir_kernel(training: Training) -> Any:
    return ImportanceReweightedSVC(training.rates, approximation=training.approximation, random_state=0)


def _ld_kernel(training: Training) -> Any:
    """Choose gamma with a plain SVC on clean labels: a leak, as in the paper."""
    rows = training.subsample(MAX_GAMMA_ROWS)
    search = GridSearchCV(SVC(), {"gamma": GAMMAS}, cv=4).fit(training.X[rows], training.clean[rows])
    gamma = float(search.best_params_["gamma"])
    return LabelDependentSVC(training.rates, gamma=gamma, approximation=training.approximation, random_state=0)


def _ue_logistic(training: Training) -> Any:
    return _tuned(UnbiasedLogisticRegression(training.rates, max_iter=1000), "C", training)


def _arow(training: Training) -> Any:
    return _tuned(AROWClassifier(epochs=5, random_state=0), "r", training)


def _nherd(training: Training) -> Any:
    return _tuned(NHERDClassifier(epochs=5, random_state=0), "C", training)


def _tuned(model: Any, parameter: str, training: Training) -> Any:
    search = GridSearchCV(model, {parameter: PENALTIES}, cv=4)
    if not training.tuned_on_subsample:
        return search
    rows = training.subsample(MAX_TUNING_ROWS)
    with _no_convergence_warnings():
        return model.set_params(**search.fit(training.X[rows], training.observed[rows]).best_params_)


def _noise_corrected(training: Training) -> Any:
    return NoiseCorrectedClassifier()


def _learned_neighbors(training: Training) -> Any:
    return RobustKNeighborsClassifier(metric="learned")


METHODS: dict[str, Callable[[Training], Any]] = {
    "IR-KSVM": _ir_kernel,
    "IR-LLog": _ir_logistic,
    "LD-KSVM": _ld_kernel,
    "UE-LLog": _ue_logistic,
    "AROW": _arow,
    "NHERD": _nherd,
    "unflip": _noise_corrected,
    "RkNN, learned": _learned_neighbors,
}
TUNED = ("UE-LLog", "AROW", "NHERD")


def run_model_job(
    job: Job, X: np.ndarray, y: np.ndarray, store: Store, make: Callable[[Training], Any] | None = None
) -> None:
    """Run a job and store its result, or its failure.

    Parameters
    ----------
    job : Job
        Its method is in METHODS, unless `make` is given.
    X : ndarray of shape (n_samples, n_features)
        Scaled rows of its data set.
    y : ndarray of int
        Clean classes 0 and 1.
    store : Store
        Receives the result.
    make : callable or None, default=None
        Makes the estimator of an added method, see `add_method`.
    """
    start = perf_counter()
    try:
        accuracies, details = _run_splits(job, X, y, make or METHODS[job.method])
    except (Exception, SystemExit) as error:
        store.add_failure(job, error, perf_counter() - start)
    else:
        store.add(job, accuracies, perf_counter() - start, details)


def _run_splits(
    job: Job, X: np.ndarray, y: np.ndarray, make: Callable[[Training], Any]
) -> tuple[list[float], dict[str, Any]]:
    """Return the accuracy of each run, and which approximations were made."""
    rates = [job.tau_minus, job.tau_plus]
    observed = make_label_noise(y, rates, random_state=job.flips())
    accuracies = []
    details: dict[str, Any] = {"approximated": False}
    for train, test in job.splits(len(X)):
        training = Training(X[train], observed[train], y[train], rates)
        model = make(training)
        with _no_convergence_warnings():
            model.fit(training.X, training.observed)
        accuracies.append(_accuracy(np.asarray(model.predict(X[test])), y[test]))
        details["approximated"] |= getattr(model, "approximation", None) is not None
        if job.method in TUNED and training.tuned_on_subsample:
            details["tuned_on"] = MAX_TUNING_ROWS
    return accuracies, details


def _accuracy(predicted: np.ndarray, truth: np.ndarray) -> float:
    if predicted.shape != truth.shape:  # numpy would compare every label with every other
        raise UnflipError(f"predict must return {len(truth)} labels, got an array of shape {predicted.shape}.")
    return float(np.mean(predicted == truth))


@contextmanager
def _no_convergence_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield
