"""Labels on two sides of a line, with noise: a problem for logistic regression."""

import numpy as np

from unflip import make_label_noise

NOISE = {"tau_plus": 0.3, "tau_minus": 0.1}


def noisy_line(n=500, d=4, seed=0):
    """Return rows, labels flipped at the rates of NOISE, and clean labels."""
    random = np.random.RandomState(seed)
    X = random.normal(size=(n, d))
    y = (X[:, 0] + 0.5 * X[:, 1] + 0.5 * random.normal(size=n) > 0.3).astype(int)
    return X, make_label_noise(y, [0.1, 0.3], random_state=seed), y
