"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def written_whole(path, *, binary=False):
    """Open a file that gets its name only when all is written and on the disk; on any failure nothing is left.

    Parameters
    ----------
    path : str or Path
        The name; a file that has it is replaced.
    binary : bool, default=False
        Whether bytes are written; otherwise text, as UTF-8 and with the ends of lines that are given.

    Yields
    ------
    file : file
        To write to.
    """
    path = Path(path)
    # Hidden, so that whoever lists the folder meanwhile does not take it for a result.
    partial = path.parent / f".{path.name}.{os.getpid()}.part"
    try:
        _check_replaceable(path)
        with open(partial, "wb") if binary else open(partial, "w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror or error}.") from None
    finally:
        with suppress(OSError):
            partial.unlink()


def _check_replaceable(path):
    # Putting a file in the place of a device, /dev/null among them, would succeed for root.
    if path.exists() and not path.is_file():
        raise OSError("it is a folder" if path.is_dir() else "it is not an ordinary file")
