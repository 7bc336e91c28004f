"""Unknown names get a hint, and duplicate names are refused."""

import pandas as pd
import pytest

from unflip import UnflipError
from unflip.tables import TableError
from unflip.tables.errors import check_names, hint


def test_a_misspelt_name_gets_the_closest_one():
    assert hint("colour", ["size", "color"]) == "did you mean 'color'?"
    assert hint(21, [20, 210]) == "did you mean '210'?"


def test_an_unrelated_name_gets_the_first_twenty():
    assert hint("zebra", ["a", 1]) == "the columns are 'a', '1'."
    listed = hint("zebra", [f"c{i:02}" for i in range(30)])
    assert "'c19'" in listed
    assert "'c20'" not in listed


def test_duplicate_names_are_refused_also_if_they_differ_in_type():
    check_names(pd.DataFrame(columns=["a", "b", 1]), "t.csv")
    with pytest.raises(TableError, match=r"^t\.csv has two columns 'b'; rename one of them\.$"):
        check_names(pd.DataFrame(columns=["a", "b", "b"]), "t.csv")
    with pytest.raises(TableError, match=r"^The table has two columns '1'; rename one of them\.$"):
        check_names(pd.DataFrame(columns=[1, "1"]), "The table")


def test_a_table_error_is_an_unflip_error():
    assert issubclass(TableError, UnflipError)
