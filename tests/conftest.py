"""Where the tests find each other, and the benchmark data."""

import os
import pathlib

import pytest


@pytest.fixture
def benchmark_data():
    folder = os.environ.get("UNFLIP_DATA")
    if not folder or not pathlib.Path(folder).is_dir():
        pytest.skip("the benchmark data are not here: set UNFLIP_DATA to their folder")
    return pathlib.Path(folder)
