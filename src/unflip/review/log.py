"""The decision log: an append-only SQLite file; a decision is on disk before it is acknowledged."""

from __future__ import annotations

import os
import sqlite3
import stat
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from operator import attrgetter
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from unflip.foundation.errors import UnflipError
from unflip.foundation.text import first_line
from unflip.review.document import Document, class_key
from unflip.review.errors import Conflict, NotSaved

# What reading a damaged file raises: SQLite's messages may quote bytes that are no text, and sizes that are too large.
DAMAGE = (sqlite3.Error, UnicodeDecodeError, MemoryError)
# Seconds to wait for a lock of another program: readers have the entries in memory, writers are told.
READ_PATIENCE, WRITE_PATIENCE, OPEN_PATIENCE = 0.05, 1.0, 5.0

# Classes are stored as JSON, not as numbers: a repeated audit may number them differently.
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
    """One entry of the log; classes are JSON, and decided is None for a skip or an undo."""

    id: int
    row: int
    given: str
    decided: str | None
    kind: str
    made: str


def replay(entries: Iterable[Entry]) -> dict[int, Entry]:
    """Return the current decision of each row; an undo removes the latest one of its row.

    >>> first = Entry(1, 17, '"a"', '"b"', "accept", "")
    >>> replay([first, Entry(2, 17, '"a"', None, "skip", ""), Entry(3, 17, '"a"', None, "undo", "")]) == {17: first}
    True
    """
    stacks: dict[int, list[Entry]] = {}
    for entry in entries:
        stack = stacks.setdefault(entry.row, [])
        if entry.kind != "undo":
            stack.append(entry)
        elif stack:
            stack.pop()
    return {row: stack[-1] for row, stack in stacks.items() if stack}


class Log:
    """The decision log of one audit; several threads and processes may write to the same file.

    Entries are kept in memory: reading never waits for a lock that another program holds. The file is not in
    write-ahead mode, so that every acknowledged decision is in the file itself and not in another one beside it.

    Parameters
    ----------
    path : str or Path
        The file; it is created if it does not exist.
    document : Document
        The audit; refused if the log has decisions about an audit with other suspects.
    """

    def __init__(self, path: str | PathLike[str], document: Document):
        self.path = Path(path)
        self.document = document
        self._lock = Lock()
        self._known: list[Entry] = []
        self._classes = frozenset(map(class_key, document.classes))
        self._check_no_links()
        try:
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._open(document)
        except DAMAGE as error:
            advice = _advice(error, "move it away to start a new one")
            raise UnflipError(f"{path} cannot be used as the decision log: {advice}.") from None
        found = self._found()
        self._identity = _identity(found) if found else None

    def _open(self, document: Document) -> None:
        try:
            self._wait(OPEN_PATIENCE)
            self._check_structure()
            with suppress(sqlite3.OperationalError):  # an earlier version has the file open in write-ahead mode
                self._connection.execute("PRAGMA journal_mode=DELETE")
            # EXTRA: the commit, and the removal of the journal that could undo it, are on disk when it returns.
            self._connection.execute("PRAGMA synchronous=EXTRA")
            self._connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")
            self._admit(document)
            self._catch_up()
        except BaseException:
            self._connection.close()  # leaves a single file that can be moved away
            raise

    def entries(self, after: int = 0) -> list[Entry]:
        """Return the entries after one, oldest first; if the file is locked, those that are known."""
        if self._lock.acquire(blocking=False):
            try:
                self._refresh()
            finally:
                self._lock.release()
        return self._after(after)

    def _after(self, entry_id: int) -> list[Entry]:
        return self._known[bisect_right(self._known, entry_id, key=attrgetter("id")) :]

    def append(self, row: int, given: str, decided: str | None, kind: str) -> None:
        """Append a decision; it is on disk when this returns."""
        with self._saving() as saved:
            saved.append(self._insert(row, given, decided, kind))

    def undo(self, entry_id: int) -> None:
        """Undo a current decision."""
        with self._saving() as saved:
            current = {entry.id: entry for entry in replay(self._known).values()}
            if entry_id not in current:
                raise Conflict("This decision was already undone or replaced, perhaps on another page.")
            entry = current[entry_id]
            saved.append(self._insert(entry.row, entry.given, None, "undo"))

    def problem(self) -> str | None:
        """Return why the file is not, or no longer, the one that decisions are saved in; None if it is."""
        found = self._found()
        if found is None or _identity(found) != self._identity:
            return (
                "the file was deleted or replaced during the review; put it back and decide again, or save "
                "decisions.csv from the page and start 'unflip review' again"
            )
        if not stat.S_IMODE(found.st_mode) & 0o222:
            return "the file is read-only; make it writable and decide again"
        return None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _saving(self) -> Iterator[list[Entry]]:
        """Yield a list for the entries that are inserted; refuse if one of them is not in the file in the end."""
        saved: list[Entry] = []
        with self._lock:
            self._check_file()
            try:
                with self._transaction():
                    self._catch_up()
                    yield saved
                self._check_file()
                self._catch_up()
            except DAMAGE as error:
                raise self._not_saved(_advice(error, "earlier decisions are kept")) from None
            if any(self._after(entry.id - 1)[:1] != [entry] for entry in saved):
                raise self._not_saved("something in the file drops new entries; move it away and start again")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._wait(WRITE_PATIENCE)
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._connection.rollback()
            raise

    def _refresh(self) -> None:
        """Read what other processes appended; what cannot be read now is read later."""
        if self.problem() is None:
            self._wait(READ_PATIENCE)
            with suppress(*DAMAGE, UnflipError):
                self._catch_up()

    def _catch_up(self) -> None:
        last = self._known[-1].id if self._known else 0
        found = self._connection.execute(
            "SELECT id, row, given, decided, kind, made FROM decisions WHERE id > ? ORDER BY id", (last,)
        )
        self._known += [self._checked(Entry(*line)) for line in found.fetchall()]

    def _checked(self, entry: Entry) -> Entry:
        """Return an entry, or refuse one that no review of this audit can have written."""
        suspect = self.document.by_row.get(entry.row) if isinstance(entry.row, int) else None
        has_class = entry.decided is not None and entry.decided in self._classes
        if (
            suspect is None
            or entry.given != class_key(self.document.classes[suspect.given])
            or has_class != (entry.kind in ("accept", "keep", "choose"))
            or (entry.decided is not None and not has_class)
            or not isinstance(entry.made, str)
        ):
            raise UnflipError(
                f"{self.path} was changed by another program: entry {entry.id} does not fit the audit; restore an "
                f"earlier copy, or move {self.path.name} away to start a new one."
            )
        return entry

    def _insert(self, row: int, given: str, decided: str | None, kind: str) -> Entry:
        made = _now()
        cursor = self._connection.execute(
            "INSERT INTO decisions (row, given, decided, kind, made, audit) VALUES (?, ?, ?, ?, ?, ?)",
            (row, given, decided, kind, made, self.document.sha256),
        )
        return Entry(cursor.lastrowid or 0, row, given, decided, kind, made)

    def _admit(self, document: Document) -> None:
        """Refuse an audit with other suspects than those already decided, or register it."""
        with self._transaction():
            decided = self._connection.execute(
                "SELECT fingerprint FROM decisions LEFT JOIN audits ON sha256 = audit ORDER BY id DESC LIMIT 1"
            ).fetchone()
            if decided not in (None, (document.fingerprint,)):
                raise UnflipError(
                    f"{self.path} holds decisions about another audit: audit.json now has other suspects or labels. "
                    f"Move {self.path.name} away to review these, or restore the old audit.json; 'unflip audit --out' "
                    "with a new folder for each audit keeps both."
                )
            self._connection.execute(
                "INSERT OR IGNORE INTO audits VALUES (?, ?, ?)",
                (document.sha256, document.fingerprint, _now()),
            )

    def _check_no_links(self) -> None:
        for ending in ("", "-journal", "-wal"):
            path = self.path.with_name(self.path.name + ending)
            if path.is_symlink():
                raise UnflipError(f"{path} is a link, and decisions are not written through links; remove it.")

    def _check_structure(self) -> None:
        """Refuse the database of another program before anything is written into it."""
        found = _structure(self._connection)
        if not found <= _our_structure():
            raise sqlite3.DatabaseError("it is a database of another program, or was changed by one")
        damage = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if damage != ("ok",):
            raise sqlite3.DatabaseError(f"it is damaged ({first_line(damage[0])})")

    def _check_file(self) -> None:
        problem = self.problem()
        if problem is not None:
            raise self._not_saved(problem)

    def _not_saved(self, reason: str) -> NotSaved:
        return NotSaved(f"The decision could not be saved in {self.path}: {reason}.")

    def _found(self) -> os.stat_result | None:
        try:
            return os.stat(self.path, follow_symlinks=False)
        except OSError:
            return None

    def _wait(self, seconds: float) -> None:
        self._connection.execute(f"PRAGMA busy_timeout={int(1000 * seconds)}")


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _structure(connection: sqlite3.Connection) -> set[tuple[Any, ...]]:
    found = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite@_%' ESCAPE '@'")
    return {(kind, name, " ".join(str(sql).split())) for kind, name, sql in found}


def _our_structure() -> set[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        return _structure(connection)


def _advice(error: Exception, otherwise: str) -> str:
    """Return what is wrong and what to do."""
    if "locked" in str(error):
        return "another program has locked it; close that program and try again"
    if "readonly" in str(error) or "unable to open" in str(error):
        return f"{first_line(error)}; make it and its folder writable"
    reason = first_line(error) if isinstance(error, sqlite3.Error) else "it is damaged"
    return f"{reason}; {otherwise}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
