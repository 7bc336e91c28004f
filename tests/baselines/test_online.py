"""AROW and NHERD against plain loops over their formulas, and against what they must equal."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from numpydoc.validate import validate
from scipy import sparse
from sklearn.base import clone
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from unflip.baselines import AROWClassifier, NHERDClassifier
from unflip.baselines.online_learner import MOST_COLUMNS_OF_FULL

RANDOM = np.random.RandomState(0)
X = 2 * RANDOM.normal(size=(120, 5)) * (RANDOM.random_sample((120, 5)) < 0.6)
SIGNS = np.where(X @ [2, -1, 1, 0, 0.5] + 0.3 * RANDOM.normal(size=120) > 0.3, 1, -1)
MODELS = [
    *(AROWClassifier(0.7, covariance=form) for form in AROWClassifier._forms),
    *(NHERDClassifier(0.3, covariance=form) for form in NHERDClassifier._forms),
]
NAMES = [f"{type(model).__name__[:-10]}-{model.covariance}" for model in MODELS]
every_form = pytest.mark.parametrize("model", MODELS, ids=NAMES)
both = pytest.mark.parametrize("kind", [AROWClassifier, NHERDClassifier])


def smaller_covariance(model, covariance, x, v):
    """The formula of each form, as it stands in the papers."""
    variances, towards = np.diag(covariance), np.outer(covariance @ x, covariance @ x)
    if isinstance(model, AROWClassifier):
        if model.covariance == "full":
            return covariance - towards / (v + model.r)
        return np.diag(1 / (1 / variances + x**2 / model.r))
    C = model.C
    if model.covariance == "exact":
        return np.diag(variances / (1 + C * x**2 * variances) ** 2)
    if model.covariance == "project":
        return np.diag(1 / (1 / variances + (2 * C + C**2 * v) * x**2))
    smaller = covariance - towards * (C**2 * v + 2 * C) / (1 + C * v) ** 2
    return smaller if model.covariance == "full" else np.diag(np.diag(smaller))


def plain_loop(model, X, signs):
    """Return weights, covariance and how many rows moved them, after one pass with a constant column."""
    rows = np.column_stack([X, np.ones(len(X))]) if model.fit_intercept else X
    r = model.r if isinstance(model, AROWClassifier) else 1 / model.C
    weights, covariance, moved = np.zeros(rows.shape[1]), np.eye(rows.shape[1]), 0
    for x, t in zip(rows, signs, strict=True):
        margin, v = t * (weights @ x), x @ covariance @ x
        if margin < 1:
            weights = weights + t * (1 - margin) / (v + r) * (covariance @ x)
            covariance = smaller_covariance(model, covariance, x, v)
            moved += 1
    return weights, covariance, moved


def one_pass(model, **parameters):
    return clone(model).set_params(epochs=1, shuffle=False, **parameters)


def learned(model):
    return np.concatenate([model.coef_[0], model.intercept_, model.covariance_.ravel()])


@parametrize_with_checks([AROWClassifier(), NHERDClassifier(), NHERDClassifier(covariance="project")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@every_form
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    "layout", [np.array, np.asfortranarray, sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix]
)
def test_each_form_is_the_plain_loop_over_its_formula(model, fit_intercept, layout):
    model = one_pass(model, fit_intercept=fit_intercept)
    weights, covariance, moved = plain_loop(model, X, SIGNS)
    assert 20 < moved < 112  # rows of both kinds, within the margin and clear of it
    model.fit(layout(X), SIGNS)
    np.testing.assert_allclose(model.coef_[0], weights[:5], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(model.intercept_, weights[5:] if fit_intercept else [0], rtol=1e-10, atol=1e-13)
    expected = covariance if model.covariance == "full" else np.diag(covariance)
    np.testing.assert_allclose(model.covariance_, expected, rtol=1e-10, atol=1e-13)


@every_form
def test_dense_and_sparse_rows_give_the_same_predictions(model):
    dense, compressed = one_pass(model).fit(X, SIGNS), one_pass(model).fit(sparse.csr_matrix(X), SIGNS)
    np.testing.assert_allclose(compressed.decision_function(sparse.csr_matrix(X)), dense.decision_function(X))
    assert compressed.predict(sparse.csr_matrix(X)).tolist() == dense.predict(X).tolist()


@every_form
def test_repeated_and_unsorted_sparse_entries_count_as_their_sum(model):
    halves = sparse.csr_matrix(
        (np.array([0.5, 2.0, 0.5, 3.0, -1.0]), np.array([1, 0, 1, 2, 0]), np.array([0, 3, 5])), shape=(2, 3)
    )
    before = halves.copy()
    summed = one_pass(model).fit(np.array([[2.0, 1.0, 0.0], [-1.0, 0.0, 3.0]]), [0, 1])
    np.testing.assert_allclose(learned(one_pass(model).fit(halves, [0, 1])), learned(summed), rtol=1e-12)
    np.testing.assert_array_equal(halves.indices, before.indices)


@pytest.mark.parametrize("r", [20.0, 300.0])
def test_arow_that_every_row_moves_is_ridge_regression(r):
    rows = np.column_stack([0.3 * X, np.ones(len(X))])
    model = AROWClassifier(r, covariance="full", epochs=1, random_state=0).fit(0.3 * X, SIGNS)
    ridge = np.linalg.solve(r * np.eye(6) + rows.T @ rows, rows.T @ SIGNS)
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), ridge, rtol=1e-9)
    np.testing.assert_allclose(model.covariance_, np.linalg.inv(np.eye(6) + rows.T @ rows / r), rtol=1e-9, atol=1e-12)


def test_herding_maps_the_covariance_from_both_sides():
    x, C = np.array([1.0, -2.0, 0.5]), 0.8
    model = NHERDClassifier(C, covariance="full", fit_intercept=False).partial_fit(x[None], [1], classes=[0, 1])
    herded = np.linalg.inv(np.eye(3) + C * np.outer(x, x))
    np.testing.assert_allclose(model.covariance_, herded @ herded.T, rtol=1e-12, atol=1e-14)


def test_one_step_by_hand():
    # x = (1, 2), v = 5, r = 1: beta = 1/6, so the weights are (1, 2) / 6 and Sigma = I - x x' / 6.
    model = AROWClassifier(covariance="full", fit_intercept=False).partial_fit([[1, 2]], [1], classes=[0, 1])
    np.testing.assert_allclose(model.coef_, [[1 / 6, 1 / 3]])
    np.testing.assert_allclose(model.covariance_, [[5 / 6, -1 / 3], [-1 / 3, 1 / 3]])
    model.partial_fit([[4, 4]], [1])  # margin 2: nothing moves
    np.testing.assert_allclose(model.coef_, [[1 / 6, 1 / 3]])


def test_the_forms_of_herding_agree_in_one_dimension():
    models = [
        NHERDClassifier(0.9, covariance=form, fit_intercept=False, random_state=0).fit(X[:, :1], SIGNS)
        for form in NHERDClassifier._forms
    ]
    for one, other in pairwise(models):
        np.testing.assert_allclose(learned(one), learned(other), rtol=1e-9)


def test_the_forms_of_herding_differ_in_five_dimensions():
    results = [learned(one_pass(model).fit(X, SIGNS))[:6] for model in MODELS]
    for place, one in enumerate(results):
        assert all(np.abs(one - other).max() > 1e-3 for other in results[:place])


@every_form
def test_pieces_one_after_the_other_are_one_pass_without_shuffling(model):
    pieces = clone(model)
    for start, stop in pairwise([0, 1, 40, 41, 120]):
        pieces.partial_fit(X[start:stop], SIGNS[start:stop], classes=[-1, 1] if start == 0 else None)
    np.testing.assert_array_equal(learned(pieces), learned(one_pass(model).fit(X, SIGNS)))


@every_form
def test_learning_goes_on_after_fit_and_after_a_pickle(model):
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
def test_seeded_runs_repeat_and_seeds_matter(kind):
    results = [learned(kind(random_state=seed, epochs=2).fit(X, SIGNS)) for seed in (3, 3, 4, None)]
    np.testing.assert_array_equal(results[0], results[1])
    for other in results[2:]:
        assert not np.array_equal(results[0], other)


@both
def test_every_pass_has_an_order_of_its_own(kind):
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
    rows = RANDOM.uniform(1, 5, size=(200, 1))
    y = rows[:, 0] > 3
    assert kind(random_state=0).fit(rows, y).score(rows, y) > 0.95
    assert kind(random_state=0, fit_intercept=False).fit(rows, y).score(rows, y) < 0.6


@both
def test_auto_is_full_for_few_columns_and_diagonal_for_many(kind):
    for n_columns, n_dimensions in ((MOST_COLUMNS_OF_FULL, 2), (MOST_COLUMNS_OF_FULL + 1, 1)):
        wide = RANDOM.normal(size=(10, n_columns))
        assert kind().fit(wide, SIGNS[:10]).covariance_.ndim == n_dimensions
    named = kind(covariance="diagonal" if kind is AROWClassifier else "project", random_state=0)
    np.testing.assert_array_equal(
        learned(kind(random_state=0).fit(wide, SIGNS[:10])), learned(named.fit(wide, SIGNS[:10]))
    )


@both
def test_a_full_covariance_stays_symmetric_and_positive(kind):
    covariance = kind(0.01 if kind is AROWClassifier else 100.0, epochs=50, random_state=0).fit(X, SIGNS).covariance_
    np.testing.assert_array_equal(covariance, covariance.T)
    assert np.linalg.eigvalsh(covariance).min() > -1e-12


@every_form
def test_steps_of_almost_any_size_stay_bounded(model):
    """With next to no regularization a row is learned at once, and rounding must not send the weights astray."""
    size = {"r": 1e-20} if isinstance(model, AROWClassifier) else {"C": 1e9}
    model = one_pass(model, fit_intercept=False, **size)
    x = X[X != 0][:, None]
    for start in range(100):
        model.fit(np.roll(x, -start)[:20], np.arange(20) % 2)
        assert abs(model.coef_[0, 0]) <= 1.001 / np.abs(x).min()
        assert model.covariance_.min() > -1e-15 if model.covariance == "full" else model.covariance_.min() >= 0


@both
def test_more_classes_by_one_against_the_rest(kind):
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    with pytest.raises(ValueError, match=r"Only binary .* got 3 classes; wrap it in sklearn.multiclass.OneVsRest"):
        kind().fit(X, y)
    with pytest.raises(ValueError, match="got 3 classes; wrap"):
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
        with pytest.raises(ValueError) as refused:  # noqa: PT011 - the sentence is compared below
            method(X, SIGNS)
        assert sentence in str(refused.value)


@both
def test_labels_that_do_not_fit_are_refused(kind):
    with pytest.raises(ValueError, match=r"'y' must be labels of two classes, not one class, got \[1\.0\]\."):
        kind().fit(X, np.ones(120))
    with pytest.raises(ValueError, match=r"'classes' must be labels of two classes, not one class, got \['a'\]\."):
        kind().partial_fit(X, SIGNS, classes=["a"])
    model = kind().partial_fit(X[:1], ["a"], classes=["b", "a"])
    with pytest.raises(ValueError, match=r"'y' must be of the labels \['a', 'b'\], got 'c'\."):
        model.partial_fit(X[:2], ["a", "c"])
    with pytest.raises(ValueError, match=r"'classes' must be those of the first call, \['a', 'b'\], got \['a', 'c'\]"):
        model.partial_fit(X[:1], ["a"], classes=["a", "c"])


@both
def test_another_shape_of_the_covariance_is_refused_midway(kind):
    model = kind().partial_fit(X, SIGNS)
    with pytest.raises(ValueError, match="'covariance' must be as it was in the first call"):
        model.set_params(fit_intercept=False).partial_fit(X, SIGNS)


@every_form
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_rows_too_large_to_be_squared_are_refused_and_nothing_is_lost(model, fit_intercept):
    model = clone(model).set_params(fit_intercept=fit_intercept).partial_fit(X, SIGNS)
    before = learned(model)
    with pytest.raises(ValueError, match=r"'X' must be of values that can be squared .*, got 'values up to 1e\+200'"):
        model.partial_fit([-X[0], [1e200, 0, 0, 1e200, 0], [-1e200, 1, 1, 1, 1]] * 2, [SIGNS[0], 1, -1, -1, -1, 1])
    np.testing.assert_array_equal(learned(model), before)


@pytest.mark.parametrize("name", ["", ".fit", ".partial_fit", ".predict", ".decision_function"])
@both
def test_public_docstrings_are_complete(kind, name):
    not_asked = {"ES01", "SA01", "EX01", "GL01", "GL03", "SS05", "SS06", "RT02", "RT03", "PR01", "PR02", "SA04"}
    problems = validate(f"unflip.baselines.{kind.__name__}{name}")["errors"]
    assert [problem for problem in problems if problem[0] not in not_asked] == []
