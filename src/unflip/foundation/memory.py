"""How much memory is held and how much is left, and arrays in files, of which only what is being used is in memory."""

from __future__ import annotations

import mmap
import tempfile
from pathlib import Path
from typing import Any

import numpy as np


def mapped_array(shape: tuple[int, ...], dtype: Any, folder: Path | None = None) -> np.ndarray:
    """Return a new array in a file that vanishes with the array, even if the process is killed."""
    with tempfile.TemporaryFile(prefix="unflip-", dir=folder) as file:
        return np.memmap(file, dtype=np.dtype(dtype), mode="w+", shape=shape)


def release(array: np.ndarray) -> None:
    """Let go of the pages of an array in a file: what was written is in the file, and is read again when needed.

    Resident memory then stays within bounds however large the file; arrays in memory are left alone.
    """
    owner: Any = array
    while isinstance(owner, np.ndarray):
        if isinstance(owner, np.memmap) and isinstance(getattr(owner, "_mmap", None), mmap.mmap):
            break
        owner = owner.base
    mapping = getattr(owner, "_mmap", owner)
    if isinstance(mapping, mmap.mmap) and hasattr(mapping, "madvise"):
        mapping.madvise(mmap.MADV_DONTNEED)


def resident_bytes() -> int | None:
    """Return how much memory this process holds, or None where the system does not say (other than Linux)."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * mmap.PAGESIZE


def available_bytes() -> int | None:
    """Return how much memory new work can take without swapping, or None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return None
