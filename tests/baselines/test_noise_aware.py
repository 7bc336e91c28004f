"""What all noise-aware baselines promise."""

import numpy as np
import pandas as pd
import pytest
from numpydoc.validate import validate
from scipy import sparse
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from test_public_names import NOT_ASKED
from threadpoolctl import threadpool_limits

from unflip import RobustKNeighborsClassifier, make_label_noise
from unflip.baselines import (
    ImportanceReweightedLogisticRegression,
    ImportanceReweightedSVC,
    LabelDependentSVC,
    UnbiasedLogisticRegression,
)
from unflip.baselines.noise_aware import check_positive_or_choice
from unflip.foundation.errors import UnflipError
from unflip.noise_rates import ESTIMATORS, Bayes, make_estimator
from unflip.noise_rates.estimators.contract import NOT_ESTIMABLE

CLASSES = (
    ImportanceReweightedLogisticRegression,
    ImportanceReweightedSVC,
    LabelDependentSVC,
    UnbiasedLogisticRegression,
)
every_one = pytest.mark.parametrize("make", CLASSES)


def seeded(make, *given, **parameters):
    model = make(*given, **parameters)
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model


def two_clouds(n=300, seed=42):
    random = np.random.RandomState(seed)
    y = (random.random_sample(n) < 0.5).astype(int)
    return random.normal(size=(n, 3)) + 2.0 * y[:, None], y


@parametrize_with_checks([make() for make in CLASSES])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@every_one
def test_known_rates_beat_no_rates(make):
    X, y = two_clouds(2000)
    labels = make_label_noise(y, [0.05, 0.45], random_state=1)
    aware = seeded(make, [0.05, 0.45]).fit(X, labels).score(X, y)
    assert aware > seeded(make, None).fit(X, labels).score(X, y) + 0.02
    assert aware > 0.93


@every_one
def test_every_form_of_rates_means_the_same(make):
    X, y = two_clouds()
    labels = np.array(["no", "yes"])[make_label_noise(y, [0.1, 0.3], random_state=0)]
    forms = ({"no": 0.1, "yes": 0.3}, [0.1, 0.3], [[0.9, 0.1], [0.3, 0.7]])
    models = [seeded(make, form).fit(X, labels) for form in forms]
    for model in models:
        np.testing.assert_allclose(model.noise_rates_, [0.1, 0.3])
        np.testing.assert_allclose(model.transition_matrix_, [[0.9, 0.1], [0.3, 0.7]])
        np.testing.assert_allclose(model.decision_function(X), models[0].decision_function(X))
        assert model.classes_.tolist() == ["no", "yes"]
        assert set(model.predict(X)) == {"no", "yes"}


@every_one
# The bounds of "reeve_kaban" are so wide for few rows that no rates are possible.
@pytest.mark.parametrize("name", ["auto", *(name for name in ESTIMATORS if name != "reeve_kaban")])
def test_estimated_rates_are_those_of_the_neighbors_classifier(make, name):
    X, y = two_clouds(150)
    labels = make_label_noise(y, [0.1, 0.3], random_state=0)
    expected = RobustKNeighborsClassifier(5, noise_estimator=name).fit(X, labels).transition_matrix_
    np.testing.assert_array_equal(seeded(make, noise_estimator=name).fit(X, labels).transition_matrix_, expected)


class Recorder:
    """A user's own estimator, which records how many neighbors it was given."""

    n_neighbors = 80

    def estimate(self, graph, labels):
        self.received = graph.n_neighbors
        return np.array([[0.8, 0.2], [0.1, 0.9]])


@every_one
def test_an_estimator_object_gets_as_many_neighbors_as_it_reads(make):
    X, y = two_clouds(120)
    recorder = Recorder()
    model = seeded(make, noise_estimator=recorder).fit(X, y)
    assert recorder.received == 80
    np.testing.assert_allclose(model.noise_rates_, [0.2, 0.1])


@every_one
def test_rates_that_cannot_be_inverted_are_dropped_with_the_usual_warning(make):
    class Hopeless:
        def estimate(self, graph, labels):
            return np.full((2, 2), 0.5)

    X, y = two_clouds(60)
    with pytest.warns(UserWarning, match=NOT_ESTIMABLE) as caught:
        model = seeded(make, noise_estimator=Hopeless()).fit(X, y)
    assert caught[0].filename == __file__
    assert model.noise_rates_.tolist() == [0, 0]


@every_one
def test_sparse_rows_give_the_same_answer_as_dense_ones(make):
    X, y = two_clouds(200)
    X = np.where(np.abs(X) < 0.5, 0, X)
    labels = make_label_noise(y, [0.1, 0.3], random_state=0)
    dense = seeded(make).fit(X, labels).decision_function(X)
    for form in (sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix):
        np.testing.assert_allclose(seeded(make).fit(form(X), labels).decision_function(form(X)), dense, atol=1e-2)


@every_one
def test_pandas_frames_are_accepted_and_their_names_checked(make):
    X, y = two_clouds(100)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    labels = pd.Series(np.where(y == 1, "spam", "ham"))
    model = seeded(make, {"spam": 0.1}).fit(frame, labels)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(model.predict(frame), seeded(make, [0, 0.1]).fit(X, labels).predict(X))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c"]])


@every_one
def test_more_classes_are_refused_with_a_hint_unless_rates_are_known(make):
    X, y = two_clouds()
    y = y + (X[:, 0] > 2.5)
    hint = "; wrap it in sklearn.multiclass.OneVsRestClassifier, which estimates the rates of each class"
    with pytest.raises(UnflipError, match=rf"^{make.__name__}: Only binary .* 'y' has 3 classes{hint}\.$"):
        make().fit(X, y)
    with pytest.raises(UnflipError, match=r"'y' has 3 classes\.$"):
        make([0.1, 0.1, 0.1]).fit(X, y)
    assert OneVsRestClassifier(seeded(make)).fit(X, y).score(X, y) > 0.7


@every_one
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"noise_rates": "known"}, "'noise_rates' must be \"estimate\", None, a rate, .* got 'known'."),
        ({"noise_rates": [0.6, 0.5]}, r"'noise_rates' must be two rates whose sum is below 1 .* got '0.6 \+ 0.5'."),
        ({"noise_rates": {"a": 0.1}}, r"'noise_rates' must be {class: rate} of the classes \[0, 1\], got 'a'."),
        ({"noise_estimator": "best"}, "'noise_estimator' must be one of \"auto\", .* got 'best'."),
        ({"C": 0}, "'C' must be a finite number > 0, got 0."),
        ({"C": np.inf}, "'C' must be a finite number > 0, got inf."),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(make, parameters, sentence):
    X, y = two_clouds(20)
    with pytest.raises(ValueError, match=f"^{make.__name__}: {sentence}$"):
        make(**parameters).fit(X, y)


@every_one
def test_docstrings_are_complete(make):
    names = [f"unflip.baselines.{make.__name__}"]
    names += [f"{names[0]}.{method}" for method in ("fit", "predict", "decision_function")]
    for name in names:
        assert [problem for problem in validate(name)["errors"] if problem[0] not in NOT_ASKED] == []


@pytest.mark.parametrize("value", [1, 0.5, np.float64(2.0), "auto"])
def test_a_positive_number_or_a_choice_is_accepted(value):
    check_positive_or_choice("owner", "width", value, ("auto",))


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (0, "a finite number > 0, got 0"),
        (np.inf, "a finite number > 0, got inf"),
        (True, 'one of "auto", or a number > 0, got True'),
        ("wide", "one of \"auto\", or a number > 0, got 'wide'"),
        (None, 'one of "auto", or a number > 0, got None'),
    ],
)
def test_anything_else_is_refused_in_one_sentence(value, sentence):
    with pytest.raises(UnflipError, match=rf"^owner: 'width' must be {sentence}\.$"):
        check_positive_or_choice("owner", "width", value, ("auto",))


def test_estimators_by_name():
    assert isinstance(make_estimator("auto"), Bayes)
    for name, estimator in ESTIMATORS.items():
        assert type(make_estimator(name)) is estimator
        assert make_estimator(name).n_neighbors == estimator().n_neighbors
        assert make_estimator(name, 7).n_neighbors == 7


@pytest.mark.parametrize("make", CLASSES)
def test_the_threads_of_blas_do_not_change_a_bit(make):
    random = np.random.RandomState(0)
    # Without the guard, threads show in the Hessian of so many rows; kernels of as many would take long.
    shape = (20_000, 60) if make is UnbiasedLogisticRegression else (600, 40)
    rows = random.normal(size=shape)
    y = (rows[:, 0] + random.normal(size=len(rows)) > 0).astype(int)
    found = set()
    for threads in (1, 2, 4):
        with threadpool_limits(threads, user_api="blas"):
            model = seeded(make, noise_rates=[0.1, 0.3]).fit(rows, y)
        with threadpool_limits(1, user_api="blas"):
            found.add(model.decision_function(rows[:50]).tobytes())
    assert len(found) == 1


def test_values_whose_products_overflow_are_refused_with_advice():
    rows = np.ones((4, 2))
    rows[1, 1] = 1e200
    with pytest.raises(UnflipError, match=r"at most 1e\+100 \(scale the columns first\), got 1e\+200"):
        UnbiasedLogisticRegression([0.1, 0.2]).fit(rows, [0, 1, 0, 1])
