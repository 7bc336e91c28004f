"""A table to train on and one to predict, as files."""

import numpy as np
import pandas as pd


def clouds(n_rows, seed):
    random = np.random.RandomState(seed)
    label = random.choice(["left", "right"], size=n_rows)
    return pd.DataFrame({
        "code": [f"id-{seed}-{i}" for i in range(n_rows)],
        "x": random.normal(size=n_rows) + 4 * (label == "right"),
        "color": random.choice(["red", "blue"], size=n_rows),
        "kind": label,
    })  # fmt: skip


TRAIN, NEW = clouds(200, 0), clouds(30, 1)


def write(folder):
    TRAIN.to_csv(folder / "train.csv", index=False)
    NEW.drop(columns="kind").to_csv(folder / "new.csv", index=False)
    return folder
