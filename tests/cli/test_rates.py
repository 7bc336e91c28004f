"""``unflip rates`` takes embeddings and notes what is odd."""

import json

import commands
import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer

from unflip import make_label_noise
from unflip.cli import main


@pytest.fixture
def flipped_table(tmp_path):
    """A CSV file of tumors, a tenth of one class and three tenths of the other relabeled."""
    table = load_breast_cancer(as_frame=True).frame.rename(columns={"target": "tumor"})
    names = table["tumor"].map({0: "malignant", 1: "benign"})
    table["tumor"] = make_label_noise(names, {"malignant": 0.1, "benign": 0.3}, random_state=0)
    table.insert(0, "patient", [f"patient {i}" for i in range(len(table))])
    table.to_csv(tmp_path / "tumors.csv", index=False)
    return tmp_path / "tumors.csv"


def unflip(*arguments):
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture
def clouds():
    random = np.random.RandomState(0)
    labels = np.repeat(["a", "b"], 300)
    rows = random.normal(size=(600, 4)) + 4 * (labels == "a")[:, None]
    return rows, make_label_noise(labels, {"a": 0.1, "b": 0.3}, random_state=0)


def test_an_embedding_and_a_file_of_labels(clouds, tmp_path):
    np.save(tmp_path / "e.npy", clouds[0])
    (tmp_path / "l.txt").write_text("\n".join(clouds[1]) + "\n")
    done = unflip("rates", tmp_path / "e.npy", "--label", "kind", "--labels", tmp_path / "l.txt")
    assert " of 600 labels are wrong.\n" in done.output
    assert "Compared by an embedding of 4 numbers per row." in done.output
    with pytest.raises(ValueError, match="has no array of 600 labels named 'kind'; pass a label file"):
        unflip("rates", tmp_path / "e.npy", "--label", "kind")


def test_an_archive_with_both(clouds, tmp_path):
    np.savez(tmp_path / "e.npz", rows=clouds[0], y=clouds[1])
    found = json.loads(unflip("rates", tmp_path / "e.npz", "--label", "y", "--json").output)
    (low_a, high_a), (low_b, high_b) = found["interval"]
    assert low_a <= 0.1 <= high_a
    assert low_b <= 0.3 <= high_b
    assert found["columns"] == ["embedding"]


def test_labels_that_differ_in_white_space_are_noted(clouds, tmp_path):
    labels = [label + " " * (row % 2) for row, label in enumerate(clouds[1])]
    np.savez(tmp_path / "e.npz", rows=clouds[0], y=labels)
    note = "differ in white space only."
    assert note in unflip("rates", tmp_path / "e.npz", "--label", "y").output
    assert note in unflip("rates", tmp_path / "e.npz", "--label", "y", "--json").output


def test_rates_of_a_table(flipped_table):
    done = commands.unflip("rates", flipped_table, "--label", "tumor")
    assert (done.returncode, done.stderr) == (0, "")
    assert " of 569 labels are wrong.\n" in done.stdout
    assert "Left out: patient (569 distinct texts, like an identifier)." in done.stdout
    found = json.loads(commands.unflip("rates", flipped_table, "--label", "tumor", "--json").stdout)
    assert dict(zip(found["classes"], found["rates"], strict=True)) == pytest.approx(
        {"benign": 0.3, "malignant": 0.1}, abs=0.1
    )
    assert list(found["left_out"]) == ["patient"]
    refused = commands.unflip("rates", flipped_table, "--label", "tumour")
    assert refused.returncode == 2
    assert refused.stderr == f"unflip: {flipped_table} has no column 'tumour'; did you mean 'tumor'?\n"
