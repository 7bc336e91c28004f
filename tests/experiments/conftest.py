"""Made-up results, and small data under the names of three of the paper's data sets; no others are available."""

import numpy as np
import pytest

from experiments.made_up import EXPERIMENT, made_up_results
from unflip.datasets import DatasetMissing
from unflip.experiments.plan import registry
from unflip.experiments.runs.store import Store
from unflip.experiments.statistics.comparison import comparison

MADE_UP = ("heart", "german", "cancer")


@pytest.fixture
def made_up_data(monkeypatch):
    def load(name, **_):
        if name not in MADE_UP:
            raise DatasetMissing(f"{name} is not here.")
        random = np.random.RandomState(len(name))
        y = random.randint(0, 2, size=120)
        return random.normal(size=(120, 3)) + 1.5 * y[:, None], y

    monkeypatch.setattr(registry, "load_benchmark", load)
    return MADE_UP


@pytest.fixture
def two_clouds():
    """260 rows of two overlapping classes, rounded so that distances tie."""
    random = np.random.RandomState(0)
    y = random.randint(0, 2, size=260)
    return np.round(random.normal(size=(260, 3)) + 1.2 * y[:, None], 1), y


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")


@pytest.fixture(scope="session")
def compared(tmp_path_factory):
    """The made-up results of EXPERIMENT, compared; acoustic is not available."""
    return comparison(made_up_results(tmp_path_factory.mktemp("made up")), EXPERIMENT, missing=["acoustic"])
