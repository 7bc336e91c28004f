"""The tree explains itself: rooms in order, a test beside every module, types on every public function."""

import ast
from pathlib import Path

import pytest

import unflip

# In the order of the data. `report` stands above `audit`, because LabelAudit.write_html calls it; the document that it
# shows is a plain dict.
ROOMS = (
    "foundation", "tables", "noise", "neighbors", "voting", "opinions", "noise_rates", "classifier", "report", "audit",
    "review", "baselines", "datasets", "theory", "experiments", "cli",
)  # fmt: skip
SOURCE = Path(unflip.__file__).parent
FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")
TESTS = Path(__file__).parent


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


def test_every_module_has_its_test_in_the_same_place():
    modules = [path.relative_to(SOURCE) for path in FILES if path.name not in ("__init__.py", "__main__.py")]
    assert [str(path) for path in modules if not (TESTS / path.parent / f"test_{path.name}").exists()] == []


def public_functions(path):
    """Yield the functions and methods whose names do not begin with an underscore, compiled ones left out."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            decorators = " ".join(ast.unparse(decorator) for decorator in node.decorator_list)
            if "compiled" not in decorators and "intrinsic" not in decorators and "overload" not in decorators:
                yield node


def is_annotated(function):
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    arguments = [argument for argument in arguments if argument.arg not in ("self", "cls")]
    extra = [argument for argument in (function.args.vararg, function.args.kwarg) if argument is not None]
    return function.returns is not None and all(argument.annotation for argument in (*arguments, *extra))


def test_every_public_function_is_annotated():
    unannotated = [
        f"{path.relative_to(SOURCE)}:{function.name}"
        for path in FILES
        if "engines" not in path.parts  # their callers are compiled
        for function in public_functions(path)
        if not is_annotated(function)
    ]
    assert unannotated == []


def test_the_package_says_that_it_is_typed():
    assert (SOURCE / "py.typed").exists()
