"""Opinions that learn from a sample: the opinion itself where rows are few, and out of sample for every row."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from unflip.opinions import Blend, LearnedNeighbors, LinearOpinion, RawNeighbors, Sampled, TreesOpinion
from unflip.opinions import sampled as module
from unflip.opinions.contract import log_likelihood
from unflip.opinions.sampled import draw_rows, inner_opinion, learned_rows, sample_size

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(300, 3))
LABELS = (X[:, 0] + 0.5 * RANDOM.normal(size=300) > 0.5).astype(int)
NEW = RANDOM.normal(size=(9, 3))
CODES = RANDOM.randint(0, 3, size=(300, 2)).astype(float)  # every row has many copies


@pytest.mark.parametrize("opinion", [LinearOpinion(), TreesOpinion(20), RawNeighbors(10)])
@pytest.mark.parametrize("max_rows", [300, 1000, "auto"])
def test_few_rows_are_all_learned_from_and_nothing_changes(opinion, max_rows):
    found, expected = Sampled(clone(opinion), max_rows).fit(X, LABELS, 2), clone(opinion).fit(X, LABELS, 2)
    assert (found.n_learned_from_, found.rows_) == (300, None)
    np.testing.assert_array_equal(found.probabilities_, expected.probabilities_)
    np.testing.assert_array_equal(found.predict(NEW), expected.predict(NEW))


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, np.float32])
def test_rows_of_the_sample_are_judged_out_of_sample_and_the_others_predicted(kind, monkeypatch):
    monkeypatch.setattr(module, "MIN_ROWS_AT_ONCE", 7)
    monkeypatch.setattr(module, "MAX_ROWS_AT_ONCE", 7)  # several blocks
    rows = kind(X)
    found = Sampled(LinearOpinion(), max_rows=80).fit(rows, LABELS, 2)
    inside = found.rows_
    outside = np.setdiff1d(np.arange(300), inside)
    assert found.n_learned_from_ == len(inside) == 80
    alone = LinearOpinion().fit(rows[inside], LABELS[inside], 2)
    np.testing.assert_array_equal(found.probabilities_[inside], alone.probabilities_)
    np.testing.assert_allclose(found.probabilities_[outside], alone.predict(rows[outside]), rtol=1e-12)
    np.testing.assert_allclose(found.predict(kind(NEW)), alone.predict(kind(NEW)), rtol=1e-12)
    mixed = np.array([outside[3], inside[5], inside[5], outside[0]])
    np.testing.assert_allclose(
        found.probabilities_[mixed], np.vstack([found.probabilities_[row : row + 1] for row in mixed]), rtol=1e-12
    )
    assert log_likelihood(found.probabilities_.to_array(), LABELS) > np.log(0.6)


class InFiles:
    """Rows that are not in memory."""

    def __init__(self, rows):
        self.rows, self.shape = rows, rows.shape

    def blocks(self):
        yield from (self.rows[start : start + 70] for start in range(0, len(self.rows), 70))

    def __getitem__(self, rows):
        return self.rows[rows]


@pytest.mark.parametrize("max_rows", [80, 300])
def test_rows_in_files_are_read_where_they_are_needed(max_rows):
    expected = Sampled(TreesOpinion(20), max_rows).fit(X, LABELS, 2)
    found = Sampled(TreesOpinion(20), max_rows).fit(InFiles(X), LABELS, 2)
    np.testing.assert_array_equal(found.probabilities_[:], expected.probabilities_[:])


def test_the_own_label_of_a_row_outside_the_sample_changes_nothing(monkeypatch):
    monkeypatch.setattr(module, "draw_rows", lambda *_: np.arange(100))
    changed = LABELS.copy()
    changed[100:] = 1 - changed[100:]
    before, after = (Sampled(LinearOpinion(), 100).fit(X, labels, 2).probabilities_[:] for labels in (LABELS, changed))
    np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("rows", [X, CODES, sparse.csr_array(CODES)], ids=["distinct", "copies", "sparse"])
@pytest.mark.parametrize("size", [1, 37, 299, 300])
def test_the_sample_of_shuffled_rows_has_the_same_contents(rows, size):
    order = np.random.RandomState(1).permutation(300)
    drawn, others = draw_rows(rows, LABELS, size), order[draw_rows(rows[order], LABELS[order], size)]
    assert len(set(drawn.tolist())) == size
    assert (np.diff(drawn) > 0).all()

    def contents(numbers):
        dense = rows[numbers].toarray() if sparse.issparse(rows) else rows[numbers]
        return sorted(map(tuple, np.column_stack([dense, LABELS[numbers]]).tolist()))

    assert contents(drawn) == contents(others)
    if rows is X:
        assert set(drawn.tolist()) == set(others.tolist())


def test_each_class_has_its_share_and_many_copies_do_not_fill_the_sample():
    labels = np.repeat([0, 1, 2], [200, 70, 30])
    drawn = draw_rows(X, labels, 60)
    assert np.bincount(labels[drawn]).tolist() == [40, 14, 6]
    distinct = np.unique(CODES[draw_rows(CODES, labels, 60)], axis=0)
    assert len(distinct) == 9
    halves = np.repeat([0.0, 1.0], [290, 10])[:, None]
    assert 1 <= np.count_nonzero(halves[draw_rows(halves, np.zeros(300, int), 100)]) <= 6


def test_another_seed_draws_other_rows():
    first, again, other = (draw_rows(X, LABELS, 50, seed) for seed in (0, 0, 1))
    assert first.tolist() == again.tolist() != other.tolist()
    assert len(np.intersect1d(first, other)) < 25
    assert Sampled(LinearOpinion(), 50, seed=1).fit(X, LABELS, 2).rows_.tolist() == other.tolist()


def test_samples_are_smaller_of_wide_rows_and_of_many_classes():
    few, many = np.empty((10**6, 4)), np.empty((10**5, 2**12))
    assert sample_size(few, 2) == module.MAX_ROWS
    assert sample_size(few[:, :0], 2) == module.MAX_ROWS
    assert sample_size(many[:, : 2**9], 2) == 2**13
    assert sample_size(many, 2) == module.MIN_ROWS
    assert sample_size(sparse.csr_array((10**5, 2**12)), 2) == module.MAX_ROWS  # of stored values there are none
    assert sample_size(few, 100) == 5242


def test_too_many_classes_leave_an_opinion_out_unless_all_rows_are_few():
    rows = np.empty((10**5, 4))
    assert sample_size(rows, 160) >= 160 * module.MIN_ROWS_OF_CLASS
    assert sample_size(rows, 170) == 0
    assert sample_size(rows[:2000], 170) >= 2000


def test_an_opinion_that_is_left_out_weighs_nothing(monkeypatch):
    monkeypatch.setattr(module, "MAX_COUNTS", 20)
    told = []
    blend = Blend([RawNeighbors(10), Sampled(LearnedNeighbors()), Sampled(LinearOpinion(), 100)])
    blend.fit(X, LABELS, 2, told.append)
    assert blend.n_learned_from_ == {"neighbors": 300, "learned neighbors": 0, "linear model": 100}
    assert blend.weights_["learned neighbors"] == 0
    assert blend.weights_["neighbors"] + blend.weights_["linear model"] == pytest.approx(1)
    assert blend.predict(NEW).shape == (9, 2)


def test_what_is_inside_and_what_it_learned_from():
    opinion = LinearOpinion()
    wrapped = Sampled(opinion, 40).fit(X, LABELS, 2)
    assert inner_opinion(wrapped) is inner_opinion(opinion) is opinion
    assert wrapped.name == "linear model"
    assert learned_rows(wrapped) is wrapped.rows_
    assert learned_rows(opinion) is None
