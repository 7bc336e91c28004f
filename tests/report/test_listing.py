"""The listed suspects and the data for the script, worked by hand."""

import json

import pytest

from report import documents
from unflip.report import listing as room
from unflip.report.listing import display, fit_to_size, given_labels, listing, script_data, share_texts


@pytest.fixture
def document():
    document = documents.sized(2, 3, 2)
    document["rows"] = {"0": ["Oslo", "a\r\nb"], "1": ["Oslo", "1"], "2": ["Bergen", "2"], "3": ["Oslo", "3"]}
    document["rows"] |= {"4": ["Bergen", "x" * 50]}
    return document


def test_an_entry_shows_the_labels_the_probability_and_the_agreement(document):
    first, second = listing(document, document["suspects"], 40)
    assert first == {
        "rank": 1, "row": 0, "given": "active", "suggested": "churned", "p_wrong": ">0.99", "bar": 100,
        "agree": "0 of 35", "sentence": document["suspects"][0]["sentence"], "values": ["Oslo", "a\nb"],
    }  # fmt: skip
    assert (second["rank"], second["row"], second["values"][1]) == (2, 4, "x" * 39 + "…")


def test_probabilities_agree_with_every_other_text(document):
    document["suspects"][0]["p_wrong"] = 0.994
    document["suspects"][0]["neighbors"][0]["p_wrong"] = 0.004
    assert listing(document, document["suspects"], 40)[0]["p_wrong"] == "0.99"
    assert json.loads(script_data(document, document["suspects"], 40))["neighbors"][0][0][3] == "<0.01"


def test_given_labels_are_counted():
    document = documents.sized(5, 1, 1, n_classes=2)
    assert given_labels(document, document["suspects"]) == [
        {"number": 0, "name": "active", "count": 3},
        {"number": 1, "name": "churned", "count": 2},
    ]


def test_the_script_gets_sort_keys_neighbors_and_their_values(document):
    data = json.loads(script_data(document, document["suspects"], 40))
    assert data["keys"] == [[1, 0, 0, 1, 0.999, 0.0], [2, 4, 1, 2, 0.998, round(1 / 35, 4)]]
    assert data["neighbors"][0] == [[1, "0.1", 1, "0.02"], [2, "0.211", 1, "0.02"], [3, "0.322", 1, "0.02"]]
    assert data["names"] == {"0": "active", "1": "churned", "2": "paused"}
    assert data["texts"] == ["Oslo"]
    assert data["rows"] == {"1": [0, "1"], "2": ["Bergen", "2"], "3": [0, "3"], "5": [], "6": [], "7": []}


def test_a_suspect_among_the_neighbors_is_not_stored_twice(document):
    document["suspects"][0]["neighbors"][0]["row"] = 4
    assert "4" not in json.loads(script_data(document, document["suspects"], 40))["rows"]


def test_infinite_distances_are_blank(document):
    document["suspects"][0]["neighbors"][0]["distance"] = float("inf")
    assert json.loads(script_data(document, document["suspects"], 40))["neighbors"][0][0][1] == ""


def test_the_data_cannot_end_its_script_element(document):
    document["rows"]["1"] = ["</script><b>&\u2028\u2029", ""]
    data = script_data(document, document["suspects"], 40)
    assert not set("<>&\u2028\u2029") & set(data)
    assert json.loads(data)["rows"]["1"][0] == "</script><b>&\u2028\u2029"


def test_repeated_texts_are_stored_once_the_most_frequent_first():
    texts, rows = share_texts({3: ["a", "b", "c"], 8: ["b", "a", "b"]})
    assert texts == ["b", "a"]
    assert rows == {3: [1, 0, "c"], 8: [0, 1, 0]}


def test_values_are_truncated_with_line_breaks_as_html_has_them():
    assert display("a\r\nb\rc", 10) == "a\nb\nc"
    assert display(1234567, 4) == "123…"


def test_values_and_neighbors_are_reduced_until_the_page_is_small(monkeypatch):
    document = documents.sized(2, 10, 1)
    document["rows"] = {row: ["x" * 100] for row in document["rows"]}  # 22 rows
    for max_characters, expected in (
        (2200, (2000, 10)),
        (2199, (80, 10)),
        (880, (40, 10)),
        (879, (40, 5)),
        (0, (20, 3)),
    ):
        monkeypatch.setattr(room, "MAX_CHARACTERS", max_characters)
        max_length, listed = fit_to_size(document, document["suspects"])
        assert (max_length, len(listed[0]["neighbors"])) == expected
    assert len(document["suspects"][0]["neighbors"]) == 10
