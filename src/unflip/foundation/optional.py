"""Optional dependencies: imported where they are used, and named with the line that installs them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from unflip.foundation.errors import MissingExtraError


def optional(module: str, extra: str, owner: str) -> Any:
    """Import a module that only an extra installs, or say how to install it."""
    try:
        return import_module(module)
    except ImportError:
        missing = module.split(".")[0]
        raise MissingExtraError(
            f"{owner} needs {missing!r}, which is not installed. Install it with: pip install 'unflip[{extra}]'"
        ) from None
