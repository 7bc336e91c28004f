"""Public names of the room have complete docstrings."""

import pytest
from numpydoc.validate import validate

from unflip import tables

# Sections that a short docstring does without, and spelling rules that do not apply here.
NOT_REQUIRED = {"ES01", "SA01", "EX01", "GL01", "GL03", "SS05", "SS06", "RT02", "RT03", "SA04"}
METHODS = ["TableEncoder.fit", "TableEncoder.transform", "TableEncoder.get_feature_names_out", "LabeledTable.encode"]


@pytest.mark.parametrize("name", [*(name for name in tables.__all__ if name != "TableError"), *METHODS])
def test_public_docstrings_are_complete(name):
    errors = [error for error in validate(f"unflip.tables.{name}")["errors"] if error[0] not in NOT_REQUIRED]
    assert errors == []
