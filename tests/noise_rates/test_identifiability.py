"""When the data do not determine the rates."""

import numpy as np

from unflip import estimate_noise_rates, make_label_noise


def problem(n_classes=2, n=800, distance=4.0, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    X = random.normal(size=(n, 2)) + distance * np.column_stack([np.cos(2 * np.pi * y / n_classes), y % 2])
    return X, y


X, Y = problem()


def test_it_says_when_the_rates_cannot_be_told():
    rows, y = problem(distance=0.3)
    found = estimate_noise_rates(rows, make_label_noise(y, 0.2, random_state=0))
    assert not found.identifiable
    assert any("is pure nowhere" in note for note in found.notes)
    rows, y = problem(n=4000)
    found = estimate_noise_rates(rows, make_label_noise(y, 0.42, random_state=0))
    assert any("little can be learned" in note for note in found.notes)
