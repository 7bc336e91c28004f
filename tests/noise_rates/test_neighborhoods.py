"""Labels among neighbors, and where flips go."""

import numpy as np

from unflip.noise_rates.neighborhoods import Neighborhoods, matrix_from_rates


def test_flips_go_where_the_purest_neighborhoods_say():
    counts = np.array([[8, 2, 0]] * 50 + [[0, 9, 1]] * 50 + [[1, 1, 8]] * 50)
    matrix = matrix_from_rates([0.2, 0.1, 0.3], Neighborhoods(counts, np.ones(150)))
    np.testing.assert_allclose(matrix, [[0.8, 0.2, 0], [0, 0.9, 0.1], [0.15, 0.15, 0.7]])
