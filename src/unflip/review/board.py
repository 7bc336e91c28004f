"""Where a review stands: the current decisions and verdicts, brought up to date entry by entry."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter

from unflip.review.document import Document, Suspect, class_key
from unflip.review.log import Entry
from unflip.review.rule import Verdict, class_posteriors, updated_verdict


class Board:
    """The decisions and verdicts after the entries applied so far.

    Parameters
    ----------
    document : Document
        The audit.
    """

    def __init__(self, document: Document):
        self.document = document
        self.last = 0  # the number of the last entry applied
        self.decisions: dict[int, Entry] = {}
        self.decided: dict[int, int] = {}
        self._earlier: dict[int, list[Entry]] = {}
        self._moved: dict[int, Verdict] = {}
        self._changes: list[tuple[int, int]] = []  # (entry, row), oldest entry first
        self._numbers = {class_key(value): number for number, value in enumerate(document.classes)}
        self._posteriors = class_posteriors(document.transition_matrix, document.class_prior)
        self._voted_for = _voted_for(document)

    def apply(self, entries: Iterable[Entry]) -> None:
        """Apply the entries that follow."""
        for entry in entries:
            self._push_or_pop(entry)
            changed = [entry.row, *self._decide(entry.row)]
            self._changes += [(entry.id, row) for row in changed]
            self.last = entry.id

    def verdict(self, suspect: Suspect) -> Verdict:
        """Return the current verdict on a suspect."""
        return self._moved.get(suspect.row) or Verdict(suspect.p_wrong, suspect.suggested)

    def changed_since(self, entry_id: int) -> list[Suspect]:
        """Return the suspects whose decision or verdict changed after an entry."""
        later = self._changes[bisect_right(self._changes, entry_id, key=itemgetter(0)) :]
        return [self.document.by_row[row] for row in dict.fromkeys(row for _, row in later)]

    def newest(self) -> Entry | None:
        """Return the latest decision that stands."""
        return max(self.decisions.values(), default=None, key=lambda entry: entry.id)

    def _push_or_pop(self, entry: Entry) -> None:
        stack = self._earlier.setdefault(entry.row, [])
        if entry.kind != "undo":
            stack.append(entry)
        elif stack:
            stack.pop()
        if stack:
            self.decisions[entry.row] = stack[-1]
        else:
            self.decisions.pop(entry.row, None)

    def _decide(self, row: int) -> list[int]:
        """Give a row the class of its current decision; return the suspects whose verdict that moves."""
        before = self.decided.pop(row, None)
        decision = self.decisions.get(row)
        if decision is not None and decision.decided is not None:
            self.decided[row] = self._numbers[decision.decided]
        if self.decided.get(row) == before:
            return []
        return [suspect.row for suspect in self._voted_for.get(row, ()) if self._moves(suspect)]

    def _moves(self, suspect: Suspect) -> bool:
        before = self.verdict(suspect)
        after = updated_verdict(suspect, self.decided, self.document.transition_matrix, self._posteriors)
        self._moved[suspect.row] = after
        return after != before


def _voted_for(document: Document) -> dict[int, list[Suspect]]:
    """Return the suspects that each suspect votes for; nobody decides about the other rows."""
    found: dict[int, list[Suspect]] = {}
    for suspect in document.suspects:
        for row in {row for row, _ in suspect.votes if row in document.by_row}:
            found.setdefault(row, []).append(suspect)
    return found
