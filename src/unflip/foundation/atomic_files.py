"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
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
    partial = _hidden_name(path)
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


@contextmanager
def atomic_folder(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a hidden folder to write files to, which get their names together when all are written, or not at all.

    Parameters
    ----------
    folder : str or Path
        The folder, made if there is none. In one that exists, files of the same names are replaced, others stay.

    Yields
    ------
    partial : Path
        The hidden folder.
    """
    folder = Path(folder)
    made = [] if folder.is_dir() else [parent for parent in folder.parents if not parent.exists()]
    partial = folder / _hidden_name(folder).name if folder.is_dir() else _hidden_name(folder)
    try:
        partial.mkdir(parents=True)
        yield partial
        _move_in(partial, folder)
        made = []
    except UnwritableError as error:
        raise UnwritableError(str(error).replace(str(partial), str(folder))) from None
    except OSError as error:
        raise UnwritableError(f"{folder} cannot be written: {error.strerror or error}.") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        with suppress(OSError):
            for parent in made:
                parent.rmdir()


def _move_in(partial: Path, folder: Path) -> None:
    """Give the files of a hidden folder their names; if one of them cannot have it, all old files come back."""
    if not folder.is_dir():
        os.rename(partial, folder)
        return
    names, replaced, moves = sorted(os.listdir(partial)), partial / ".replaced", []
    replaced.mkdir()
    try:
        for name in names:
            if os.path.lexists(folder / name):
                moves.append((folder / name, replaced / name))
                os.rename(*moves[-1])
            moves.append((partial / name, folder / name))
            os.rename(*moves[-1])
    except BaseException:
        for source, target in reversed(moves):
            if os.path.lexists(target) and not os.path.lexists(source):
                os.rename(target, source)
        raise


def check_not_input(path: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str] | None]) -> None:
    """Refuse to write over a file that a command reads, under whatever name and through whatever link.

    Parameters
    ----------
    path : str or Path
        The file to write.
    inputs : iterable of str, Path or None
        The files that are read.
    """
    for given in inputs:
        if given is None:
            continue
        same = os.path.abspath(path) == os.path.abspath(given)
        if same or (os.path.exists(path) and os.path.exists(given) and os.path.samefile(path, given)):
            raise UnwritableError(f"{path} is the input {given}, which is never written over; choose another name.")


def _hidden_name(path: Path) -> Path:
    # Hidden, so that whoever lists the folder meanwhile does not take it for a result; not guessable, so that nobody
    # can put a link in its place.
    return path.parent / f".{path.name[:100]}.{secrets.token_hex(8)}.part"


def _opened(partial: Path, binary: bool) -> IO[Any]:
    if binary:
        return open(partial, "xb")
    return open(partial, "x", encoding="utf-8", newline="")


def _check_replaceable(path: Path) -> None:
    # Putting a file in the place of a device, /dev/null among them, would succeed for root.
    if path.exists() and not path.is_file():
        raise OSError("it is a folder" if path.is_dir() else "it is not an ordinary file")
