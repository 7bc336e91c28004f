"""The blend of opinions: weights of the highest likelihood, names, and opinions of a user's own."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from unflip import UnflipError
from unflip.opinions import (
    Blend,
    CrossFitted,
    GivenProbabilities,
    LinearOpinion,
    RawNeighbors,
    Sampled,
    TreesOpinion,
    default_opinions,
)
from unflip.opinions.blend import MIN_WEIGHT, PRIOR_ROWS, mixture_weights
from unflip.opinions.rowwise import RowwiseProbabilities
from unflip.opinions.sampled import inner_opinion

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(80, 2))
LABELS = (X[:, 0] + 0.5 * RANDOM.normal(size=80) > 0).astype(int)


def given(own, labels):
    """Return the opinion that gives each row's own label that probability."""
    own = np.broadcast_to(own, len(labels))
    return GivenProbabilities(np.where(labels[:, None] == [0, 1], own[:, None], 1 - own[:, None]))


def slow_weights(own):
    """Climb the likelihood, with one row credited to each opinion beforehand, by a general method."""

    def loss(scores):
        weights = softmax(scores)
        return -np.log(own @ weights).sum() - PRIOR_ROWS * np.log(weights).sum()

    return softmax(minimize(loss, np.zeros(own.shape[1]), method="BFGS", options={"gtol": 1e-6}).x)


@pytest.mark.parametrize("seed", range(5))
def test_the_weights_have_the_highest_penalized_likelihood(seed):
    random = np.random.RandomState(seed)
    own = random.uniform(0.02, 1, size=(200, 4)) ** random.uniform(0.5, 1.5, size=4)
    np.testing.assert_allclose(mixture_weights(own), slow_weights(own), atol=0.002)


def test_equal_opinions_share_their_weight_and_one_alone_has_it_all():
    own = RANDOM.uniform(0.1, 0.9, size=(50, 1))
    np.testing.assert_allclose(mixture_weights(own.repeat(4, axis=1)), 0.25)
    assert mixture_weights(own).tolist() == [1]


def test_an_impossible_label_breaks_nothing():
    weights = mixture_weights(np.array([[0.0, 0.0], [0.0, 0.5], [0.5, 0.4]]))
    assert np.isfinite(weights).all()
    assert weights[1] > weights[0]


def test_an_opinion_that_knows_more_weighs_more():
    blend = Blend([given(0.6, LABELS), given(0.9, LABELS), given(0.3, LABELS)]).fit(X, LABELS, 2)
    weights = list(blend.weights_.values())
    assert weights[1] > weights[0] > weights[2]
    assert weights[1] > 0.8
    assert sum(weights) == pytest.approx(1)


def test_the_blend_is_the_weighted_average_of_old_and_new_rows():
    blend = Blend([RawNeighbors(10), LinearOpinion()]).fit(X, LABELS, 2)
    first, second = blend.weights_["neighbors"], blend.weights_["linear model"]
    assert min(first, second) > 0
    raw, linear = RawNeighbors(10).fit(X, LABELS, 2), LinearOpinion().fit(X, LABELS, 2)
    np.testing.assert_allclose(blend.probabilities_, first * raw.probabilities_ + second * linear.probabilities_)
    new = X[:9] + 0.1
    np.testing.assert_allclose(blend.predict(new), first * raw.predict(new) + second * linear.predict(new))


def test_an_opinion_of_hardly_any_weight_is_dropped_and_not_asked_again():
    rows, labels = np.tile(X, (10, 1)), np.tile(LABELS, 10)
    useless = given(0.01, labels)
    own = np.column_stack(
        [np.full(800, 0.01), LinearOpinion().fit(rows, labels, 2).probabilities_[np.arange(800), labels]]
    )
    assert 0 < mixture_weights(own)[0] < MIN_WEIGHT
    blend = Blend([useless, LinearOpinion()]).fit(rows, labels, 2)
    assert blend.weights_ == {"pred_probs": 0, "linear model": 1}
    np.testing.assert_allclose(blend.predict(X), blend.opinions_[1].predict(X))
    with pytest.raises(UnflipError, match="for the training rows only"):
        Blend([given(0.9, labels), LinearOpinion()]).fit(rows, labels, 2).predict(X)


def test_names_are_numbered_where_they_occur_twice():
    said = np.full((80, 2), 0.5)
    own = [GivenProbabilities(said, name) for name in ("a", "a", "a (2)", "a", "b", "a (b)")]
    begun = []
    blend = Blend(own).fit(X, LABELS, 2, begun.append)
    assert list(blend.weights_) == ["a", "a (2)", "a (2) (2)", "a (3)", "b", "a (b)"]
    assert begun == list(blend.weights_)


def test_classifiers_go_by_their_class_or_the_name_they_were_given():
    opinions = [CrossFitted(GaussianNB()), CrossFitted(GaussianNB()), CrossFitted(LogisticRegression(), name="mine")]
    assert list(Blend(opinions).fit(X, LABELS, 2).weights_) == ["GaussianNB", "GaussianNB (2)", "mine"]


def test_an_object_of_the_users_own_is_an_opinion():
    class Frequencies:
        def fit(self, X, labels, n_classes):
            self.frequencies = np.bincount(labels, minlength=n_classes) / len(labels)
            self.probabilities_ = self.predict(X)
            return self

        def predict(self, X):
            return np.tile(self.frequencies, (len(X), 1))

    blend = Blend([Frequencies(), LinearOpinion()]).fit(X, LABELS, 2)
    assert blend.weights_["linear model"] > blend.weights_["Frequencies"] > 0
    alone = Blend([Frequencies()]).fit(X, LABELS, 2)
    np.testing.assert_allclose(alone.predict(X[:5]), np.tile(np.bincount(LABELS) / 80, (5, 1)))


def test_the_default_is_all_opinions_and_progress_tells_each_as_it_begins():
    begun = []
    blend = Blend().fit(X[:40], LABELS[:40], 2, progress=begun.append)
    assert begun == ["neighbors", "learned neighbors", "trees", "linear model", "kernel machine"]
    assert list(blend.weights_) == begun
    assert blend.probabilities_.shape == (40, 2)


def test_settings_reach_every_opinion_that_has_them():
    opinions = default_opinions(metric="cosine", n_neighbors=7, seed=3, n_jobs=2, owner="me")
    wanted = {"metric": "cosine", "n_neighbors": 7, "seed": 3, "n_jobs": 2, "owner": "me"}
    assert [opinion.seed for opinion in opinions[1:]] == [3] * 4  # of the samples
    opinions = [inner_opinion(opinion) for opinion in opinions]
    for opinion in opinions:
        settings = opinion.get_params()
        assert {name: settings[name] for name in wanted if name in settings}.items() <= wanted.items()
    assert [opinion.seed for opinion in opinions[1:]] == [3] * 4
    assert [opinion.n_neighbors for opinion in opinions[:2]] == [7, 7]


class Counting(LinearOpinion):
    """Counts the rows it is asked about."""

    n_asked = 0

    def predict(self, X):
        self.n_asked += len(X)
        return super().predict(X)


def test_opinions_are_weighed_by_the_smallest_sample_and_all_rows_are_mixed():
    raw, some, fewer = RawNeighbors(10), Sampled(TreesOpinion(20), 50), Sampled(Counting(), 30)
    blend = Blend([raw, some, fewer]).fit(X, LABELS, 2)
    assert blend.n_learned_from_ == {"neighbors": 80, "trees": 50, "linear model": 30}
    rows = fewer.rows_
    own = np.column_stack([each.probabilities_[rows][np.arange(30), LABELS[rows]] for each in (raw, some, fewer)])
    weights = mixture_weights(own)
    np.testing.assert_allclose(list(blend.weights_.values()), weights)
    expected = sum(weight * each.probabilities_[:] for weight, each in zip(weights, (raw, some, fewer), strict=True))
    np.testing.assert_allclose(blend.probabilities_, expected)
    expected = sum(weight * each.predict(X[:9]) for weight, each in zip(weights, (raw, some, fewer), strict=True))
    np.testing.assert_allclose(blend.predict(X[:9]), expected)


def test_an_opinion_of_no_weight_is_not_asked_about_the_rest():
    rows, labels = RANDOM.normal(size=(800, 2)), RANDOM.randint(0, 2, 800)  # of which the rows tell nothing
    asked, useless = Counting(), Counting()
    Blend([given(0.3, labels), Sampled(asked, 700)]).fit(rows, labels, 2)
    blend = Blend([given(0.999, labels), Sampled(useless, 700)]).fit(rows, labels, 2)
    assert blend.weights_["linear model"] == 0
    assert (asked.n_asked, useless.n_asked) == (100, 0)


def test_a_mixture_too_large_to_be_kept_is_made_row_by_row(monkeypatch):
    opinions = [RawNeighbors(10), Sampled(LinearOpinion(), 50)]
    kept = Blend(opinions).fit(X, LABELS, 2).probabilities_
    monkeypatch.setattr("unflip.opinions.rowwise.MAX_KEPT", 159)
    found = Blend(opinions).fit(X, LABELS, 2).probabilities_
    assert isinstance(found, RowwiseProbabilities)
    np.testing.assert_allclose(found.to_array(), kept, rtol=1e-12)
    np.testing.assert_allclose(found[np.array([7, 3])], kept[[7, 3]], rtol=1e-12)
