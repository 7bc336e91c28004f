"""Worker processes that end with the process that started them, however it ends."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from typing import Any

from joblib import Parallel
from joblib.externals.loky.backend.reduction import dumps
from joblib.parallel import get_active_backend

from unflip.foundation.errors import UnflipError

SECONDS_BETWEEN_LOOKS = 0.5


def in_workers(calls: Iterable[Any], *, n_jobs: int) -> Iterator[Any]:
    """Yield the results of delayed calls as they arrive; a backend that the caller set is respected.

    Parameters
    ----------
    calls : iterable
        What `joblib.delayed` makes.
    n_jobs : int
        Number of worker processes.

    Yields
    ------
    result : object
        In the order of arrival.
    """
    watching = {"initializer": end_with_parent, "initargs": (os.getpid(),)} if _starts_processes() else {}
    try:
        yield from Parallel(n_jobs=n_jobs, return_as="generator_unordered", **watching)(calls)
    except BrokenExecutor:
        raise UnflipError(
            "reproduce: a worker process was killed, perhaps for lack of memory; finished jobs are stored: run the "
            "same command again with fewer '--jobs'."
        ) from None


def _starts_processes() -> bool:
    return type(get_active_backend()[0]).__name__ == "LokyBackend"


def end_with_parent(parent: int) -> None:
    """Watch the parent process from a thread, and end this one as soon as it is gone.

    Parameters
    ----------
    parent : int
        Its process id. A killed parent tells nobody, and its workers would finish their jobs and wait for more.
    """
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def can_be_sent(function: Callable[..., Any] | None) -> bool:
    """Tell whether a function can be sent to a worker process.

    Parameters
    ----------
    function : callable or None
        A function of a user.

    Returns
    -------
    can : bool
        Whether pickling it succeeds; what fails there is not ours to know.
    """
    try:
        dumps(function)
    except Exception:
        return False
    return True
