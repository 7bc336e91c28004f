"""Parts of the rows: equal in size and labels, decided by what rows hold."""

import numpy as np
import pytest
from scipy import sparse

from unflip.neighbors.spaces.parts import make_parts, stirred

RANDOM = np.random.RandomState(0)
X = RANDOM.randint(0, 6, size=(400, 3)).astype(float)  # many copies
LABELS = RANDOM.randint(0, 3, size=400)
DISTINCT = RANDOM.normal(size=(301, 2))


@pytest.mark.parametrize("n_parts", [2, 3, 5])
def test_copies_and_only_copies_are_one_group_in_one_part(n_parts):
    parts = make_parts(X, LABELS, None, n_parts, seed=4)
    same_row = (X[:, None] == X[None]).all(axis=2)
    np.testing.assert_array_equal(parts.group[:, None] == parts.group[None], same_row)
    assert (parts.part[:, None] == parts.part[None])[same_row].all()
    assert parts.n_parts == n_parts == len(np.unique(parts.part))


@pytest.mark.parametrize("n_parts", [2, 3, 7])
def test_parts_are_equal_in_size_and_in_every_label_up_to_one_row(n_parts):
    labels = (RANDOM.random_sample(301) < 0.1).astype(int) + (np.arange(301) < 200)
    part = make_parts(DISTINCT, labels, None, n_parts, seed=0).part
    for rows in (labels >= 0, labels == 0, labels == 1, labels == 2):
        assert np.ptp(np.bincount(part[rows], minlength=n_parts)) <= 1


def test_copies_count_by_their_most_common_label_and_of_equally_common_ones_by_the_first():
    # Ten rows with one label each, and ten whose copies disagree: (0, 1, 1) is a 1, (2, 0) is a 0.
    rows, labels = [], []
    for number, copies in enumerate([[2]] * 10 + [[0, 1, 1]] * 10 + [[2, 0]] * 10):
        rows += [number] * len(copies)
        labels += copies
    parts = make_parts(np.array(rows, float)[:, None], np.array(labels), None, 2, seed=1)
    part = parts.part[np.unique(rows, return_index=True)[1]]
    assert [np.bincount(part[start : start + 10]).tolist() for start in (0, 10, 20)] == [[5, 5]] * 3


def test_weights_are_copies():
    copies = RANDOM.randint(1, 4, size=400)
    weighted = make_parts(X, LABELS, copies, 3, seed=0)
    repeated = make_parts(X.repeat(copies, axis=0), LABELS.repeat(copies), None, 3, seed=0)
    np.testing.assert_array_equal(weighted.part.repeat(copies), repeated.part)
    np.testing.assert_array_equal(weighted.group.repeat(copies), repeated.group)
    assert (make_parts(X, LABELS, None, 3, seed=0).part != weighted.part).any()  # the most common label is another


def test_the_order_of_the_rows_and_their_storage_do_not_matter():
    order = RANDOM.permutation(400)
    expected = make_parts(X, LABELS, None, 3, seed=0)
    for other in (X[order], np.asfortranarray(X[order]), sparse.csr_matrix(X[order])):
        parts = make_parts(other, LABELS[order], None, 3, seed=0)
        np.testing.assert_array_equal(parts.part, expected.part[order])
        np.testing.assert_array_equal(parts.group, expected.group[order])


def test_there_are_never_more_parts_than_distinct_rows():
    for n_distinct in (1, 2, 3, 5):
        rows = np.repeat(np.arange(float(n_distinct)), 4)[:, None]
        parts = make_parts(rows, np.zeros(len(rows), int), None, 3, seed=0)
        assert parts.n_parts == min(3, n_distinct) == len(np.unique(parts.part))


@pytest.mark.parametrize("seed", [1, -1, 2**31, 2**64 + 5])
def test_any_other_seed_gives_unrelated_parts(seed):
    labels = np.zeros(301, int)
    together = make_parts(DISTINCT, labels, None, 3, 0).part == make_parts(DISTINCT, labels, None, 3, seed).part
    assert 0.2 < together.mean() < 0.47  # a third, within five standard deviations


def test_neighboring_rows_are_in_the_same_part_as_often_as_chance_says():
    grid = np.arange(3000.0)[:, None]
    part = make_parts(grid, np.zeros(3000, int), None, 3, seed=0).part
    for step in (1, 2, 3, 8):
        assert abs(np.mean(part[step:] == part[:-step]) - 1 / 3) < 0.045


def test_hashes_stirred_alike_stay_distinct():
    hashes = np.arange(10_000, dtype=np.uint64)
    assert all(len(np.unique(stirred(hashes, seed))) == 10_000 for seed in (0, 1, 77))
    assert (stirred(hashes, 0) != stirred(hashes, 1)).all()
