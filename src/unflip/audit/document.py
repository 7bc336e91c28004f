"""An audit as a plain document of lists, numbers and texts: what reports show, reviews work on and audit.json keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.decomposition import PCA

import unflip
from unflip.audit.explanation import sentences
from unflip.audit.findings import Findings
from unflip.audit.inputs import Inputs
from unflip.foundation.printable import printable
from unflip.foundation.text import truncate
from unflip.neighbors.shards import ParquetShards
from unflip.report.document_format import FORMAT
from unflip.tables import TableEncoder

MAX_SUSPECTS = 1000
CONFIDENCE = 0.9  # with which labels are changed
MAX_COLUMNS = 12
MAX_NEIGHBORS = 10
MAX_POINTS = 2000
MAX_ROWS_OF_PCA = 20_000
MAX_VALUES_OF_PCA = 2**23
BINS = 20
MAX_TEXT = 200
MAX_NUMBER = 1e308


def make_document(
    findings: Findings, *, title: str, label: str, first_row: int = 0, reasons: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the findings of an audit as a document.

    Parameters
    ----------
    findings : Findings
        What was found.
    title : str
        What was audited.
    label : str
        The name of the label column.
    first_row : int, default=0
        The number of the first row.
    reasons : sequence of str or None, default=None
        The sentences about the suspects, worst first, if they are known.

    Returns
    -------
    document : dict
        Of lists, numbers and texts, ready for JSON.
    """
    inputs, rates, labels = findings.inputs, findings.rates, findings.labels
    flagged, n_classes = findings.flagged, len(findings.classes)
    rows = findings.suspects(MAX_SUSPECTS).tolist()
    reasons = sentences(findings, rows) if reasons is None else reasons[: len(rows)]
    suspects = [_suspect(findings, row, first_row, why) for row, why in zip(rows, reasons, strict=True)]
    shown = {row for suspect in suspects for row in (suspect["row"], *(near["row"] for near in suspect["neighbors"]))}
    columns, texts = _texts(inputs, sorted(shown), first_row)
    return {
        "format": FORMAT,
        "title": printable(title),
        "unflip": unflip.__version__,
        "label": str(label),
        "first_row": first_row,
        "n_rows": len(labels),
        "n_issues": int(flagged.sum()),
        "expected_wrong": rates.share_wrong * len(labels),
        "n_neighbors": int(findings.n_neighbors),
        "opinions": {name: _rounded(weight) for name, weight in findings.weights.items()},
        "importances": _importances(findings),
        "cleaning": _cleaning(findings),
        "classes": findings.classes.tolist(),
        "rates": rates.to_dict(),
        "flagged": _counts(labels[flagged], findings.alternative[flagged], n_classes),
        "n_given": np.bincount(labels, minlength=n_classes).tolist(),
        "histogram": _histogram(findings.p_wrong, labels, n_classes),
        "map": _map(findings, first_row),
        "columns": columns,
        "used": list(getattr(inputs.encoder, "used_", ())),
        "left_out": dict(getattr(inputs.encoder, "left_out_", {})),
        "rows": texts,
        "suspects": suspects,
        "notes": [*rates.notes, *notes_on_copies(findings), *findings.notes_on_opinions()],
    }


def _cleaning(findings: Findings) -> dict[str, Any]:
    """Say what cleaning changes, and what accuracy of the labels is expected before and after it."""
    return {
        "confidence": CONFIDENCE,
        "n_changed": int(findings.changed(CONFIDENCE).sum()),
        "expected_before": _rounded(findings.expected_accuracy()),
        "expected_after": _rounded(findings.expected_accuracy(CONFIDENCE)),
        "top": findings.top is not None,
    }


def _importances(findings: Findings) -> list[list[Any]]:
    """Return the columns that do most to tell labels apart, [name, share], most important first."""
    importances, encoder = findings.importances, findings.inputs.encoder
    if importances is None or findings.inputs.pairwise:
        return []
    names = [f"x{number}" for number in range(len(importances))]
    if isinstance(encoder, TableEncoder):
        names = encoder.columns_of_features()
    shares: dict[str, float] = {}
    for name, share in zip(names, importances, strict=True):
        shares[str(name)] = shares.get(str(name), 0.0) + float(share)
    ranked = sorted(shares.items(), key=lambda each: -each[1])[:MAX_COLUMNS]
    return [[name, _rounded(share)] for name, share in ranked if share > 0]


def notes_on_copies(findings: Findings) -> list[str]:
    """Say how many rows equal a row with a different label, as far as a row's nearest neighbors tell."""
    graph, labels = findings.graph, findings.labels
    if graph is None or not graph.n_neighbors:
        return []
    copied = np.flatnonzero(graph.distances[:, 0] == 0)
    indices, same = graph.indices[copied], graph.distances[copied] == 0
    n_rows = int((same & (labels[indices] != labels[copied, None])).any(axis=1).sum())
    if not n_rows:
        return []
    return [f"{n_rows:,} rows have the same values as a row with another label: the columns cannot tell them apart."]


def _suspect(findings: Findings, row: int, first_row: int, reason: str) -> dict[str, Any]:
    """Return one suspect with its neighbors."""
    labels, p_wrong = findings.labels, findings.p_wrong
    near = findings.neighbors(row)
    return {
        "row": row + first_row,
        "given": int(labels[row]),
        "suggested": int(findings.alternative[row]),
        "p_wrong": _rounded(p_wrong[row]),
        "label_score": _rounded(1 - p_wrong[row]),
        "n_agree": int(findings.votes(row)[labels[row]]),
        "n_neighbors": len(near),
        "sentence": reason,
        "neighbors": [
            {"row": int(other_row) + first_row, "distance": _rounded(distance), "label": int(labels[other_row]),
             "p_wrong": _rounded(p_wrong[other_row])}
            for other_row, distance in zip(near[:MAX_NEIGHBORS], findings.distances(row), strict=False)
        ],
        "votes": np.column_stack([near + first_row, labels[near]]).tolist(),
    }  # fmt: skip


def _counts(given: np.ndarray, suggested: np.ndarray, n_classes: int) -> list[list[int]]:
    counts = np.zeros((n_classes, n_classes), dtype=int)
    np.add.at(counts, (given, suggested), 1)
    return counts.tolist()


def _histogram(p_wrong: np.ndarray, labels: np.ndarray, n_classes: int) -> dict[str, list]:
    edges = np.linspace(0, 1, BINS + 1)
    bins = np.minimum((p_wrong * BINS).astype(int), BINS - 1)
    counts = np.zeros((n_classes, BINS), dtype=int)
    np.add.at(counts, (labels, bins), 1)
    return {"edges": edges.round(4).tolist(), "counts": counts.tolist()}


def _map(findings: Findings, first_row: int) -> dict[str, list] | None:
    """Return the rows in two dimensions: the suspects, and a sample of the others."""
    given, flagged, suspects = findings.inputs, findings.flagged, findings.suspects(MAX_POINTS // 2)
    if given.matrix is None or given.pairwise or min(given.matrix.shape) < 2:
        return None
    order = np.random.RandomState(0).permutation(len(given.labels))
    n_rows = min(MAX_ROWS_OF_PCA, max(MAX_POINTS, MAX_VALUES_OF_PCA // given.matrix.shape[1]))
    some = _dense(given.matrix[np.sort(order[:n_rows])])
    if (some == some[0]).all():
        return None
    others = order[~flagged[order]][: MAX_POINTS - len(suspects)]
    rows = np.concatenate([suspects, others])
    model = PCA(2, svd_solver="full" if given.matrix.shape[1] < 50 else "randomized", random_state=0)
    with np.errstate(all="ignore"):
        points = model.fit(some).transform(_dense(given.matrix[rows]))
    if not (np.isfinite(points).all() and np.isfinite(model.explained_variance_ratio_).all()):
        return None
    return {
        "x": [_rounded(value) for value in points[:, 0]],
        "y": [_rounded(value) for value in points[:, 1]],
        "rows": (rows + first_row).tolist(),
        "classes": given.labels[rows].tolist(),
        "flagged": flagged[rows].tolist(),
        "explained": [_rounded(share) for share in model.explained_variance_ratio_],
    }


def _dense(matrix: Any) -> np.ndarray:
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def _texts(given: Inputs, numbers: list[int], first_row: int) -> tuple[list[str], dict[str, list[str]]]:
    """Return the names of the columns to show, and the texts of some rows, {row number as text: texts}."""
    rows = [number - first_row for number in numbers]
    if given.table is not None or isinstance(given.matrix, ParquetShards):
        part = _table(given, rows).iloc[:, :MAX_COLUMNS]
        columns = [str(name) for name in part.columns]
    elif given.matrix is not None and not given.pairwise and given.matrix.shape[1] <= MAX_COLUMNS:
        part = pd.DataFrame(_dense(given.matrix[rows]))
        columns = [f"x{number}" for number in part.columns]
    else:
        return [], {}
    cells = zip(*([_text(value) for value in part.iloc[:, c]] for c in range(part.shape[1])), strict=True)
    return columns, {str(row): list(texts) for row, texts in zip(numbers, cells, strict=True)}


def _table(given: Inputs, rows: list[int]) -> pd.DataFrame:
    """Return some rows as they were given, as a table."""
    if given.table is not None:
        return given.table.iloc[rows]
    assert isinstance(given.matrix, ParquetShards)
    return given.matrix.frame(np.array(rows, dtype=np.int64))


def _text(value: Any) -> str:
    if np.ndim(value):
        return _short(value)
    if pd.isna(value):
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return _short(value)


def _short(value: Any) -> str:
    # Cut before control characters are escaped, which takes time in long texts.
    return truncate(printable(truncate(str(value), MAX_TEXT)), MAX_TEXT)


def _rounded(value: float) -> float:
    """Return four significant digits: more would only make files larger. JSON has no infinity."""
    return float(f"{min(max(value, -MAX_NUMBER), MAX_NUMBER):.4g}")
