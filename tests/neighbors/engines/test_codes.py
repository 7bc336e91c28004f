"""The search by leaf codes against counting, tree by tree."""

import numpy as np
import pytest
from fuzzing import cases, one_of

from unflip.neighbors.engines import codes
from unflip.neighbors.engines.codes import NEW_ROW, NO_LEAF, CodesEngine


def slow_search(leaves, parts, n_parts, queries, query_parts, k, exclude, keep):
    """Return the k nearest by (share of trees apart, row number); rows that no tree compares are not found."""
    trees_per_part = leaves.shape[1] // n_parts
    apart, rows = np.full((len(queries), k), np.inf), np.full((len(queries), k), -1)
    for number, query in enumerate(queries):
        found = []
        for row in np.flatnonzero(keep):
            compared_by = [part for part in range(n_parts) if part not in (parts[row], query_parts[number])]
            trees = [tree for tree in range(leaves.shape[1]) if tree // trees_per_part in compared_by]
            if row != exclude[number] and trees:
                found.append((sum(query[tree] != leaves[row, tree] for tree in trees) / len(trees), row))
        for place, (share, row) in enumerate(sorted(found)[:k]):
            apart[number, place], rows[number, place] = share, row
    return apart, rows


def random_leaves(random, n_rows, n_trees, leaves_per_tree):
    return (random.randint(0, leaves_per_tree, size=(n_rows, n_trees)) + leaves_per_tree * np.arange(n_trees)).astype(
        np.int32
    )


def without_own(leaves, parts, n_parts):
    """Return leaves with NO_LEAF in the trees of each row's own part."""
    part_of_tree = np.repeat(np.arange(n_parts), leaves.shape[1] // n_parts)
    return np.where(part_of_tree == parts[:, None], np.int32(NO_LEAF), leaves)


def problem(seed, n_parts):
    """Return fitted leaves, parts, leaves per tree, and queries: fitted rows, new rows, or both, some left out."""
    random = np.random.RandomState(seed)
    n_rows, trees, leaves_per_tree = random.randint(1, 40), random.randint(1, 7), one_of(random, 1, 2, 5, 50)
    leaves = random_leaves(random, n_rows, trees * n_parts, leaves_per_tree)
    if random.random_sample() < 0.5:  # copies
        leaves = leaves[random.randint(0, n_rows, size=n_rows)]
    parts = random.randint(0, n_parts, size=n_rows)
    leaves = without_own(leaves, parts, n_parts)
    rows = random.randint(0, n_rows, size=one_of(random, 0, 1, 9))
    new = random_leaves(random, one_of(random, 0, 1, 9), leaves.shape[1], leaves_per_tree)
    queries = np.vstack([leaves[rows], new])
    query_parts = np.concatenate([parts[rows], np.full(len(new), NEW_ROW)])
    exclude = np.concatenate([np.where(random.random_sample(len(rows)) < 0.8, rows, -1), np.full(len(new), -1)])
    keep = random.random_sample(n_rows) < one_of(random, 0.0, 0.5, 0.9, 1.0)
    k = one_of(random, 0, 1, 3, n_rows, n_rows + 5)
    return leaves, parts, leaves_per_tree * leaves.shape[1], queries, query_parts, k, exclude, keep


@pytest.mark.parametrize("n_parts", [2, 3, 4])
def test_random_codes_are_searched_exactly(n_parts):
    for seed in cases(120):
        leaves, parts, n_leaves, queries, query_parts, k, exclude, keep = problem(seed, n_parts)
        engine = CodesEngine().fit(leaves, parts, n_parts, n_leaves)
        found = engine.search(queries, query_parts, k, exclude, keep, n_jobs=1 + seed % 2)
        expected = slow_search(leaves, parts, n_parts, queries, query_parts, k, exclude, keep)
        for got, wanted in zip(found, expected, strict=True):
            np.testing.assert_array_equal(got, wanted, err_msg=f"seed {seed}")


def by_hand():
    """Return leaves and parts of five rows, and their engine: three parts of two trees each."""
    leaves = np.array(
        [
            [-1, -1, 2, 4, 6, 8],
            [-1, -1, 2, 5, 6, 9],
            [0, 10, -1, -1, 6, 8],
            [0, 10, -1, -1, 7, 8],
            [0, 11, 2, 4, -1, -1],
        ],
        np.int32,
    )
    parts = np.array([0, 0, 1, 1, 2])
    return leaves, parts, CodesEngine().fit(leaves, parts, 3, 12)


def test_shares_by_hand():
    leaves, parts, engine = by_hand()
    apart, rows = engine.search(leaves, parts, 4, exclude=np.arange(5))
    # Row 0: row 1 by four trees, rows 2 and 3 by the last part's two, row 4 by the middle part's two.
    assert rows[0].tolist() == [2, 4, 1, 3]
    assert apart[0].tolist() == [0, 0, 0.5, 0.5]
    apart, rows = engine.search(np.array([[0, 10, 2, 5, 7, 8]], np.int32), np.array([NEW_ROW]), 5)
    assert rows[0].tolist() == [3, 2, 0, 1, 4]  # each by the four trees of the parts it is not in
    assert apart[0].tolist() == [0, 0.25, 0.5, 0.5, 0.5]


def test_rows_that_share_no_leaf_fill_up_by_their_number():
    leaves = without_own(
        np.arange(12, dtype=np.int32)[:, None] + 12 * np.arange(3, dtype=np.int32), np.arange(12) % 3, 3
    )
    engine = CodesEngine().fit(leaves, np.arange(12) % 3, 3, 36)
    apart, rows = engine.search(leaves[5:6], np.array([2]), 4, exclude=[5], keep=np.arange(12) != 1)
    assert rows.tolist() == [[0, 2, 3, 4]]
    assert apart.tolist() == [[1, 1, 1, 1]]


def test_where_rows_are_fewer_than_asked_for_nobody_is_infinitely_far():
    leaves, parts, engine = by_hand()
    apart, rows = engine.search(leaves[:1], parts[:1], 9, exclude=[0], keep=np.array([True, True, False, False, True]))
    assert rows.tolist() == [[4, 1, *[-1] * 7]]
    assert apart.tolist() == [[0, 0.5, *[np.inf] * 7]]


def test_with_two_parts_neighbors_come_from_the_own_half_and_those_of_new_rows_from_both():
    parts = np.array([0, 1, 0, 1, 0])
    leaves = without_own(np.zeros((5, 2), np.int32) + np.array([0, 1], np.int32), parts, 2)
    engine = CodesEngine().fit(leaves, parts, 2, 2)
    assert engine.search(leaves, parts, 3, np.arange(5))[1].tolist() == [
        [2, 4, -1], [3, -1, -1], [0, 4, -1], [1, -1, -1], [0, 2, -1],
    ]  # fmt: skip
    assert engine.search(np.array([[0, 1]], np.int32), np.array([NEW_ROW]), 5)[1].tolist() == [[0, 1, 2, 3, 4]]


def test_rows_of_one_part_only_are_found_by_their_number():
    leaves, parts = np.full((4, 3), NO_LEAF, np.int32), np.zeros(4, int)
    engine = CodesEngine().fit(leaves, parts, 1, 5)
    apart, rows = engine.search(leaves, parts, 3, np.arange(4))
    assert rows.tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
    assert (apart == 1).all()


def test_threads_and_blocks_do_not_matter(monkeypatch):
    random = np.random.RandomState(0)
    parts = random.randint(0, 3, size=300)
    leaves = without_own(random_leaves(random, 300, 30, 6), parts, 3)
    engine = CodesEngine().fit(leaves, parts, 3, 180)
    expected = engine.search(leaves, parts, 20, np.arange(300))
    monkeypatch.setattr(codes, "QUERIES_PER_BLOCK", 7)
    for n_jobs in (1, 3):
        found = engine.search(leaves, parts, 20, np.arange(300), n_jobs=n_jobs)
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1], expected[1])
