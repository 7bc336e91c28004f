import numpy as np
import pytest

from unflip.neighbors import ExactIndex
from unflip.noise_rates import Extremes, Quantile

GRAPH = ExactIndex().fit(np.arange(200.0)[:, None]).graph(4)
# Two regions of 100 rows in line, every fifth label of the first and every tenth of the second flipped.
LABELS = np.where(np.arange(200) < 100, np.arange(200) % 5 == 0, np.arange(200) % 10 != 0).astype(int)


def test_the_level_is_the_share_of_rows_that_are_purer():
    # A row and its four neighbors inside the first region always hold one flipped label of five.
    assert Quantile(4, level=0.25).estimate(GRAPH, LABELS)[0] == pytest.approx([0.8, 0.2])
    # Inside the second, half of the neighborhoods hold one and half hold none.
    assert Quantile(4, level=0.45).estimate(GRAPH, LABELS)[1] == pytest.approx([0.2, 0.8])
    assert Quantile(4, level=0.1).estimate(GRAPH, LABELS)[1] == pytest.approx([0, 1])


def test_level_zero_is_the_extreme():
    np.testing.assert_allclose(Quantile(4, level=0).estimate(GRAPH, LABELS), Extremes(4).estimate(GRAPH, LABELS))
