"""Neighbors of rows: the graph that everything else reads, and the indexes that make one."""

from unflip.neighbors.exact import ExactIndex
from unflip.neighbors.given import ForeignIndex, PrecomputedIndex
from unflip.neighbors.graph import NeighborGraph, restricted
from unflip.neighbors.index import NeighborIndex, TrainingIndex, fit_index, make_index
from unflip.neighbors.learned import LearnedIndex
from unflip.neighbors.spaces import ForestSpace
from unflip.neighbors.subset import SubsetIndex
from unflip.neighbors.weighted import WeightedIndex

__all__ = [
    "ExactIndex",
    "ForeignIndex",
    "ForestSpace",
    "LearnedIndex",
    "NeighborGraph",
    "NeighborIndex",
    "PrecomputedIndex",
    "SubsetIndex",
    "TrainingIndex",
    "WeightedIndex",
    "fit_index",
    "make_index",
    "restricted",
]
