"""Exact neighbors: the graph that everything else reads."""

from unflip.neighbors.given import ForeignIndex, PrecomputedIndex
from unflip.neighbors.graph import NeighborGraph, restricted
from unflip.neighbors.index import ExactIndex
from unflip.neighbors.subset import SubsetIndex

__all__ = ["ExactIndex", "ForeignIndex", "NeighborGraph", "PrecomputedIndex", "SubsetIndex", "restricted"]
