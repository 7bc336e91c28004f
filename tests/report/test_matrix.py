"""The matrix of flagged labels, with counts and shades worked by hand."""

from hypothesis import given
from hypothesis import strategies as st

from unflip.report.matrix import flagged_matrix, shade


def matrix(counts):
    return flagged_matrix({"flagged": counts, "classes": [f"c{i}" for i in range(len(counts))]})


def test_counts_and_shades_by_hand():
    found = matrix([[0, 16, 0], [1, 0, 0], [0, 0, 0]])
    assert found["columns"] == ["c0", "c1"]
    assert [(row["name"], row["total"]) for row in found["rows"]] == [("c0", 16), ("c1", 1)]
    # 8 sqrt(16 / 16) = 8 and 8 sqrt(1 / 16) = 2
    assert [[cell["shade"] for cell in row["cells"]] for row in found["rows"]] == [[0, 8], [2, 0]]
    assert [[cell["same"] for cell in row["cells"]] for row in found["rows"]] == [[True, False], [False, True]]
    assert (found["n_involved"], found["n_shown"], found["total"]) == (2, 17, 17)


def test_a_class_that_is_only_suggested_is_shown():
    assert matrix([[0, 0, 3], [0, 0, 0], [0, 0, 0]])["columns"] == ["c0", "c2"]


def test_the_twelve_classes_with_the_most_flagged_labels_are_shown_in_their_order():
    # Class c is confused with class c + 1, c + 1 times; classes 3 to 14 have the largest sums
    counts = [[c + 1 if other == c + 1 else 0 for other in range(15)] for c in range(15)]
    found = matrix(counts)
    assert found["columns"] == [f"c{c}" for c in range(3, 15)]
    assert found["n_involved"] == 15
    assert found["total"] == sum(range(1, 15))
    assert found["n_shown"] == sum(range(4, 15))


def test_without_flagged_labels_there_are_no_rows():
    assert matrix([[0, 0], [0, 0]])["rows"] == []


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_shades_grow_with_the_count(count, max_count):
    found = shade(min(count, max_count), max_count)
    assert 0 <= found <= 8
    assert (found == 0) == (min(count, max_count) == 0)
    assert shade(max_count, max_count) == (8 if max_count else 0)
