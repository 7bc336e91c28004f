"""Results of jobs in one SQLite file: written as they come, so that a killed run loses only the job it was at."""

from __future__ import annotations

import json
import platform
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version

import pandas as pd

VERSIONS_OF = ("unflip", "numpy", "scipy", "scikit-learn", "numba")
SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, protocol TEXT, data TEXT, method TEXT, tau_plus REAL, tau_minus REAL, trial INTEGER,
    status TEXT NOT NULL, accuracies TEXT, details TEXT, seconds REAL, error TEXT,
    machine TEXT, versions TEXT, finished TEXT
) WITHOUT ROWID
"""
FIELDS = ("protocol", "data", "method", "tau_plus", "tau_minus", "trial")


class Store:
    """Results by job; several processes may write to the same file.

    Parameters
    ----------
    path : str or Path
        The file; made where it does not exist.
    """

    def __init__(self, path):
        self.path = str(path)
        with closing(self._connect()) as connection, connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(SCHEMA)

    def add(self, job, accuracies, seconds, details=None):
        """Keep the accuracies of a job's runs, and what else is to be remembered of it."""
        self._write(job, "done", json.dumps(accuracies), json.dumps(details or {}), seconds, None)

    def add_failure(self, job, error, seconds):
        """Keep that a job failed, and why."""
        self._write(job, "failed", None, None, seconds, f"{type(error).__name__}: {error}")

    def pending(self, jobs, *, retry=False):
        """Return the jobs that have no result; with retry also those that failed."""
        kept = "status = 'done'" if retry else "1"
        with closing(self._connect()) as connection:
            known = {key for (key,) in connection.execute(f"SELECT key FROM results WHERE {kept}")}
        return [job for job in jobs if job.key not in known]

    def table(self):
        """Return all results, one row per run of a job that is done; failures have one row without accuracy."""
        with closing(self._connect()) as connection:
            rows = connection.execute(
                f"SELECT {', '.join(FIELDS)}, status, accuracies, details, seconds, error FROM results ORDER BY key"
            ).fetchall()
        table = pd.DataFrame(rows, columns=[*FIELDS, "status", "accuracy", "details", "seconds", "error"], dtype=object)
        for name, nothing in (("accuracy", [None]), ("details", {})):
            table[name] = [json.loads(text) if text else nothing for text in table[name]]
        table["fold"] = [list(range(len(values))) for values in table["accuracy"]]
        kinds = {"tau_plus": float, "tau_minus": float, "trial": int, "accuracy": float, "seconds": float, "fold": int}
        return table.explode(["accuracy", "fold"], ignore_index=True).astype(kinds)

    def _write(self, job, status, accuracies, details, seconds, error):
        row = {name: getattr(job, name) for name in FIELDS} | {
            "key": job.key, "status": status, "accuracies": accuracies, "details": details, "seconds": seconds,
            "error": error, "machine": platform.platform(), "versions": json.dumps(_versions()),
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        }  # fmt: skip
        names = ", ".join(row)
        places = ", ".join(f":{name}" for name in row)
        with closing(self._connect()) as connection, connection:
            connection.execute(f"INSERT OR REPLACE INTO results ({names}) VALUES ({places})", row)

    def _connect(self):
        return sqlite3.connect(self.path, timeout=60)


@cache
def _versions():
    return {"python": platform.python_version()} | {name: version(name) for name in VERSIONS_OF}
