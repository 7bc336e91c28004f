"""The decisions of a person in one SQLite file: only appended to, and on disk before they are acknowledged."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from unflip.foundation.errors import UnflipError
from unflip.review.refusals import Conflict

# Classes are stored as JSON, not as numbers: an audit made again may number them otherwise.
SCHEMA = """
CREATE TABLE IF NOT EXISTS audits (sha256 TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, opened TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    row INTEGER NOT NULL,
    given TEXT NOT NULL,
    decided TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('accept', 'keep', 'choose', 'skip', 'undo')),
    made TEXT NOT NULL,
    audit TEXT NOT NULL REFERENCES audits (sha256)
);
CREATE TRIGGER IF NOT EXISTS no_change BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are only appended'); END;
CREATE TRIGGER IF NOT EXISTS no_removal BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are only appended'); END;
"""


class Entry(NamedTuple):
    """A line of the log; classes as JSON, decided None for a skip and an undo."""

    id: int
    row: int
    given: str
    decided: str | None
    kind: str
    made: str


def replay(entries):
    """Return the decision that holds for each row: an undo takes back the newest one of its row.

    >>> first = Entry(1, 17, '"a"', '"b"', "accept", "")
    >>> replay([first, Entry(2, 17, '"a"', None, "skip", ""), Entry(3, 17, '"a"', None, "undo", "")]) == {17: first}
    True
    """
    stacks = {}
    for entry in entries:
        stack = stacks.setdefault(entry.row, [])
        if entry.kind != "undo":
            stack.append(entry)
        elif stack:
            stack.pop()
    return {row: stack[-1] for row, stack in stacks.items() if stack}


class Log:
    """The log of one audit; several threads and processes may write to the same file.

    Parameters
    ----------
    path : str or Path
        The file; made where it does not exist.
    document : Document
        The audit; refused if the log was begun with one that has other suspects.
    """

    def __init__(self, path, document):
        self.path = Path(path)
        self.document = document
        self._lock = Lock()
        try:
            self._connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
            self._begin(document)
        except sqlite3.Error as error:
            raise UnflipError(f"{path} cannot be used as the log of decisions: {error}.") from None

    def _begin(self, document):
        try:
            # FULL: with WAL the default would put off the write to disk until after the acknowledgment.
            self._connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;" + SCHEMA)
            self._admit(document)
        except BaseException:
            self._connection.close()  # which leaves one file, to be moved away whole
            raise

    def entries(self):
        """Return all lines, oldest first."""
        with self._lock:
            return self._entries()

    def append(self, row, given, decided, kind):
        """Add a decision; when this returns, it is on disk."""
        with self._transaction():
            self._insert(row, given, decided, kind)

    def undo(self, entry_id):
        """Take back a decision that still holds."""
        with self._transaction():
            holding = {entry.id: entry for entry in replay(self._entries()).values()}
            if entry_id not in holding:
                raise Conflict("This decision was already taken back or replaced, perhaps on another page.")
            entry = holding[entry_id]
            self._insert(entry.row, entry.given, None, "undo")

    def close(self):
        """Fold the write-ahead log into the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self):
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _entries(self):
        found = self._connection.execute("SELECT id, row, given, decided, kind, made FROM decisions ORDER BY id")
        return [Entry(*line) for line in found]

    def _insert(self, row, given, decided, kind):
        made = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._connection.execute(
            "INSERT INTO decisions (row, given, decided, kind, made, audit) VALUES (?, ?, ?, ?, ?, ?)",
            (row, given, decided, kind, made, self.document.sha256),
        )

    def _admit(self, document):
        with self._transaction():
            begun_with = self._connection.execute(
                "SELECT fingerprint FROM decisions JOIN audits ON sha256 = audit ORDER BY id DESC LIMIT 1"
            ).fetchone()
            if begun_with not in (None, (document.fingerprint,)):
                raise UnflipError(
                    f"{self.path} holds decisions about another audit: since then, other suspects or labels were "
                    f"written to audit.json. Move {self.path.name} away to review these, or put the old audit.json "
                    "back; 'unflip audit --out' with a folder for each audit keeps both."
                )
            self._connection.execute(
                "INSERT OR IGNORE INTO audits VALUES (?, ?, ?)",
                (document.sha256, document.fingerprint, datetime.now(UTC).isoformat(timespec="milliseconds")),
            )
