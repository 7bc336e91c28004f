"""Reading sources, from files beside the tests: every form, and OpenML."""

import bz2
from dataclasses import replace

import numpy as np
import pandas as pd
from sklearn.utils import Bunch

from unflip.datasets import CATALOG, fetch, load_raw
from unflip.datasets.catalog import Files, OpenML
from unflip.datasets.sources import read_source


def from_form(tiny, form, *paths):
    return read_source(replace(CATALOG["tiny"], source=Files(tuple(path.as_uri() for path in paths), form)))


def test_every_form_of_source_gives_the_same_rows(tiny, tmp_path):
    whitespace, first, second = tmp_path / "whitespace", tmp_path / "first", tmp_path / "second"
    whitespace.write_text(" 1  0.1 y\n2 -0.25 n \n3 5 n\n4\t.001 y\n")
    first.write_text("1, 0.1,y\n2,-0.25,n\n")
    second.write_text("3,5,n\n4,1e-3,y\n")
    for X, y in (from_form(tiny, "whitespace", whitespace), from_form(tiny, "comma", first, second)):
        np.testing.assert_array_equal(X, tiny.X)
        np.testing.assert_array_equal(y, tiny.y)


def test_libsvm_files_plain_and_compressed(tiny, tmp_path):
    plain, compressed = tmp_path / "part", tmp_path / "part.t.bz2"
    plain.write_text("+1 1:1 2:0.1\n-1 1:2 2:-0.25\n")
    compressed.write_bytes(bz2.compress(b"-1 1:3 2:5\n+1 1:4 2:1e-3\n"))
    X, y = from_form(tiny, "libsvm", plain, compressed)
    np.testing.assert_array_equal(X, tiny.X)
    assert y.tolist() == ["1", "-1", "-1", "1"]


def test_a_question_mark_is_a_missing_value(tiny):
    tiny.source.write_text("1,?,y\n2,3,n\n")
    X, _ = read_source(CATALOG["tiny"])
    np.testing.assert_array_equal(X, [[1, np.nan], [2, 3]])


def test_an_openml_table_may_have_numbers_as_categories(tiny, monkeypatch):
    def fetch_openml(data_id, **options):
        assert data_id == 7
        assert options["cache"] is False
        data = pd.DataFrame({"a": pd.Categorical(["1", "2", "3", "4"]), "b": tiny.X[:, 1]})
        return Bunch(data=data, target=pd.Series(["y", "n", "n", "y"], dtype="category"))

    monkeypatch.setattr("unflip.datasets.sources.fetch_openml", fetch_openml)
    monkeypatch.setitem(CATALOG, "tiny", replace(CATALOG["tiny"], source=OpenML(7)))
    fetch("tiny", data_home=tiny.folder)
    np.testing.assert_array_equal(load_raw("tiny", data_home=tiny.folder)[0], tiny.X)


def test_labels_are_renamed_after_the_recipe(tiny):
    def only_y(X, y):
        kept = y == "y"
        return X[kept], y[kept]

    X, y = read_source(replace(CATALOG["tiny"], recipe=only_y))
    np.testing.assert_array_equal(X, tiny.X[[0, 3]])
    assert y.tolist() == ["yes", "yes"]
