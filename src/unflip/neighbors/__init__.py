"""Neighbors of rows: the graph that everything else reads, and the indexes that make one."""

from unflip.neighbors.exact import ExactIndex
from unflip.neighbors.given import ForeignIndex, PrecomputedIndex
from unflip.neighbors.graph import NeighborGraph, restricted
from unflip.neighbors.index import NeighborIndex, TrainingIndex, make_index
from unflip.neighbors.subset import SubsetIndex
from unflip.neighbors.weighted import WeightedIndex

__all__ = [
    "ExactIndex",
    "ForeignIndex",
    "NeighborGraph",
    "NeighborIndex",
    "PrecomputedIndex",
    "SubsetIndex",
    "TrainingIndex",
    "WeightedIndex",
    "make_index",
    "restricted",
]
