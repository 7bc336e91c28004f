"""A file of methods and data sets as a user would add them, and the command that runs it."""

import sys

MINE = """
import time
import numpy as np
from sklearn.naive_bayes import GaussianNB
from unflip.experiments import add_dataset, add_method

def slow(training):
    time.sleep(0.1)
    return GaussianNB()

def blobs(seed):
    y = np.repeat([0, 1], 60)
    return np.random.RandomState(seed).normal(size=(120, 2)) + y[:, None], y

add_method("slow", slow)
for seed, name in enumerate(("blobs", "clouds")):
    add_dataset(name, lambda seed=seed: blobs(seed))
"""


ASKED = (
    "--data",
    "blobs",
    "--data",
    "clouds",
    "--method",
    "RkNN",
    "--method",
    "slow",
    "--method",
    "kNN",
    "--trials",
    "2",
)


def write(folder):
    path = folder / "mine.py"
    path.write_text(MINE)
    return path


def command(mine, out, *options):
    table = ["reproduce", "table2", "--with", str(mine)]
    return [sys.executable, "-m", "unflip", *table, *ASKED, "--out", str(out), *options]
