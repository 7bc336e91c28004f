"""The pieces of a sharded search, as any executor may run them."""

import pickle

import numpy as np
import pytest

from neighbors.sharding import problems
from unflip.neighbors import ExactIndex
from unflip.neighbors.shards import ArrayShards
from unflip.neighbors.shards.search import Block, Settings, fit_shard, merge_answers, search_block, search_fitted

PROBLEMS = problems()


@pytest.mark.parametrize("name", PROBLEMS)
def test_shards_and_blocks_searched_apart_and_merged_are_the_whole_answer(name):
    X = PROBLEMS[name]
    shards, settings = ArrayShards(np.array_split(X, 4)).shards, Settings()
    expected = ExactIndex().fit(X)
    scores, rows = expected.nearest(expected.points_, 15, np.arange(len(X)))
    for shard in shards:
        for piece in shard.pieces(200):
            block = pickle.loads(pickle.dumps(Block(piece.offset, piece)))
            answer = merge_answers([search_block(other, block, 15, settings) for other in shards], 15)
            place = slice(block.place, block.place + len(block))
            np.testing.assert_array_equal(answer[0], scores[place])
            np.testing.assert_array_equal(answer[1], rows[place])


def test_a_shard_smaller_than_k_gives_what_it_has_and_never_a_row_to_itself():
    X = np.arange(5.0)[:, None]
    fitted = fit_shard(ArrayShards(X).shards[0], Settings())
    block = Block(0, fitted.shard)
    scores, rows = search_fitted(fitted, block, 9)
    assert rows[2].tolist() == [1, 3, 0, 4, -1]
    assert np.isnan(scores[:, -1]).all()
    some = Block(0, fitted.shard, rows=np.array([0, 4]))
    assert some.numbers().tolist() == [0, 4]
    assert fitted.search(some, 2)[1].tolist() == [[1, 2], [3, 2]]
    new = Block(0, None, given=np.array([[1.9]]))
    assert new.numbers() is None
    assert fitted.search(new, 2)[1].tolist() == [[2, 1]]


def test_rows_that_are_not_kept_are_not_found():
    X = np.arange(6.0)[:, None]
    shard = ArrayShards(X).shards[0]
    fitted = fit_shard(shard, Settings(), np.array([True, False, True, False, True, True]))
    rows = fitted.search(Block(0, shard), 3)[1]
    assert rows[1].tolist() == [0, 2, 4]
    assert rows[4].tolist() == [5, 2, 0]
