"""The opinion of logistic regression: what separate fits to the other folds say."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from unflip.opinions import LinearOpinion, linear
from unflip.opinions.contract import MIN_PROBABILITY, bounded_probabilities, log_likelihood
from unflip.opinions.folds import make_folds
from unflip.opinions.linear import STRENGTHS
from unflip.opinions.order import content_order, put_back

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(150, 4)) * [1, 100, 0.01, 1] + [0, 5, 0, -3]
TWO = (X[:, 0] + 0.5 * RANDOM.normal(size=150) > 0).astype(int)
THREE = TWO + (X[:, 3] > -2)
GUESSED = RANDOM.randint(0, 2, 150)


def slow_probabilities(X, labels, n_classes, strength):
    """Fit anew, to the end, for each fold."""
    order = content_order(X, labels)
    folds = put_back(make_folds(labels[order], 5, 0), order)
    rows = StandardScaler().fit_transform(X)
    said = np.zeros((len(labels), n_classes))
    for fold in range(5):
        rest = folds != fold
        model = LogisticRegression(C=strength, tol=1e-9, max_iter=10_000).fit(rows[rest], labels[rest])
        said[np.ix_(~rest, model.classes_)] = model.predict_proba(rows[~rest])
    return bounded_probabilities(said)


@pytest.mark.parametrize(("run_to_the_end", "tolerance"), [(True, 1e-5), (False, 0.02)])
@pytest.mark.parametrize("labels", [TWO, THREE])
@pytest.mark.parametrize("strength", STRENGTHS[1:])
def test_fits_that_start_from_each_other_agree_with_separate_ones(
    labels, strength, run_to_the_end, tolerance, monkeypatch
):
    to_the_end = {"tol": 1e-9, "max_iter": 10_000} if run_to_the_end else {}
    monkeypatch.setattr(linear, "LogisticRegression", lambda **given: LogisticRegression(**given | to_the_end))
    monkeypatch.setattr(linear, "STRENGTHS", STRENGTHS[: STRENGTHS.index(strength) + 1])
    rising = itertools.count()  # the last strength is taken, likeliest or not
    monkeypatch.setattr(linear, "log_likelihood", lambda said, labels: next(rising))
    opinion = LinearOpinion().fit(X, labels, 3)
    assert opinion.strength_ == strength
    np.testing.assert_allclose(opinion.probabilities_, slow_probabilities(X, labels, 3, strength), atol=tolerance)


@pytest.mark.parametrize("labels", [TWO, THREE, GUESSED])
def test_the_strength_is_the_one_under_which_held_out_labels_are_likeliest(labels):
    likelihoods = [log_likelihood(slow_probabilities(X, labels, 3, strength), labels) for strength in STRENGTHS]
    assert LinearOpinion().fit(X, labels, 3).strength_ == STRENGTHS[int(np.argmax(likelihoods))]


@pytest.mark.parametrize("labels", [TWO, THREE, GUESSED])
def test_new_rows_are_judged_by_a_fit_to_all_rows(labels):
    opinion = LinearOpinion().fit(X, labels, labels.max() + 1)
    scaler = StandardScaler().fit(X)
    model = LogisticRegression(C=opinion.strength_, tol=1e-9, max_iter=10_000).fit(scaler.transform(X), labels)
    new = X[:20] * 1.1
    np.testing.assert_allclose(opinion.predict(new), model.predict_proba(scaler.transform(new)), atol=0.02)


def test_sparse_rows_are_judged_as_dense_ones():
    """They are not centered; the intercept, which nothing holds back, makes up for it."""
    random = np.random.RandomState(1)
    thin = random.normal(size=(150, 4)) * (random.random_sample((150, 4)) < 0.5)
    labels = (thin[:, 0] + 0.3 * random.normal(size=150) > 0).astype(int)
    dense, filled = LinearOpinion().fit(thin, labels, 2), LinearOpinion().fit(sparse.csr_array(thin), labels, 2)
    np.testing.assert_allclose(filled.probabilities_, dense.probabilities_, atol=0.01)
    np.testing.assert_allclose(filled.predict(sparse.csr_array(thin)), dense.predict(thin), atol=0.01)


def test_a_fold_whose_rest_has_one_class_is_judged_by_that_class():
    labels = (np.arange(150) == 3).astype(int)
    said = LinearOpinion().fit(X, labels, 2).probabilities_
    assert said[3, 1] == pytest.approx(MIN_PROBABILITY, rel=0.01)


@pytest.mark.parametrize("power", [-900, 900])
def test_the_size_of_the_rows_does_not_matter(power, monkeypatch):
    """Nor does it change the folds, once the order of the rows is held."""
    monkeypatch.setattr(linear, "content_order", lambda X, labels: np.arange(len(labels)))
    expected, opinion = LinearOpinion().fit(X, TWO, 2), LinearOpinion().fit(X * 2.0**power, TWO, 2)
    np.testing.assert_array_equal(opinion.probabilities_, expected.probabilities_)
    np.testing.assert_array_equal(opinion.predict(X[:9] * 2.0**power), expected.predict(X[:9]))
