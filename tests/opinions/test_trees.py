"""The opinion of trees: votes of those that did not see the row."""

import numpy as np
import pytest

from unflip.opinions import TreesOpinion
from unflip.opinions.contract import log_likelihood
from unflip.opinions.order import content_order

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(60, 3))
LABELS = (X[:, 0] + 0.5 * RANDOM.normal(size=60) > 0).astype(int) + (X[:, 1] > 1)


def slow_votes(opinion, rows, seen):
    """Average the votes of the trees that did not see a row; seen holds the row numbers of each tree."""
    ranks = np.linspace(0, 1, len(X))
    ranked = [np.interp(column, np.sort(old), ranks) for column, old in zip(rows.T, X.T, strict=True)]
    trees = list(zip(opinion.forest_.estimators_, seen, strict=True))
    return np.array(
        [
            np.mean([tree.predict_proba(row[None])[0] for tree, its_rows in trees if number not in its_rows], axis=0)
            for number, row in enumerate(np.float32(ranked).T)
        ]
    )


@pytest.mark.parametrize("min_leaf", [1, 4])
def test_rows_are_judged_by_the_trees_that_did_not_see_them_and_new_rows_by_all(min_leaf):
    opinion, new = TreesOpinion(25, min_leaf=min_leaf).fit(X, LABELS, 3), X[:9] + 0.2
    place = content_order(X, LABELS)
    seen = [set(place[sample].tolist()) for sample in opinion.forest_.estimators_samples_]
    expected = (slow_votes(opinion, X, seen) * 25 / np.e + 1 / 3) / (25 / np.e + 1)
    np.testing.assert_allclose(opinion.probabilities_, expected)
    expected = (slow_votes(opinion, new, [set()] * 25) * 25 + 1 / 3) / (25 + 1)
    np.testing.assert_allclose(opinion.predict(new), expected)


def test_the_own_label_changes_nothing_of_a_row():
    before = TreesOpinion(30).fit(X, LABELS, 3).probabilities_
    for row in range(0, 60, 10):
        changed = LABELS.copy()
        changed[row] = (changed[row] + 1) % 3
        after = TreesOpinion(30).fit(X, changed, 3).probabilities_
        assert after[row].tolist() == before[row].tolist()
        assert (after != before).any()


def test_a_row_that_every_tree_saw_may_be_anything():
    opinion = TreesOpinion(1).fit(X, LABELS, 3)
    seen = np.isin(np.arange(60), content_order(X, LABELS)[opinion.forest_.estimators_samples_[0]])
    np.testing.assert_allclose(opinion.probabilities_[seen], 1 / 3)
    assert (opinion.probabilities_[~seen].max(axis=1) > 0.5).all()


def test_larger_leaves_are_less_sure_of_noisy_labels():
    random = np.random.RandomState(1)
    noisy = random.randint(0, 2, 60)
    rough, smooth = (TreesOpinion(50, min_leaf=size).fit(X, noisy, 2).probabilities_ for size in (1, 10))
    assert log_likelihood(smooth, noisy) > log_likelihood(rough, noisy) + 0.02


def test_the_seed_grows_the_trees():
    first, again, other = (TreesOpinion(20, seed=seed).fit(X, LABELS, 3).probabilities_ for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
