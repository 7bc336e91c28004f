"""The flagged labels as a table, worst first, each with its row number, a suggestion, and why."""

from __future__ import annotations

import pandas as pd

from unflip.audit.explanation import sentences
from unflip.audit.findings import Findings

COLUMNS = (
    "row", "given_label", "suggested_label", "p_wrong", "is_label_issue", "label_score", "predicted_label", "n_agree",
    "n_neighbors", "reason",
)  # fmt: skip


def suspect_table(findings: Findings, issues: pd.DataFrame, first_row: int = 0) -> pd.DataFrame:
    """Return the flagged labels as a table: row, given_label, suggested_label, p_wrong and the rest, reason.

    Parameters
    ----------
    findings : Findings
        What was found.
    issues : DataFrame
        The same as a table of all rows.
    first_row : int, default=0
        The number of the first row.

    Returns
    -------
    suspects : DataFrame
        Worst first.
    """
    rows = findings.suspects()
    table = issues.iloc[rows].reset_index(drop=True)
    table["row"] = rows + first_row
    table["suggested_label"] = findings.classes[findings.alternative[rows]]
    table["reason"] = pd.Series(sentences(findings, rows), dtype=object)
    return table[list(COLUMNS)]
