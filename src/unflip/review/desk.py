"""The review of one audit: its document, the log of decisions, and the scores that follow from both."""

from __future__ import annotations

import json
from pathlib import Path

from unflip.foundation.checks import is_integer
from unflip.review.document import as_text, read_document
from unflip.review.log import Log, replay
from unflip.review.refusals import BadRequest
from unflip.review.rule import class_posteriors, updated


class Desk:
    """What the page shows, the export writes and a decision changes.

    Parameters
    ----------
    folder : str or Path
        That holds ``audit.json``; decisions are kept in ``decisions.sqlite`` beside it.
    """

    def __init__(self, folder):
        self.document = read_document(folder)
        self.log_path = Path(folder) / "decisions.sqlite"
        self.log = Log(self.log_path, self.document)
        self._posteriors = class_posteriors(self.document.transition_matrix, self.document.class_prior)
        self._known = {}

    def close(self):
        """Close the log."""
        self.log.close()

    def decisions(self):
        """Return the decision that holds for each row."""
        return replay(self.log.entries())

    def decided_classes(self, decisions):
        """Return the class number that a person gave to each row; a skip gives none."""
        numbers = {as_text(value): number for number, value in enumerate(self.document.classes)}
        return {row: numbers[entry.decided] for row, entry in decisions.items() if entry.decided is not None}

    def verdicts(self, decided):
        """Return the verdict on each suspect, by row."""
        return {suspect.row: self._verdict(suspect, decided) for suspect in self.document.suspects}

    def _verdict(self, suspect, decided):
        # A decision concerns few suspects: the others keep what was worked out before.
        concerning = {row: decided[row] for row, _ in suspect.votes if row in decided}
        before, found = self._known.get(suspect.row, (None, None))
        if before != concerning:
            found = updated(suspect, concerning, self.document.transition_matrix, self._posteriors)
            self._known[suspect.row] = (concerning, found)
        return found

    def overview(self):
        """Return what never changes while the page is open."""
        document = self.document
        return {
            "title": document.title,
            "label": document.label,
            "classes": document.names,
            "columns": document.columns,
            "n_issues": document.n_issues,
            "notes": document.notes,
        }

    def state(self):
        """Return what decisions change: per suspect the score, the suggestion and the decision; and the newest one."""
        decisions = self.decisions()
        decided = self.decided_classes(decisions)
        verdicts = self.verdicts(decided)
        newest = max(decisions.values(), default=None, key=lambda entry: entry.id)
        return {
            "suspects": [
                {
                    "row": suspect.row,
                    "given": suspect.given,
                    "p_audit": suspect.p_wrong,
                    "p_wrong": verdicts[suspect.row].p_wrong,
                    "suggested": verdicts[suspect.row].suggested,
                    "kind": decisions[suspect.row].kind if suspect.row in decisions else None,
                    "decided": decided.get(suspect.row),
                }
                for suspect in self.document.suspects
            ],
            "newest": {"id": newest.id, "row": newest.row, "kind": newest.kind} if newest else None,
        }

    def detail(self, row):
        """Return what is shown of one suspect only."""
        suspect = self._suspect(row)
        neighbors = [one | {"values": self.document.values(one["row"])} for one in suspect.neighbors]
        return {"row": row, "sentence": suspect.sentence, "values": self.document.values(row), "neighbors": neighbors}

    def decide(self, row, kind, chosen=None):
        """Keep a decision about a suspect, or refuse it in one sentence."""
        suspect = self._suspect(row)
        number = self._chosen(suspect, kind, chosen)
        classes = self.document.classes
        decided = None if number is None else as_text(classes[number])
        self.log.append(row, as_text(classes[suspect.given]), decided, kind)

    def undo(self, entry_id):
        """Take back a decision that still holds, by its number."""
        if not is_integer(entry_id):
            raise BadRequest(f"'id' must be the number of a decision, got {_short(entry_id)}.")
        self.log.undo(entry_id)

    def _suspect(self, row):
        if not is_integer(row) or row not in self.document.by_row:
            raise BadRequest(f"Row {_short(row)} is not a suspect of this audit.")
        return self.document.by_row[row]

    def _chosen(self, suspect, kind, chosen):
        """Return the class number that a decision gives its row; None for a skip."""
        if kind == "skip":
            return None
        if kind == "keep":
            return suspect.given
        if kind not in ("accept", "choose"):
            raise BadRequest(f"A decision is accept, keep, choose or skip, got {_short(kind)}.")
        n_classes = len(self.document.classes)
        if not is_integer(chosen) or not 0 <= chosen < n_classes:
            raise BadRequest(f"The class must be a number from 0 to {n_classes - 1}, got {_short(chosen)}.")
        if chosen == suspect.given:
            raise BadRequest(f"Class {chosen} is the given label of row {suspect.row}: that is keep, not {kind}.")
        return chosen


def _short(value):
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:60] + "..."
