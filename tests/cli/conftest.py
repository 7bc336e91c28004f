"""The made-up data set of the catalog, for the commands that list and fetch."""

from datasets.conftest import tiny

__all__ = ["tiny"]
