"""Predictions of one file from another."""

import numpy as np
import pandas as pd
import pytest

from cli.prediction_tables import NEW, TRAIN
from cli.prediction_tables import write as write_tables
from unflip import RobustKNeighborsClassifier
from unflip.cli.prediction import predictions, write
from unflip.tables import TableEncoder


@pytest.fixture
def files(tmp_path):
    return write_tables(tmp_path)


def expected():
    columns = TRAIN.drop(columns="kind")
    encoder = TableEncoder().fit(columns, TRAIN["kind"])
    model = RobustKNeighborsClassifier(random_state=0).fit(encoder.transform(columns), TRAIN["kind"])
    return model, encoder.transform(NEW.drop(columns="kind"))


def test_labels_probabilities_and_nearest_rows(files):
    table, notes = predictions(files / "train.csv", files / "new.csv", "kind", model="neighbors")
    model, X = expected()
    assert table["row"].tolist() == list(range(1, 31))
    assert table["label"].tolist() == model.predict(X).tolist()
    assert (table["label"] == NEW["kind"]).mean() > 0.9
    assert table["probability"].to_numpy() == pytest.approx(model.predict_proba(X).max(axis=1), abs=1e-4)
    nearest = np.array([[int(row) for row in rows.split()] for rows in table["nearest"]])
    assert np.array_equal(nearest, model.kneighbors(X, 3, return_distance=False) + 1)
    assert notes == ["Left out: code (200 distinct texts, like an identifier)."]


@pytest.mark.parametrize("model", ["auto", "forest"])
def test_models_predict_the_labels_and_neighbors_are_listed_all_the_same(files, model):
    table, _ = predictions(files / "train.csv", files / "new.csv", "kind", model=model)
    by_neighbors, _ = predictions(files / "train.csv", files / "new.csv", "kind", model="neighbors")
    assert (table["label"] == NEW["kind"]).mean() > 0.9
    assert table["nearest"].tolist() == by_neighbors["nearest"].tolist()
    assert table["probability"].between(0.5, 1).all()


def test_the_nearest_of_a_training_row_is_that_row_counted_from_one(files):
    table, _ = predictions(files / "train.csv", files / "train.csv", "kind", n_neighbors=1)
    assert table["nearest"].tolist() == [str(row) for row in range(1, 201)]


def test_labels_of_new_rows_are_not_used_and_that_is_said(files):
    without, _ = predictions(files / "train.csv", files / "new.csv", "kind")
    NEW.to_csv(files / "labeled.csv", index=False)
    table, notes = predictions(files / "train.csv", files / "labeled.csv", "kind")
    pd.testing.assert_frame_equal(table, without)
    assert notes[0] == f"The column 'kind' of {files / 'labeled.csv'} is not used: these labels are predicted."


def test_embeddings(tmp_path):
    random = np.random.RandomState(0)
    y = random.randint(2, size=100)
    np.savez(tmp_path / "train.npz", rows=random.normal(size=(100, 3)) + 5 * y[:, None], y=y)
    np.save(tmp_path / "new.npy", np.array([[0.0, 0, 0], [5, 5, 5]]))
    table, notes = predictions(tmp_path / "train.npz", tmp_path / "new.npy", "y")
    assert table["label"].tolist() == [0, 1]
    assert notes == []
    np.save(tmp_path / "wide.npy", np.zeros((2, 4)))
    with pytest.raises(ValueError, match=r"wide.npy has 4 numbers per row, .*train.npz has 3\."):
        predictions(tmp_path / "train.npz", tmp_path / "wide.npy", "y")
    NEW.to_csv(tmp_path / "new.csv", index=False)
    with pytest.raises(ValueError, match="must be both tables or both embeddings"):
        predictions(tmp_path / "train.npz", tmp_path / "new.csv", "y")


def test_a_file_that_cannot_be_written_is_refused(files):
    table, _ = predictions(files / "train.csv", files / "new.csv", "kind")
    with pytest.raises(OSError, match=r"out\.csv cannot be written: No such file or directory\."):
        write(table, files / "nowhere" / "out.csv")
    with pytest.raises(ValueError, match=r"out\.csv\.gz would not be compressed"):
        write(table, files / "out.csv.gz")
    assert not list(files.glob("*out*"))
