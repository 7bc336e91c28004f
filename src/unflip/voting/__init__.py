"""Votes of neighbors for every k off one graph, in cross-validation too, and the decision: pure arithmetic."""
