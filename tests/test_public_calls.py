"""Public functions under hostile arguments: an answer, or an exception that says what is wrong; no numpy warning."""

import traceback
import warnings

import numpy as np
import pandas as pd
import pytest
from fuzzing import cases, one_of
from scipy import sparse

import unflip
from unflip import baselines, datasets, theory
from unflip.noise_rates import ESTIMATORS
from unflip.tables import TableEncoder

ALLOWED = (ValueError, TypeError, ImportError)
GROUPS = 10


class Estimator:
    def __init__(self, answer):
        self.answer = answer

    def estimate(self, graph, labels):
        return self.answer


def hostile(random):
    """Return something that is hardly ever a good argument."""
    return one_of(
        random,
        None, True, False, 0, -1, 1, 3, 10**9, 2.5, np.nan, np.inf, -np.inf, 1e308, "auto", "estimate", "", "nothing",
        b"x", [], [1], [0.1, 0.2], [[0.9, 0.1], [0.2, 0.8]], np.eye(3), {}, {0: 0.1}, {"a": np.nan}, object(), len, 1j,
        np.array([np.nan, 1]), pd.Series([1, 2]), Estimator(np.nan), Estimator(np.full((2, 2), np.nan)),
        Estimator([[1]]), Estimator(None), Estimator(np.eye(5)), slice(None), np.float32(0.5), np.int8(2),
        "euclidean", "cosine", "correlation",
    )  # fmt: skip


def rows_and_labels(random):
    """Return rows and labels, mostly usable, sometimes not at all."""
    n = one_of(random, 1, 2, 3, 8, 30, 60)
    X = random.normal(size=(n, one_of(random, 1, 2, 5)))
    spoiled = random.randint(12)
    if spoiled == 0:
        X[0, 0] = one_of(random, np.nan, np.inf, 1e308, 1e200, 1e20)
    if spoiled == 1:
        X = one_of(random, X.ravel(), X.tolist(), np.empty((0, 2)), X.astype(object), X > 0, X * 1e-310, X * 0, "rows")
    if spoiled == 2:
        X = sparse.csr_matrix(X) if np.ndim(X) == 2 else X
    if spoiled == 3:
        X = pd.DataFrame({"a": np.arange(n), "b": ["x"] * n})
    y = random.randint(0, one_of(random, 1, 2, 2, 2, 3, 5), size=n)
    kind = random.randint(10)
    if kind == 0:
        y = one_of(
            random, y.astype(str), y.astype(float), y.astype(object), y.tolist(), y + 0.5, y[:-1], None, "labels"
        )
    if kind == 1:
        y = np.array([None, "a"], dtype=object)[y % 2]
    return X, y


def estimators(random):
    keywords = {
        unflip.RobustKNeighborsClassifier: [
            "n_neighbors", "noise_neighbors", "noise_rates", "noise_estimator", "selection", "decision", "weights",
            "metric", "metric_params", "algorithm", "executor", "n_jobs", "random_state",
        ],
        unflip.LabelAudit: [
            "noise_rates", "n_neighbors", "top", "metric", "encoder", "confidence", "n_jobs", "random_state",
        ],
        baselines.ImportanceReweightedSVC: ["noise_rates", "noise_estimator", "C", "kernel", "gamma", "random_state"],
        baselines.LabelDependentSVC: ["noise_rates", "C", "kernel", "gamma", "approximation", "n_components"],
        baselines.UnbiasedLogisticRegression: ["noise_rates", "C", "max_iter", "tol"],
        baselines.AROWClassifier: ["r", "epochs", "random_state"],
        baselines.NHERDClassifier: ["C", "epochs", "random_state"],
    }  # fmt: skip
    make = one_of(random, *keywords)
    chosen = {name: hostile(random) for name in keywords[make] if random.random_sample() < 0.12}
    return make(**chosen)


def call_an_estimator(random):
    X, y = rows_and_labels(random)
    weights = hostile(random) if random.random_sample() < 0.1 else None
    model = estimators(random)
    if isinstance(model, unflip.LabelAudit):
        probabilities = hostile(random) if random.random_sample() < 0.1 else None
        model.fit(X, y, pred_probs=probabilities)
        model.suspects()
        model.report()
        return
    if isinstance(model, unflip.RobustKNeighborsClassifier):
        model.fit(X, y, sample_weight=weights)
        model.explain(X)
        model.kneighbors(n_neighbors=hostile(random))
    else:
        model.fit(X, y)
    model.predict(X if random.random_sample() < 0.8 else hostile(random))


def call_a_function(random):
    X, y = rows_and_labels(random)
    one_of(
        random,
        lambda: unflip.make_label_noise(y, hostile(random), random_state=hostile(random)),
        lambda: unflip.make_label_noise(hostile(random), 0.1),
        lambda: unflip.estimate_noise_rates(X, y, noise_estimator=one_of(random, *ESTIMATORS, hostile(random))),
        lambda: unflip.estimate_noise_rates(X, y, n_neighbors=hostile(random), confidence=hostile(random)),
        lambda: unflip.find_label_issues(X, y, top=hostile(random), noise_rates=hostile(random)),
        lambda: TableEncoder(keep=hostile(random), drop=hostile(random)).fit(X, y),
        lambda: TableEncoder().fit_transform(hostile(random)),
        lambda: datasets.make_sine_product(one_of(random, 5, -1, 2.5, np.nan, "x", None), random_state=hostile(random)),
        lambda: datasets.load_benchmark(hostile(random)),
        lambda: theory.SineProduct.eta(hostile(random)),
        lambda: theory.SineProduct.misled_mass(hostile(random), hostile(random)),
        lambda: theory.SineProduct.knn_limit(hostile(random), hostile(random)),
        lambda: theory.SineProduct.one_nn_limit(hostile(random)),
        lambda: theory.SineProduct.excess_fixed_k(hostile(random), tau_plus=0.1, tau_minus=hostile(random)),
    )()


def outcome(call, seed):
    """Return what is wrong with the outcome of a call; nothing if it is an answer or a sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", FutureWarning)
        try:
            call(np.random.RandomState(seed))
        except ALLOWED as error:
            return "" if len(str(error)) > 10 else f"no sentence: {error!r}"
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            return f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"
    return ""


@pytest.mark.parametrize("group", range(GROUPS))
@pytest.mark.parametrize("call", [call_an_estimator, call_a_function])
def test_only_an_answer_or_a_sentence(call, group):
    found = {seed: outcome(call, seed) for seed in cases(600) if seed % GROUPS == group}
    assert {seed: error for seed, error in found.items() if error} == {}
