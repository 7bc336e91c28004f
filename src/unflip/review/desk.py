"""The review of one audit: its document, the decision log, and the scores that follow from both."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any

from unflip.foundation.checks import is_integer
from unflip.foundation.text import probability, truncate
from unflip.review.board import Board
from unflip.review.document import Suspect, class_key, read_document
from unflip.review.errors import BadRequest
from unflip.review.log import Entry, Log
from unflip.review.rule import Verdict

MAX_SHOWN = 60  # characters of a refused value


class Desk:
    """The state of a review: what the page shows, the export writes and decisions change.

    Parameters
    ----------
    folder : str or Path
        The folder with ``audit.json``; decisions are stored beside it, in ``decisions.sqlite``.
    """

    def __init__(self, folder: str | PathLike[str]):
        self.document = read_document(folder)
        self.log_path = Path(folder) / "decisions.sqlite"
        self.log = Log(self.log_path, self.document)
        self._board = Board(self.document)
        self._lock = Lock()

    def close(self) -> None:
        """Close the log."""
        self.log.close()

    @contextmanager
    def _current(self) -> Iterator[Board]:
        """Yield the board with every decision in the log, those of other processes too."""
        with self._lock:
            self._board.apply(self.log.entries(after=self._board.last))
            yield self._board

    def decisions(self) -> dict[int, Entry]:
        """Return the current decision of each decided row.

        Returns
        -------
        decisions : dict
            {row number: log entry}.
        """
        with self._current() as board:
            return dict(board.decisions)

    def decided_classes(self) -> dict[int, int]:
        """Return the class number that the reviewer gave each row; skipped rows have none.

        Returns
        -------
        decided : dict
            {row number: class number}.
        """
        with self._current() as board:
            return dict(board.decided)

    def verdicts(self) -> dict[int, Verdict]:
        """Return the current verdict on each suspect.

        Returns
        -------
        verdicts : dict
            {row number: Verdict}.
        """
        with self._current() as board:
            return {suspect.row: board.verdict(suspect) for suspect in self.document.suspects}

    def overview(self) -> dict[str, Any]:
        """Return what stays the same during a review.

        Returns
        -------
        overview : dict
            Title, label, classes, columns, n_issues and notes.
        """
        document = self.document
        return {
            "title": document.title,
            "label": document.label,
            "classes": document.names,
            "columns": document.columns,
            "n_issues": document.n_issues,
            "notes": document.notes,
        }

    def state(self, since: Any = None) -> dict[str, Any]:
        """Return what decisions change: of all suspects, or of those that changed since an entry of the log.

        Parameters
        ----------
        since : int or None, default=None
            The number of the last entry that the caller knows; None, or one that the log has not reached, for all.

        Returns
        -------
        state : dict
            The score, suggestion and decision of each suspect, whether these are all, the latest decision, and the
            number of the last entry.
        """
        with self._current() as board:
            whole = not is_integer(since) or not 0 <= since <= board.last
            suspects = self.document.suspects if whole else board.changed_since(since)
            newest = board.newest()
            return {
                "whole": whole,
                "last": board.last,
                "suspects": [_state_of(suspect, board) for suspect in suspects],
                "newest": {"id": newest.id, "row": newest.row, "kind": newest.kind} if newest else None,
            }

    def detail(self, row: Any) -> dict[str, Any]:
        """Return the sentence, values and neighbors of one suspect.

        Parameters
        ----------
        row : int
            The row number of a suspect; anything else is refused.

        Returns
        -------
        detail : dict
            Its row, sentence, values and neighbors.
        """
        suspect = self._suspect(row)
        neighbors = [one | {"values": self.document.values(one["row"])} for one in suspect.neighbors]
        return {"row": row, "sentence": suspect.sentence, "values": self.document.values(row), "neighbors": neighbors}

    def decide(self, row: Any, kind: Any, chosen: Any = None) -> None:
        """Store a decision about a suspect, or refuse it.

        Parameters
        ----------
        row : int
            The row number of a suspect.
        kind : str
            "accept", "keep", "choose" or "skip".
        chosen : int or None, default=None
            The class number, for "accept" and "choose".
        """
        suspect = self._suspect(row)
        number = self._decided_class(suspect, kind, chosen)
        classes = self.document.classes
        decided = None if number is None else class_key(classes[number])
        self.log.append(row, class_key(classes[suspect.given]), decided, kind)

    def undo(self, entry_id: Any) -> None:
        """Undo a current decision.

        Parameters
        ----------
        entry_id : int
            The number of the decision in the log.
        """
        if not is_integer(entry_id):
            raise BadRequest(f"'id' must be the number of a decision, got {_shown(entry_id)}.")
        self.log.undo(entry_id)

    def _suspect(self, row: Any) -> Suspect:
        if not is_integer(row) or row not in self.document.by_row:
            raise BadRequest(f"Row {_shown(row)} is not a suspect of this audit.")
        return self.document.by_row[row]

    def _decided_class(self, suspect: Suspect, kind: Any, chosen: Any) -> int | None:
        """Return the class number that a decision gives its row; None for a skip."""
        if kind == "skip":
            return None
        if kind == "keep":
            return suspect.given
        if kind not in ("accept", "choose"):
            raise BadRequest(f"A decision is accept, keep, choose or skip, got {_shown(kind)}.")
        n_classes = len(self.document.classes)
        if not is_integer(chosen) or not 0 <= chosen < n_classes:
            raise BadRequest(f"The class must be a number from 0 to {n_classes - 1}, got {_shown(chosen)}.")
        if chosen == suspect.given:
            raise BadRequest(f"Class {chosen} is the given label of row {suspect.row}: use keep, not {kind}.")
        return chosen


def _state_of(suspect: Suspect, board: Board) -> dict[str, Any]:
    verdict, decision = board.verdict(suspect), board.decisions.get(suspect.row)
    return {
        "row": suspect.row,
        "given": suspect.given,
        "p_audit": suspect.p_wrong,
        "p_wrong": verdict.p_wrong,
        "p_audit_text": probability(suspect.p_wrong),
        "p_wrong_text": probability(verdict.p_wrong),
        "suggested": verdict.suggested,
        "kind": decision.kind if decision else None,
        "decided": board.decided.get(suspect.row),
    }


def _shown(value: Any) -> str:
    return truncate(json.dumps(value), MAX_SHOWN)
