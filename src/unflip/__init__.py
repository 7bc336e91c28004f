"""Find wrong labels, and train despite them.

The public names load on first use, so that ``import unflip`` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from unflip.audit import LabelAudit, audit_table, find_label_issues
    from unflip.classifier import NoiseCorrectedClassifier, RobustKNeighborsClassifier
    from unflip.foundation.errors import UnflipError
    from unflip.noise import make_label_noise
    from unflip.noise_rates import NoiseRates, estimate_noise_rates

_HOMES = {
    "LabelAudit": "unflip.audit",
    "audit_table": "unflip.audit",
    "find_label_issues": "unflip.audit",
    "NoiseCorrectedClassifier": "unflip.classifier",
    "RobustKNeighborsClassifier": "unflip.classifier",
    "UnflipError": "unflip.foundation.errors",
    "make_label_noise": "unflip.noise",
    "NoiseRates": "unflip.noise_rates",
    "estimate_noise_rates": "unflip.noise_rates",
}

__all__ = [
    "LabelAudit",
    "NoiseCorrectedClassifier",
    "NoiseRates",
    "RobustKNeighborsClassifier",
    "UnflipError",
    "__version__",
    "audit_table",
    "estimate_noise_rates",
    "find_label_issues",
    "make_label_noise",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'unflip' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
