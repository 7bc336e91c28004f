"""Amounts of memory as people write them."""

from __future__ import annotations

import re
from typing import Any

from unflip.foundation.checks import is_integer
from unflip.foundation.errors import refusal

UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
         "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}  # fmt: skip
WRITTEN = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?B)?\s*", re.IGNORECASE)
ACCEPTED = 'a number of bytes, or a text such as "500MB" or "2GB"'


def bytes_of(owner: object, parameter: str, value: Any) -> int:
    """Return a number of bytes.

    >>> bytes_of("me", "memory_budget", "1.5GB")
    1500000000
    """
    if is_integer(value) and value > 0:
        return int(value)
    found = WRITTEN.fullmatch(value) if isinstance(value, str) else None
    if found is None or not float(found[1]):
        raise refusal(owner, parameter, ACCEPTED, value)
    return int(float(found[1]) * UNITS[(found[2] or "").upper()])
