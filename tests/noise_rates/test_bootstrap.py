"""Intervals from redrawn labels."""

import numpy as np

from unflip import estimate_noise_rates, make_label_noise


def problem(n_classes=2, n=800, distance=4.0, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    X = random.normal(size=(n, 2)) + distance * np.column_stack([np.cos(2 * np.pi * y / n_classes), y % 2])
    return X, y


X, Y = problem()


NOISY = make_label_noise(np.array(["ham", "spam"])[Y], {"ham": 0.05, "spam": 0.3}, random_state=0)


def test_other_methods_have_intervals_of_their_own_scatter():
    believed = estimate_noise_rates(X, NOISY, noise_estimator="bayes")
    drawn = estimate_noise_rates(X, NOISY, noise_estimator="extremes", random_state=0)
    np.testing.assert_allclose(drawn.interval.mean(axis=1), drawn.rates, atol=0.05)  # about their own estimate
    assert not np.allclose(drawn.interval, believed.interval)
