"""An order of rows that their places do not decide."""

import numpy as np
from scipy import sparse

from unflip.opinions.order import content_order, put_back

RANDOM = np.random.RandomState(0)
X = RANDOM.randint(0, 3, size=(60, 3)).astype(float)  # many copies
LABELS = RANDOM.randint(0, 3, size=60)


def test_shuffled_rows_come_in_the_same_order():
    order, shuffle = content_order(X, LABELS), RANDOM.permutation(60)
    other = content_order(X[shuffle], LABELS[shuffle])
    np.testing.assert_array_equal(X[shuffle][other], X[order])
    np.testing.assert_array_equal(LABELS[shuffle][other], LABELS[order])


def test_copies_lie_together_sorted_by_label():
    order = content_order(X, LABELS)
    rows, labels = X[order], LABELS[order]
    same = (rows[1:] == rows[:-1]).all(axis=1)
    assert np.sum(~same) == len(np.unique(X, axis=0)) - 1
    assert (np.diff(labels)[same] >= 0).all()


def test_the_labels_of_distinct_rows_have_no_part_in_it():
    rows = RANDOM.normal(size=(60, 2))
    np.testing.assert_array_equal(content_order(rows, LABELS), content_order(rows, LABELS[::-1]))


def test_sparse_rows_come_in_the_order_of_dense_ones():
    np.testing.assert_array_equal(content_order(sparse.csr_array(X), LABELS), content_order(X, LABELS))


def test_values_go_back_where_their_rows_were():
    order = content_order(X, LABELS)
    np.testing.assert_array_equal(put_back(X[order], order), X)
