"""The paper's twenty data sets and its synthetic distribution."""

from unflip.datasets.catalog import CATALOG, Dataset, DatasetError
from unflip.datasets.fetching import fetch
from unflip.datasets.files import DatasetMissing, data_folder
from unflip.datasets.loading import load_benchmark, load_raw
from unflip.datasets.synthetic import make_sine_product, sine_product_posterior

__all__ = [
    "CATALOG",
    "Dataset",
    "DatasetError",
    "DatasetMissing",
    "data_folder",
    "fetch",
    "load_benchmark",
    "load_raw",
    "make_sine_product",
    "sine_product_posterior",
]
