"""The result store: one SQLite file, written job by job, so that a killed run loses only the job under way."""

from __future__ import annotations

import json
import platform
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from unflip.experiments.plan.jobs import Job
from unflip.foundation.checks import is_integer, is_number
from unflip.foundation.errors import UnflipError, UnwritableError
from unflip.foundation.text import first_line, truncate

PACKAGES = ("unflip", "numpy", "scipy", "scikit-learn", "numba")
SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, protocol TEXT, data TEXT, method TEXT, tau_plus REAL, tau_minus REAL, trial INTEGER,
    status TEXT NOT NULL, accuracies TEXT, details TEXT, seconds REAL, error TEXT,
    machine TEXT, versions TEXT, finished TEXT
) WITHOUT ROWID
"""
JOB_COLUMNS = ("protocol", "data", "method", "tau_plus", "tau_minus", "trial")
COLUMNS = (*JOB_COLUMNS, "status", "accuracy", "details", "seconds", "error")
STORED_COLUMNS = (
    "key", *JOB_COLUMNS, "status", "accuracies", "details", "seconds", "error", "machine", "versions", "finished",
)  # fmt: skip
ADVICE = {
    "full": "the disk is full; free some space and run the same command again, which resumes",
    "locked": "another program has locked it; close that program and run the same command again, which resumes",
    "readonly": "it is read-only; make it and its folder writable",
    "unable to open": "it, or its folder, was deleted or may not be written",
    "no such table": "it was replaced while the command ran; run the same command again",
    "disk I/O": "the disk failed, or the file was deleted; run the same command again, which resumes",
}
MAX_REASON = 1000  # characters of a stored reason
SECONDS_TO_WAIT = 60  # for other processes that write
# What reading a damaged file raises: SQLite's messages may quote bytes that are no text, and sizes that are too large.
DAMAGE = (sqlite3.Error, UnicodeDecodeError, MemoryError)


class Store:
    """Results by job. Several processes may write to the same file.

    Parameters
    ----------
    path : str or Path
        The SQLite file; created if it does not exist. A damaged one, or that of another program, is refused unchanged.
    """

    def __init__(self, path: str | PathLike[str]):
        self.path = str(path)
        if Path(path).is_symlink():
            raise UnwritableError(
                f"{path} is a link, and results are not written through links; choose another folder."
            )
        with self._connected("rwc") as connection:
            _check_structure(connection)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(SCHEMA)

    def add(
        self, job: Job, accuracies: Sequence[float | None], seconds: float, details: dict[str, Any] | None = None
    ) -> None:
        """Store the result of a job.

        Parameters
        ----------
        job : Job
            The finished job; an earlier result is replaced.
        accuracies : sequence of float or None
            The accuracy of each run.
        seconds : float
            Wall-clock time of the job.
        details : dict or None, default=None
            Anything else worth storing, as JSON.
        """
        self._write(job, "done", json.dumps(accuracies), json.dumps(details or {}), seconds, None)

    def add_failure(self, job: Job, error: BaseException, seconds: float) -> None:
        """Store that a job failed, and why.

        Parameters
        ----------
        job : Job
            The failed job; an earlier result is replaced.
        error : BaseException
            The reason.
        seconds : float
            Wall-clock time until the failure.
        """
        self._write(job, "failed", None, None, seconds, reason(error))

    def add_failures(self, jobs: Iterable[Job], error: BaseException) -> None:
        """Store that jobs failed before they began.

        Parameters
        ----------
        jobs : iterable of Job
            The jobs.
        error : BaseException
            The reason.
        """
        for job in jobs:
            self.add_failure(job, error, 0.0)

    def pending(self, jobs: Iterable[Job], *, retry: bool = False) -> list[Job]:
        """Return the jobs that have no result.

        Parameters
        ----------
        jobs : iterable of Job
            The jobs to look up.
        retry : bool, default=False
            Whether failed jobs are pending too.

        Returns
        -------
        pending : list of Job
            In the order given.
        """
        condition = "status = 'done'" if retry else "1"
        with self._connected() as connection:
            stored = {key for (key,) in connection.execute(f"SELECT key FROM results WHERE {condition}")}
        return [job for job in jobs if job.key not in stored]

    def table(self) -> pd.DataFrame:
        """Return all results.

        Returns
        -------
        results : DataFrame
            One row per run of each finished job; a failed job has one row without accuracy.
        """
        with self._connected() as connection:
            rows = connection.execute(
                f"SELECT {', '.join(JOB_COLUMNS)}, status, accuracies, details, seconds, error FROM results "
                "ORDER BY key"
            ).fetchall()
        table = pd.DataFrame(map(self._read, rows), columns=COLUMNS, dtype=object)
        table["fold"] = [list(range(len(values))) for values in table["accuracy"]]
        kinds = {"tau_plus": float, "tau_minus": float, "trial": int, "accuracy": float, "seconds": float, "fold": int}
        return table.explode(["accuracy", "fold"], ignore_index=True).astype(kinds)

    def _write(
        self, job: Job, status: str, accuracies: str | None, details: str | None, seconds: float, error: str | None
    ) -> None:
        row = {name: getattr(job, name) for name in JOB_COLUMNS} | {
            "key": job.key, "status": status, "accuracies": accuracies, "details": details, "seconds": seconds,
            "error": error, "machine": platform.platform(), "versions": json.dumps(_versions()),
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        }  # fmt: skip
        names = ", ".join(row)
        places = ", ".join(f":{name}" for name in row)
        with self._connected() as connection:
            connection.execute(f"INSERT OR REPLACE INTO results ({names}) VALUES ({places})", row)

    def _read(self, stored: Sequence[Any]) -> list[Any]:
        """Return a row of the file with its lists and dicts, or refuse one that no run wrote."""
        found = dict(zip(COLUMNS, stored, strict=True))
        try:
            for name, default in (("accuracy", [None]), ("details", {})):
                found[name] = json.loads(found[name]) if found[name] else default
        except (ValueError, TypeError, RecursionError):
            found["accuracy"] = None
        if not _is_result(found):
            job = truncate(repr(stored[: len(JOB_COLUMNS)]), 200)
            raise UnflipError(
                f"{self.path} was changed by another program: the result of {job} cannot be read; restore an earlier "
                "copy, or move the file away to start a new one."
            )
        return list(found.values())

    @contextmanager
    def _connected(self, mode: str = "rw") -> Iterator[sqlite3.Connection]:
        """Yield a connection whose changes are committed; only "rwc" creates the file."""
        address = f"{Path(self.path).absolute().as_uri()}?mode={mode}"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=SECONDS_TO_WAIT)) as connection, connection:
                yield connection
        except DAMAGE as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> UnflipError:
        text = first_line(error) if isinstance(error, sqlite3.Error) else "it is damaged"
        for words, advice in ADVICE.items():
            if words in text:
                return UnwritableError(f"{self.path} cannot be written: {advice}.")
        return UnflipError(
            f"{self.path} cannot be used as the store of results: {text}; move it away to start a new one."
        )


def reason(error: BaseException) -> str:
    """Return the reason of a failure in one line, whatever the error is made of.

    Parameters
    ----------
    error : BaseException
        The error, perhaps of a class of the user.

    Returns
    -------
    reason : str
        Its class and message.
    """
    try:
        message = str(error)
    except Exception:
        message = "an error without a message"
    printable = "".join(letter if letter.isprintable() else " " for letter in message[: 2 * MAX_REASON])
    return truncate(f"{type(error).__name__}: {' '.join(printable.split())}", MAX_REASON)


def _check_structure(connection: sqlite3.Connection) -> None:
    """Refuse a damaged file, and the database of another program, before anything is written into it."""
    damage = connection.execute("PRAGMA quick_check(1)").fetchone()
    if damage != ("ok",):
        raise sqlite3.DatabaseError(f"it is damaged ({first_line(damage[0])})")
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = [column[1] for column in connection.execute("PRAGMA table_info(results)")]
    if tables and columns != [*STORED_COLUMNS]:
        raise sqlite3.DatabaseError("it is a database of another program")


def _is_result(found: dict[str, Any]) -> bool:
    accuracies = found["accuracy"]
    return (
        all(isinstance(found[name], str) for name in ("protocol", "data", "method"))
        and all(is_number(found[name]) for name in ("tau_plus", "tau_minus", "seconds"))
        and is_integer(found["trial"])
        and found["status"] in ("done", "failed")
        and isinstance(found["error"], str | None)
        and isinstance(found["details"], dict)
        and isinstance(accuracies, list)
        and len(accuracies) > 0
        and all(value is None or is_number(value) for value in accuracies)
    )


@cache
def _versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
