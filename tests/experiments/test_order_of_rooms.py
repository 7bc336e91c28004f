"""Inside the experiments, imports go one way: plan, runs, statistics, tables, figures, files, outputs."""

import ast
from pathlib import Path

import pytest

from unflip import experiments

ORDER = ("plan", "runs", "statistics", "tables", "figures", "files", "outputs")
SOURCE = Path(experiments.__file__).parent
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def room_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(source):
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("unflip.experiments."):
                yield name.split(".")[2]


def test_every_way_to_import_a_room_is_seen():
    source = (
        "import unflip.experiments.plan.jobs\n"
        "from unflip.experiments import runs\n"
        "from unflip.experiments.tables.markup import Cell, Table\n"
        "def late():\n    from unflip.experiments.outputs import Outputs\n"
        "from unflip.noise import flipping\n"
    )
    assert sorted(imported_rooms(source)) == ["outputs", "plan", "runs", "tables", "tables"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_from_rooms_before_it(path):
    room = room_of(path)
    assert room in ORDER, f"{room} has no place in the order"
    for other in imported_rooms(path.read_text()):
        assert other in ORDER, f"{room} must not import {other} from unflip.experiments itself"
        assert ORDER.index(other) <= ORDER.index(room), f"{room} must not import {other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_outputs_writes_files(path):
    if room_of(path) not in ("files", "outputs"):
        assert "files" not in imported_rooms(path.read_text())
