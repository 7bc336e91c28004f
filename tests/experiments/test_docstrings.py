"""Every public name of the experiments documents its parameters and what it returns."""

import inspect
import pkgutil
from importlib import import_module

import pytest
from numpydoc.validate import validate
from test_public_names import NOT_ASKED

from unflip import experiments

MODULES = [found.name for found in pkgutil.walk_packages(experiments.__path__, "unflip.experiments.")]
IGNORED = NOT_ASKED - {"PR01", "PR02"}


def public_names():
    for module_name in MODULES:
        module = import_module(module_name)
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", None) != module_name:
                continue
            if inspect.isfunction(value) or inspect.isclass(value):
                yield f"{module_name}.{name}"
            if inspect.isclass(value):
                methods = (method for method in vars(value) if callable(getattr(value, method, None)))
                yield from (f"{module_name}.{name}.{method}" for method in methods if not method.startswith("_"))


@pytest.mark.parametrize("name", sorted(public_names()))
def test_docstrings_are_complete(name):
    problems = [problem for problem in validate(name)["errors"] if problem[0] not in IGNORED]
    assert problems == []
