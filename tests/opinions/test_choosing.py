"""Which opinions speak for a model, and which of a blend's give reasons."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from unflip import UnflipError
from unflip.neighbors import ForestSpace
from unflip.opinions import Blend, CrossFitted, GivenProbabilities, LearnedNeighbors, RawNeighbors, Sampled
from unflip.opinions.choosing import check_model, choose_opinions, importances_in, neighbors_in
from unflip.opinions.sampled import inner_opinion

RANDOM = np.random.RandomState(0)
LABELS = RANDOM.randint(0, 2, 120)
X = np.column_stack([LABELS + 0.2 * RANDOM.normal(size=120), 9 * RANDOM.normal(size=(120, 6))])
LEARNED = LearnedNeighbors(10, space=ForestSpace(20))


@pytest.mark.parametrize("model", ["auto", None, LogisticRegression()])
def test_names_and_classifiers_are_accepted(model):
    check_model("me", model)
    Blend(choose_opinions(model)).fit(X, LABELS, 2)


@pytest.mark.parametrize("model", ["automatic", 3, LogisticRegression, np.ones(2)])
def test_other_models_are_refused(model):
    with pytest.raises(UnflipError, match=r"^me: 'model' must be \"auto\" .* or a classifier"):
        check_model("me", model)


def test_opinions_follow_the_model():
    assert [opinion.name for opinion in choose_opinions(None)] == ["neighbors"]
    assert [opinion.name for opinion in choose_opinions("auto")][:2] == ["neighbors", "learned neighbors"]
    model = LogisticRegression()
    raw, classifier = choose_opinions(model, metric="cosine", n_neighbors=7, seed=3, n_jobs=2, owner="me")
    assert (raw.metric, raw.n_neighbors, raw.n_jobs, raw.owner) == ("cosine", 7, 2, "me")
    assert isinstance(classifier, CrossFitted)
    assert (classifier.estimator, classifier.seed, classifier.n_jobs) == (model, 3, 2)


def test_settings_reach_the_opinions_of_the_blend():
    opinions = choose_opinions("auto", metric="cosine", n_neighbors=7, seed=3, n_jobs=2, owner="me")
    assert (opinions[0].metric, opinions[0].n_neighbors, opinions[0].owner) == ("cosine", 7, "me")
    assert [inner_opinion(opinion).seed for opinion in opinions[1:]] == [3] * 4
    assert [inner_opinion(opinion).n_jobs for opinion in opinions] == [2] * 5


def test_distances_leave_neighbors_alone():
    assert [opinion.name for opinion in choose_opinions("auto", metric="precomputed")] == ["neighbors"]


@pytest.mark.parametrize("place", [0, 1])
def test_the_neighbors_that_weigh_most_give_reasons(place):
    opinions = [RawNeighbors(10)]
    opinions.insert(place, LEARNED)
    blend = Blend([GivenProbabilities(np.full((120, 2), 0.5)), *opinions]).fit(X, LABELS, 2)
    assert blend.weights_["learned neighbors"] > blend.weights_["neighbors"]
    assert neighbors_in(blend) is LEARNED


def test_a_blend_without_neighbors_gives_no_reasons():
    blend = Blend([GivenProbabilities(np.full((120, 2), 0.5))]).fit(X, LABELS, 2)
    assert neighbors_in(blend) is None
    assert importances_in(blend) is None


def test_importances_are_those_of_the_learned_space():
    found = importances_in(Blend([RawNeighbors(10), LEARNED]).fit(X, LABELS, 2))
    assert found.sum() == pytest.approx(1)
    assert found.argmax() == 0
    assert importances_in(Blend([RawNeighbors(10)]).fit(X, LABELS, 2)) is None


def test_neighbors_among_a_sample_give_no_reasons_but_say_which_columns_matter():
    sampled = Sampled(LearnedNeighbors(10, space=ForestSpace(20)), 80)
    blend = Blend([RawNeighbors(10), sampled]).fit(X, LABELS, 2)
    assert blend.weights_["learned neighbors"] > blend.weights_["neighbors"]
    assert neighbors_in(blend) is neighbors_in(blend, raw=True) is blend.opinions_[0]
    assert importances_in(blend).argmax() == 0
    whole = Blend([RawNeighbors(10), sampled.set_params(max_rows=120)]).fit(X, LABELS, 2)
    assert neighbors_in(whole) is sampled.opinion
    left_out = Blend([RawNeighbors(10), Sampled(LearnedNeighbors(10), 0)]).fit(X, LABELS, 2)
    assert neighbors_in(left_out) is left_out.opinions_[0]
    assert importances_in(left_out) is None
