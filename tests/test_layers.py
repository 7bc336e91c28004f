"""A room imports only from rooms above it."""

import ast
from pathlib import Path

import pytest

import unflip

# In the order of the data. `report` stands above `audit`, because LabelAudit.write_html calls it; the document that it
# shows is a plain dict.
ROOMS = (
    "foundation", "tables", "noise", "neighbors", "voting", "noise_rates", "classifier", "report", "audit", "review",
    "baselines", "datasets", "theory", "experiments", "cli",
)  # fmt: skip
SOURCE = Path(unflip.__file__).parent
FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def room_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path):
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "unflip" and len(parts) > 1 and parts[1] in ROOMS:
                yield parts[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_from_rooms_above_it(path):
    room = room_of(path)
    if room == "__main__":
        return
    assert room in ROOMS, f"{room} is not in the list of rooms"
    for other in imported_rooms(path):
        assert ROOMS.index(other) <= ROOMS.index(room), f"{room} must not import {other}"
