"""The flagged labels, worst first, each with its row number, what it should be, and why."""

from __future__ import annotations

import numpy as np
import pandas as pd

from unflip.audit.reasons import sentence_about
from unflip.audit.scoring import ranking

COLUMNS = (
    "row", "given_label", "suggested_label", "p_wrong", "is_label_issue", "label_score", "predicted_label", "n_agree",
    "n_neighbors", "reason",
)  # fmt: skip


def suspect_rows(audit, most=None):
    """Return the row numbers of the flagged labels, worst first."""
    flagged = audit.issues_["is_label_issue"].to_numpy()
    rows = ranking(np.where(flagged, audit._scores.p_wrong, -1))[: np.count_nonzero(flagged)]
    return rows[:most]


def reason_of(audit, row):
    """Return the votes of a row's neighbors by class, and the sentence about its label."""
    labels, (p_wrong, alternative) = audit._inputs.labels, audit._scores
    votes = np.bincount(labels[audit._neighbor_rows(row)], minlength=len(audit.classes_))
    names = audit.classes_.tolist()
    counts = {names[c]: int(votes[c]) for c in np.flatnonzero(votes)}
    return votes, sentence_about(names[labels[row]], names[alternative[row]], counts, p_wrong[row])


def suspect_table(audit, first_row=0):
    """Return the flagged labels as a table: row, given_label, suggested_label, p_wrong and the rest, reason.

    Parameters
    ----------
    audit : LabelAudit
        Fitted.
    first_row : int, default=0
        The number of the first row.
    """
    rows = suspect_rows(audit)
    table = audit.issues_.iloc[rows].reset_index(drop=True)
    table["row"] = rows + first_row
    table["suggested_label"] = audit.classes_[audit._scores.alternative[rows]]
    table["reason"] = pd.Series([reason_of(audit, row)[1] for row in rows], dtype=object)
    return table[list(COLUMNS)]
