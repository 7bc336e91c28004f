"""The names that users call, and what importing them costs."""

import inspect
import subprocess
import sys

import pytest
from numpydoc.validate import validate

import unflip

PARAMETERS = [
    "n_neighbors", "noise_neighbors", "noise_rates", "noise_estimator", "selection", "decision", "weights", "metric",
    "metric_params", "algorithm", "executor", "n_jobs", "random_state",
]  # fmt: skip
METHODS = [
    "fit", "partial_fit", "predict", "predict_proba", "predict_noisy_proba", "decision_function", "score", "kneighbors",
    "kneighbors_graph", "explain",
]  # fmt: skip
AUDIT_METHODS = [
    "fit", "neighbors_of", "clean_labels", "suspects", "report", "write_html", "to_label_studio",
]  # fmt: skip
DOCUMENTED = [
    "unflip.LabelAudit",
    "unflip.audit_table",
    "unflip.find_label_issues",
    *(f"unflip.LabelAudit.{method}" for method in AUDIT_METHODS),
    "unflip.RobustKNeighborsClassifier",
    "unflip.NoiseRates",
    "unflip.NoiseRates.plot",
    "unflip.estimate_noise_rates",
    "unflip.make_label_noise",
    "unflip.datasets.fetch",
    "unflip.datasets.load_benchmark",
    "unflip.datasets.load_raw",
    "unflip.datasets.make_sine_product",
    "unflip.neighbors.ExactIndex",
    *(f"unflip.RobustKNeighborsClassifier.{method}" for method in METHODS if method != "score"),
]
# Sections that a short text does without, and rules on spelling that our sentences do not need.
NOT_ASKED = {"ES01", "SA01", "EX01", "GL01", "GL03", "SS05", "SS06", "RT02", "RT03", "SA04"}


def test_the_public_names():
    assert unflip.__all__ == [
        "LabelAudit", "NoiseCorrectedClassifier", "NoiseRates", "RobustKNeighborsClassifier", "UnflipError",
        "__version__", "audit_table", "estimate_noise_rates", "find_label_issues", "make_label_noise",
    ]  # fmt: skip
    assert dir(unflip) == sorted(unflip.__all__)
    for name in unflip.__all__:
        assert getattr(unflip, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = unflip.nothing


def test_the_classifier_has_its_parameters_and_methods():
    signature = inspect.signature(unflip.RobustKNeighborsClassifier)
    assert list(signature.parameters) == PARAMETERS
    keyword_only = [p.name for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert keyword_only == PARAMETERS[1:]
    for method in METHODS:
        assert callable(getattr(unflip.RobustKNeighborsClassifier, method))


@pytest.mark.parametrize("name", DOCUMENTED)
def test_public_docstrings_are_complete(name):
    problems = [problem for problem in validate(name)["errors"] if problem[0] not in NOT_ASKED]
    assert problems == []


@pytest.mark.parametrize(
    "command", ["import unflip", "from unflip.cli import main; main(['--help'], standalone_mode=False)"]
)
def test_starting_costs_little(command):
    """Under 0.3 s of CPU beyond Python itself; the best of five, because other work slows the first."""
    program = (
        f"import sys, time; start = time.process_time(); {command}; print(time.process_time() - start, file=sys.stderr)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stderr)
        for _ in range(5)
    ]
    assert min(times) < 0.3


def test_importing_the_package_loads_no_heavy_library():
    program = (
        "import sys, unflip; print([name for name in ('numpy', 'sklearn', 'numba', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_versions_agree():
    from importlib.metadata import version

    assert version("unflip") == unflip.__version__
