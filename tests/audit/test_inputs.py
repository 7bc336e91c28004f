"""What an audit takes: arrays, tables of any library, labels and probabilities."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.metrics import average_precision_score, pairwise_distances
from sklearn.neighbors import kneighbors_graph
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unflip import LabelAudit, find_label_issues, make_label_noise
from unflip.tables import TableEncoder


def blobs(n=600, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, 2, n)
    return random.normal(size=(n, 3)) + 3 * y[:, None], y


def mixed(n=400, seed=0):
    random = np.random.RandomState(seed)
    y = random.randint(0, 2, n)
    table = pd.DataFrame(
        {
            "id": [f"c{i}" for i in range(n)],
            "size": random.normal(10 + 4 * y, 1),
            "color": np.array(["red", "blue", "green"])[(y + (random.random_sample(n) < 0.2)) % 3],
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(400 * y + random.randint(0, 300, n), unit="D"),
        },
        index=np.arange(n) + 1000,
    )
    table.loc[table.index[::10], "size"] = np.nan
    table.loc[table.index[3::10], "color"] = None
    return table, y


def test_tables_of_mixed_columns_are_encoded_and_pandas_polars_and_arrow_agree():
    table, y = mixed()
    noisy = make_label_noise(y, 0.1, random_state=0)
    audit = LabelAudit().fit(table, noisy)
    assert audit.issues_.index.tolist() == table.index.tolist()
    assert audit.feature_names_in_.tolist() == list(table)
    assert list(audit.report()["left_out"]) == ["id"]
    assert average_precision_score(noisy != y, audit.issues_["p_wrong"]) > 0.9
    polars_frame = pl.from_pandas(table)
    for other in (polars_frame, polars_frame.to_arrow()):
        assert find_label_issues(other, noisy)["p_wrong"].tolist() == audit.issues_["p_wrong"].tolist()


def test_an_encoder_names_columns_to_drop_and_is_left_as_it_was():
    table, y = mixed()
    encoder = TableEncoder(drop=["color"])
    audit = LabelAudit(encoder=encoder).fit(table, y)
    assert audit.report()["left_out"]["color"] == "dropped, as requested"
    assert not hasattr(encoder, "used")
    assert clone(audit).encoder.drop == ["color"]


def test_labels_of_any_kind_keep_their_kind():
    X, y = blobs()
    noisy = make_label_noise(y, 0.1, random_state=0)
    numbers = find_label_issues(X, noisy)
    words = np.array(["no", "yes"])[noisy]
    kinds = (words, pd.Series(words, dtype="category"), noisy.astype(bool), noisy + 0.0, pl.Series(words.tolist()))
    for labels in kinds:
        issues = find_label_issues(X, labels)
        assert issues["p_wrong"].tolist() == numbers["p_wrong"].tolist()
        assert issues["given_label"].tolist() == list(labels)


def test_probabilities_that_are_none_are_refused():
    X, y = blobs(20)
    for bad, said in (
        (np.ones((20, 3)) / 3, r"of shape \(20, 2\), a column per class"),
        (np.ones((20, 2)), "probabilities that sum to 1"),
        (np.tile([1.5, -0.5], (20, 1)), "probabilities that sum to 1"),
    ):
        with pytest.raises(ValueError, match=said):
            LabelAudit().fit(X, y, pred_probs=bad)
    with pytest.raises(ValueError, match="rows, or None if there are pred_probs"):
        LabelAudit().fit(None, y)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (np.r_[np.ones(19), np.nan], "labels without gaps"),
        (np.r_[np.ones(19), np.inf], "Input y contains infinity"),
        (np.array(["a"] * 19 + [None], dtype=object), "labels without gaps, got '1 missing, the first in row 19'"),
        (np.array(["a"] * 20), "two classes or more"),
        (np.array(["a", 1] * 10, dtype=object), "labels of one kind"),
        (np.array(["a"] * 10 + ["b"] * 9), "inconsistent"),
    ],
)
def test_labels_that_cannot_be_used_are_refused_in_one_sentence(labels, said):
    X, _ = blobs(20)
    with pytest.raises(ValueError, match=said):
        LabelAudit().fit(X, labels)


def test_any_transformer_can_encode_tables_and_arrays():
    table, y = mixed()
    numbers = table[["size"]].assign(noise=np.random.RandomState(1).normal(size=len(table)) * 1000)
    encoder = make_pipeline(SimpleImputer(), StandardScaler())
    by_frame = LabelAudit(encoder=encoder).fit(numbers, y)
    by_array = LabelAudit(encoder=encoder).fit(numbers.to_numpy(), y)
    by_hand = LabelAudit().fit(clone(encoder).fit_transform(numbers), y)
    for audit in (by_frame, by_array):
        assert audit.issues_["p_wrong"].tolist() == by_hand.issues_["p_wrong"].tolist()
    assert by_array.n_features_in_ == 2
    with pytest.raises(ValueError, match="NaN"):
        LabelAudit().fit(numbers.to_numpy(), y)


def test_precomputed_distances_give_what_the_rows_do():
    X = np.random.RandomState(0).normal(size=(150, 3))
    y, pairs = (X[:, 0] > 0).astype(int), pairwise_distances(X)
    audit = LabelAudit(metric="precomputed").fit(pairs, y)
    assert audit.issues_["p_wrong"].tolist() == LabelAudit(model=None).fit(X, y).issues_["p_wrong"].tolist()
    assert audit.report()["map"] is None
    assert audit.report()["columns"] == []
    stored = kneighbors_graph(X, 60, mode="distance")
    few = LabelAudit(metric="precomputed", n_neighbors=20).fit(stored, y)
    assert few.issues_["n_neighbors"].tolist() == [20] * 150
