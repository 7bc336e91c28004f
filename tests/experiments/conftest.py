"""Small data under the names of three of the paper's data sets; all others are not here."""

import numpy as np
import pytest

from unflip.datasets import DatasetMissing
from unflip.experiments.plan import registry
from unflip.experiments.runs.store import Store

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
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")
