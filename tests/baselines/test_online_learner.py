"""What AROW and NHERD share: passes, partial fits, labels and refusals."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from numpydoc.validate import validate
from scipy import sparse
from sklearn.base import clone
from sklearn.multiclass import OneVsRestClassifier
from test_public_names import NOT_ASKED

from baselines.online_models import SIGNS, X, both, every_form, learned, one_pass
from unflip.baselines import AROWClassifier, NHERDClassifier
from unflip.baselines.online_learner import MAX_FULL_COLUMNS
from unflip.foundation.errors import UnflipError


@every_form
def test_dense_and_sparse_rows_give_the_same_predictions(model):
    dense, compressed = one_pass(model).fit(X, SIGNS), one_pass(model).fit(sparse.csr_matrix(X), SIGNS)
    np.testing.assert_allclose(compressed.decision_function(sparse.csr_matrix(X)), dense.decision_function(X))
    assert compressed.predict(sparse.csr_matrix(X)).tolist() == dense.predict(X).tolist()


@every_form
def test_pieces_one_after_the_other_are_one_pass_without_shuffling(model):
    pieces = clone(model)
    for start, stop in pairwise([0, 1, 40, 41, 120]):
        pieces.partial_fit(X[start:stop], SIGNS[start:stop], classes=[-1, 1] if start == 0 else None)
    np.testing.assert_array_equal(learned(pieces), learned(one_pass(model).fit(X, SIGNS)))


@every_form
def test_partial_fit_resumes_after_fit_and_after_a_pickle(model):
    fitted = one_pass(model).fit(X[:50], SIGNS[:50])
    before = learned(fitted)
    later = pickle.loads(pickle.dumps(fitted)).partial_fit(X[50:], SIGNS[50:])
    np.testing.assert_array_equal(learned(later), learned(one_pass(model).fit(X, SIGNS)))
    np.testing.assert_array_equal(learned(fitted), before)


@every_form
def test_epochs_are_passes_over_the_same_rows(model):
    three = clone(model).set_params(epochs=3, shuffle=False).fit(X, SIGNS)
    once = one_pass(model).fit(np.vstack([X] * 3), np.tile(SIGNS, 3))
    np.testing.assert_array_equal(learned(three), learned(once))


@both
def test_seeds_reproduce_results_and_matter(kind):
    results = [learned(kind(random_state=seed, epochs=2).fit(X, SIGNS)) for seed in (3, 3, 4, None)]
    np.testing.assert_array_equal(results[0], results[1])
    for other in results[2:]:
        assert not np.array_equal(results[0], other)


@both
def test_every_pass_is_shuffled_anew(kind):
    random = np.random.RandomState(7)
    orders = np.concatenate([random.permutation(120) for _ in range(2)])
    expected = kind(epochs=1, shuffle=False).fit(X[orders], SIGNS[orders])
    np.testing.assert_array_equal(learned(kind(epochs=2, random_state=7).fit(X, SIGNS)), learned(expected))


@both
def test_the_global_generator_is_left_alone(kind):
    np.random.seed(0)  # noqa: NPY002 - what is tested
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    kind().fit(X, SIGNS)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@both
@pytest.mark.parametrize("labels", [("no", "yes"), (False, True), (3, 8), (-0.5, 2.5), ("b", "long")])
def test_labels_may_be_of_any_type(kind, labels):
    labels = np.array(labels) if labels != (-0.5, 2.5) else np.array(["-0.5", "2.5"], dtype=object)
    model = kind(random_state=0).fit(X, labels[(SIGNS > 0).astype(int)])
    plain = kind(random_state=0).fit(X, SIGNS)
    assert model.classes_.tolist() == labels.tolist()
    assert model.predict(X).tolist() == labels[(plain.predict(X) > 0).astype(int)].tolist()
    np.testing.assert_array_equal(model.predict(X) == labels[1], model.decision_function(X) > 0)


@both
def test_a_boundary_off_the_origin_needs_the_intercept(kind):
    rows = np.random.RandomState(1).uniform(1, 5, size=(200, 1))
    y = rows[:, 0] > 3
    assert kind(random_state=0).fit(rows, y).score(rows, y) > 0.95
    assert kind(random_state=0, fit_intercept=False).fit(rows, y).score(rows, y) < 0.6


@both
def test_auto_is_full_for_few_columns_and_diagonal_for_many(kind):
    for n_columns, n_dimensions in ((MAX_FULL_COLUMNS, 2), (MAX_FULL_COLUMNS + 1, 1)):
        wide = np.random.RandomState(1).normal(size=(10, n_columns))
        assert kind().fit(wide, SIGNS[:10]).covariance_.ndim == n_dimensions
    named = kind(covariance="diagonal" if kind is AROWClassifier else "project", random_state=0)
    np.testing.assert_array_equal(
        learned(kind(random_state=0).fit(wide, SIGNS[:10])), learned(named.fit(wide, SIGNS[:10]))
    )


@both
def test_more_classes_by_one_against_the_rest(kind):
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    with pytest.raises(UnflipError, match=r"Only binary .* 'y' has 3 classes; wrap it in sklearn.multiclass.OneVsRest"):
        kind().fit(X, y)
    with pytest.raises(UnflipError, match="'classes' has 3 classes; wrap"):
        kind().partial_fit(X, SIGNS, classes=[-1, 0, 1])
    assert OneVsRestClassifier(kind(random_state=0)).fit(X, y).score(X, y) > 0.6


REFUSED = [
    (AROWClassifier(0), "AROWClassifier: 'r' must be a finite number > 0, got 0."),
    (AROWClassifier(True), "'r' must be a finite number > 0, got True."),
    (NHERDClassifier(np.inf), "NHERDClassifier: 'C' must be a finite number > 0, got inf."),
    (NHERDClassifier("1"), "'C' must be a finite number > 0, got '1'."),
    (AROWClassifier(covariance="exact"), '\'covariance\' must be one of "auto", "full", "diagonal", got \'exact\'.'),
    (NHERDClassifier(covariance="diagonal"), '"full", "exact", "project", "drop", got \'diagonal\'.'),
    (AROWClassifier(epochs=0), "'epochs' must be an integer >= 1, got 0."),
    (AROWClassifier(shuffle="no"), "'shuffle' must be True or False, got 'no'."),
    (NHERDClassifier(fit_intercept=1), "'fit_intercept' must be True or False, got 1."),
]


@pytest.mark.parametrize(("model", "sentence"), REFUSED)
def test_bad_parameters_are_refused_in_one_sentence(model, sentence):
    for method in (model.fit, model.partial_fit):
        with pytest.raises(UnflipError) as refused:
            method(X, SIGNS)
        assert sentence in str(refused.value)


@both
def test_labels_that_do_not_fit_are_refused(kind):
    with pytest.raises(UnflipError, match=r"'y' must be labels of two classes, not one class, got \[1\.0\]\."):
        kind().fit(X, np.ones(120))
    with pytest.raises(UnflipError, match=r"'classes' must be labels of two classes, not one class, got \['a'\]\."):
        kind().partial_fit(X, SIGNS, classes=["a"])
    model = kind().partial_fit(X[:1], ["a"], classes=["b", "a"])
    with pytest.raises(UnflipError, match=r"'y' must be of the labels \['a', 'b'\], got 'c'\."):
        model.partial_fit(X[:2], ["a", "c"])
    with pytest.raises(UnflipError, match=r"'classes' must be those of the first call, \['a', 'b'\], got \['a', 'c'\]"):
        model.partial_fit(X[:1], ["a"], classes=["a", "c"])


@both
def test_the_shape_of_the_covariance_cannot_change_between_calls(kind):
    model = kind().partial_fit(X, SIGNS)
    with pytest.raises(UnflipError, match="'covariance' must be as it was in the first call"):
        model.set_params(fit_intercept=False).partial_fit(X, SIGNS)


@every_form
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_rows_too_large_to_be_squared_are_refused_and_change_nothing(model, fit_intercept):
    model = clone(model).set_params(fit_intercept=fit_intercept).partial_fit(X, SIGNS)
    before = learned(model)
    with pytest.raises(UnflipError, match=r"'X' must be of values that can be squared .*, got 'values up to 1e\+200'"):
        model.partial_fit([-X[0], [1e200, 0, 0, 1e200, 0], [-1e200, 1, 1, 1, 1]] * 2, [SIGNS[0], 1, -1, -1, -1, 1])
    np.testing.assert_array_equal(learned(model), before)


@pytest.mark.parametrize("name", ["", ".fit", ".partial_fit", ".predict", ".decision_function"])
@both
def test_public_docstrings_are_complete(kind, name):
    problems = validate(f"unflip.baselines.{kind.__name__}{name}")["errors"]
    assert [problem for problem in problems if problem[0] not in NOT_ASKED] == []
