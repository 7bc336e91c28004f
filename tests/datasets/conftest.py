"""A made-up data set in the catalog, whose source is a local file, and a block on the network."""

import socket
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from unflip.datasets.catalog import CATALOG, Dataset, Files
from unflip.datasets.files import checksum


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*arguments, **options):
        raise AssertionError("a test tried to reach the network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@dataclass
class Tiny:
    X: np.ndarray
    y: np.ndarray
    source: Path
    folder: Path

    def left_in_folder(self):
        return sorted(path.name for path in self.folder.iterdir())


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    source = tmp_path / "tiny.data"
    source.write_text("1,0.1,y\n2,-0.25,n\n3,5,n\n4,1e-3,y\n")
    X, y = np.array([[1, 0.1], [2, -0.25], [3, 5], [4, 1e-3]]), np.array(["yes", "no", "no", "yes"])
    dataset = Dataset(
        name="tiny",
        shape=(4, 2),
        source=Files((source.as_uri(),), "comma"),
        sha256=checksum(X, y),
        class_counts={"no": 2, "yes": 2},
        rename={"y": "yes", "n": "no"},
    )
    monkeypatch.setitem(CATALOG, "tiny", dataset)
    return Tiny(X, y, source, tmp_path / "data")
