"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from unflip.foundation.errors import UnwritableError


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file that gets its name only when everything is written and on the disk; a failure leaves nothing.

    Parameters
    ----------
    path : str or Path
        The name; a file that has it is replaced. A symbolic link is replaced too, its target is not touched.
    binary : bool, default=False
        Whether bytes are written; otherwise text, as UTF-8, with line ends as given.

    Yields
    ------
    file : file
        To write to.
    """
    path = Path(path)
    # Hidden, so that whoever lists the folder meanwhile does not take it for a result; not guessable, so that nobody
    # can put a link in its place.
    partial = path.parent / f".{path.name[:100]}.{secrets.token_hex(8)}.part"
    try:
        _check_replaceable(path)
        with _opened(partial, binary) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except UnwritableError:
        raise
    except OSError as error:
        raise UnwritableError(f"{path} cannot be written: {error.strerror or error}.") from None
    finally:
        with suppress(OSError):
            partial.unlink()


def _opened(partial: Path, binary: bool) -> IO[Any]:
    if binary:
        return open(partial, "xb")
    return open(partial, "x", encoding="utf-8", newline="")


def _check_replaceable(path: Path) -> None:
    # Putting a file in the place of a device, /dev/null among them, would succeed for root.
    if path.exists() and not path.is_file():
        raise OSError("it is a folder" if path.is_dir() else "it is not an ordinary file")
