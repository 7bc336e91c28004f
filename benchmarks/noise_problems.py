"""Problems with known label noise: the paper's data sets, generated data, and data sets with many classes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn import datasets
from sklearn.preprocessing import minmax_scale

from unflip.datasets import DatasetMissing, load_benchmark, load_raw, make_sine_product
from unflip.noise.transition import NoiseModel

PAPER = (
    "heart", "ionosphere", "housing", "cancer", "diabetes", "vehicle", "fourclass", "german", "splice", "optdigits",
    "segment", "landsat", "mushroom", "usps", "pendigits", "letter", "magic04", "shuttle",
)  # fmt: skip
MANY_CLASSES = ("vehicle", "landsat", "segment", "pendigits", "letter")
NOISES = ((0.1, 0.2), (0.3, 0.1), (0.4, 0.4), (0.05, 0.4), (0.4, 0.1), (0.2, 0.2), (0.0, 0.0))  # tau_plus, tau_minus
MAX_ROWS = 3000


def _blobs(distance, rare=0.5):
    def make(n, seed):
        random = np.random.RandomState(seed)
        y = (random.random_sample(n) < rare).astype(int)
        return random.normal(size=(n, 5)) + distance * y[:, None] * np.array([1, 0, 0, 0, 0]), y

    return make


def _shells(n, seed):
    return datasets.make_gaussian_quantiles(n_samples=n, n_features=4, n_classes=2, random_state=seed)


def _linear(n, seed):
    return datasets.make_classification(n, 20, n_informative=6, n_redundant=4, flip_y=0, random_state=seed)


def _clusters(n, seed):
    options = {"n_informative": 8, "n_clusters_per_class": 4, "class_sep": 1.5, "flip_y": 0, "weights": [0.7]}
    return datasets.make_classification(n, 10, random_state=seed, **options)


GENERATORS = {
    "moons": lambda n, seed: datasets.make_moons(n, noise=0.25, random_state=seed),
    "circles": lambda n, seed: datasets.make_circles(n, noise=0.1, factor=0.6, random_state=seed),
    "shells": _shells,
    "linear": _linear,
    "clusters": _clusters,
    "near blobs": _blobs(1.5),
    "far blobs": _blobs(4.0),
    "rare blob": _blobs(3.0, rare=0.1),
    "sine product": lambda n, seed: make_sine_product(n, random_state=seed),
}  # fmt: skip


class Problem(NamedTuple):
    """Rows and clean labels, how many of them are for training, and the noises to apply to the training labels."""

    name: str
    X: np.ndarray
    y: np.ndarray
    n_train: int
    noises: dict  # name: T[true, observed]


def paper(seed):
    """Yield the paper's data sets, reduced to two classes."""
    for name in PAPER:
        X, y = two_classes(name, seed)
        if X is not None:
            yield _shuffled(name, X, y, seed, _two_class_noises())


def two_classes(name, seed):
    """Return rows scaled to [-1, 1] and classes 0 and 1, split from all classes."""
    return load_or_skip(load_benchmark, name, random_state=seed, classes="all")


def generated(seed):
    """Yield 2,000 training and 2,000 test rows of each generator."""
    for number, (name, make) in enumerate(GENERATORS.items()):
        X, y = make(4000, 1000 * seed + number)
        yield _shuffled(name, X, np.asarray(y), seed, _two_class_noises(), n_train=2000)


def many_classes(seed):
    """Yield data sets with their original classes, and noises between many classes."""
    for name in MANY_CLASSES:
        X, y = load_or_skip(load_raw, name)
        if X is not None:
            classes, labels = np.unique(y, return_inverse=True)
            yield _shuffled(name, minmax_scale(X, (-1, 1)), labels, seed, class_noises(len(classes)))


def _two_class_noises():
    return {
        f"({tau_plus:g}, {tau_minus:g})": NoiseModel.of([tau_minus, tau_plus], [0, 1]).transition_matrix
        for tau_plus, tau_minus in NOISES
    }


def class_noises(n_classes):
    """Return uniform noise of .1 and .3, .3 to the next class, .4 within blocks of three, rising rates, and none."""
    everyone = np.arange(n_classes)
    eye = np.eye(n_classes)
    same_block = (everyone[:, None] // 3 == everyone // 3) & ~eye.astype(bool)
    alone = ~same_block.any(axis=1)
    block = np.where(same_block, 0.4 / np.maximum(same_block.sum(axis=1, keepdims=True), 1), 0) + 0.6 * eye
    block[alone] = eye[alone]
    return {
        "uniform .1": NoiseModel.of(0.1, everyone).transition_matrix,
        "uniform .3": NoiseModel.of(0.3, everyone).transition_matrix,
        "to the next, .3": 0.7 * eye + 0.3 * np.roll(eye, 1, axis=1),
        "blocks of three, .4": block,
        "uniform, 0 rising to .5": NoiseModel.of(np.linspace(0, 0.5, n_classes), everyone).transition_matrix,
        "none": eye,
    }


def load_or_skip(load, name, **options):
    """Return rows and labels; if the data are missing, print that and return None twice."""
    try:
        return load(name, **options)
    except DatasetMissing as error:
        print(error)
        return None, None


def _shuffled(name, X, y, seed, noises, n_train=None):
    order = np.random.RandomState(1000 + seed).permutation(len(X))[: 2 * MAX_ROWS]
    n_train = n_train or min(MAX_ROWS, 3 * len(order) // 4)
    return Problem(name, X[order], y[order], n_train, noises)
