"""Room for answers, in memory and in files."""

import numpy as np
import pytest

from unflip.neighbors.metrics import Metric
from unflip.neighbors.shards.answers import Answers


@pytest.mark.parametrize("most_bytes", [None, 10])
def test_answers_of_shards_are_merged_wherever_they_are_kept(tmp_path, most_bytes):
    answers = Answers(3, 2, most_bytes=most_bytes, folder=tmp_path)
    assert isinstance(answers.rows, np.memmap) == (most_bytes is not None)
    answers.add(1, 2, (np.array([[4.0], [1.0]]), np.array([[0], [0]], np.int32)))
    assert answers.limits(0, 3).tolist() == [np.inf] * 3
    answers.add(1, 1, (np.array([[4.0, 9.0]]), np.array([[5, 6]], np.int32)))
    assert answers.limits(1, 1).tolist() == [4.0]
    graph = answers.graph(Metric("euclidean"))
    assert graph.indices.tolist() == [[-1, -1], [0, 5], [0, -1]]
    assert graph.distances.tolist() == [[np.inf, np.inf], [2, 2], [1, np.inf]]
