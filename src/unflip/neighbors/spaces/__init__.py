"""Spaces that the labels choose: trees grown on some rows say which of the others are alike."""

from unflip.neighbors.spaces.forest_space import ForestSpace

__all__ = ["ForestSpace"]
