"""Learn from labels of which some are wrong.

The public names load on first use, so that ``import unflip`` costs next to nothing.
"""

from importlib import import_module

__version__ = "0.1.0"

_HOMES = {
    "LabelAudit": "unflip.audit",
    "find_label_issues": "unflip.audit",
    "RobustKNeighborsClassifier": "unflip.classifier",
    "NoiseRates": "unflip.noise_rates",
    "estimate_noise_rates": "unflip.noise_rates",
    "make_label_noise": "unflip.noise_model",
}

__all__ = [
    "LabelAudit",
    "NoiseRates",
    "RobustKNeighborsClassifier",
    "__version__",
    "estimate_noise_rates",
    "find_label_issues",
    "make_label_noise",
]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'unflip' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__():
    return sorted(__all__)
