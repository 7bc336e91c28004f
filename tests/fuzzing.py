"""How many random cases a fuzz test tries: a few in every run, many by 'make fuzz'."""

import os

import numpy as np


def cases(few):
    """Return the seeds to try; UNFLIP_FUZZ multiplies their number, UNFLIP_FUZZ_SEED moves them."""
    times, first = int(os.environ.get("UNFLIP_FUZZ", "1")), int(os.environ.get("UNFLIP_FUZZ_SEED", "0"))
    return range(first, first + few * times)


def one_of(random, *choices):
    """Return one of the choices."""
    return choices[random.randint(len(choices))]


def random_numbers(random, shape):
    """Return finite float64 numbers of any magnitude: lattices, ties, copies, outliers, denormals, huge ones."""
    kind = one_of(random, "uniform", "normal", "whole", "sixteenths", "binary", "cauchy", "constant", "any bits")
    if kind == "any bits":
        numbers = np.frombuffer(random.bytes(8 * int(np.prod(shape))), np.float64).reshape(shape).copy()
        return np.where(np.isfinite(numbers), numbers, 0.0)
    numbers = {
        "uniform": lambda: random.random_sample(shape),
        "normal": lambda: random.normal(size=shape),
        "whole": lambda: random.randint(-3, one_of(random, 4, 255), size=shape).astype(float),
        "sixteenths": lambda: random.randint(0, 4096, size=shape) / 16,
        "binary": lambda: random.randint(0, 2, size=shape) * one_of(random, 1.0, 0.3),
        "cauchy": lambda: random.standard_cauchy(size=shape),
        "constant": lambda: np.full(shape, 0.7),
    }[kind]()
    with np.errstate(over="ignore", under="ignore"):
        numbers = numbers * 10.0 ** one_of(random, 0, 0, 0, -3, 6, random.randint(-307, 305))
        if random.random_sample() < 0.3:  # columns of different magnitude
            numbers = numbers * 10.0 ** random.randint(-160, 160, size=shape[1])
        if random.random_sample() < 0.3:
            numbers = numbers + 10.0 ** random.randint(-10, 20)
    if random.random_sample() < 0.4:  # a few outliers
        for _ in range(random.randint(1, 4)):
            value = one_of(random, 1e8, 1e12, -1e20, 9.97e36, -3.4e38, 1e100, 1e200, -1e308, 5e-324, -0.0)
            numbers[random.randint(shape[0]), random.randint(shape[1])] = value
    if random.random_sample() < 0.3:  # copies
        numbers = numbers[random.randint(0, max(1, shape[0] // 3), size=shape[0])]
    return np.where(np.isfinite(numbers), numbers, 0.0)
