"""Opinions: ways to estimate P(observed label | x), each out of sample, and their blend by likelihood.

To add one: a class with ``fit(X, labels, n_classes)``, ``probabilities_`` and ``predict(X)``, as in `contract`; any
scikit-learn classifier becomes one by `CrossFitted`, and learns from a sample of many rows as `Sampled`.
"""

from unflip.opinions.blend import Blend, default_opinions
from unflip.opinions.contract import Opinion
from unflip.opinions.cross_fitted import CrossFitted
from unflip.opinions.given import GivenProbabilities
from unflip.opinions.kernel import KernelOpinion
from unflip.opinions.linear import LinearOpinion
from unflip.opinions.neighbors import LearnedNeighbors, RawNeighbors
from unflip.opinions.sampled import Sampled
from unflip.opinions.trees import TreesOpinion

__all__ = [
    "Blend",
    "CrossFitted",
    "GivenProbabilities",
    "KernelOpinion",
    "LearnedNeighbors",
    "LinearOpinion",
    "Opinion",
    "RawNeighbors",
    "Sampled",
    "TreesOpinion",
    "default_opinions",
]
