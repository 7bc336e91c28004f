"""An audit as a plain document of lists, numbers and texts: what reports show, reviews work on and audit.json keeps."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.decomposition import PCA

import unflip
from unflip.audit.suspects import reason_of, suspect_rows

FORMAT = "unflip-audit/1"
MOST_SUSPECTS = 1000
MOST_COLUMNS = 12
MOST_NEIGHBORS = 10
MOST_POINTS = 2000
MOST_ROWS_OF_PCA = 20_000
BINS = 20
LONGEST_TEXT = 200


def make_document(audit, *, title, label, first_row=0):
    """Return the document of a fitted LabelAudit.

    Parameters
    ----------
    audit : LabelAudit
        Fitted.
    title : str
        What was audited.
    label : str
        The name of the column of labels.
    first_row : int, default=0
        The number of the first row.
    """
    given, issues, rates = audit._inputs, audit.issues_, audit.rates_
    p_wrong, alternative = audit._scores
    flagged = issues["is_label_issue"].to_numpy()
    n_classes = len(audit.classes_)
    suspects = [_suspect(audit, int(row), first_row) for row in suspect_rows(audit, MOST_SUSPECTS)]
    shown = {row for suspect in suspects for row in (suspect["row"], *(near["row"] for near in suspect["neighbors"]))}
    columns, texts = _texts(given, sorted(shown), first_row)
    return {
        "format": FORMAT,
        "title": str(title),
        "unflip": unflip.__version__,
        "label": str(label),
        "first_row": first_row,
        "n_rows": len(given.labels),
        "n_issues": int(flagged.sum()),
        "expected_wrong": rates.share_wrong * len(given.labels),
        "n_neighbors": int(audit.n_neighbors_),
        "classes": audit.classes_.tolist(),
        "rates": rates.to_dict(),
        "flagged": _counts(given.labels[flagged], alternative[flagged], n_classes),
        "n_given": np.bincount(given.labels, minlength=n_classes).tolist(),
        "histogram": _histogram(p_wrong, given.labels, n_classes),
        "map": _map(given, flagged, suspect_rows(audit, MOST_POINTS // 2), first_row),
        "columns": columns,
        "used": [] if given.encoder is None else list(given.encoder.used),
        "left_out": {} if given.encoder is None else dict(given.encoder.left_out),
        "rows": texts,
        "suspects": suspects,
        "notes": [*rates.notes, *notes_on_twins(audit)],
    }


def notes_on_twins(audit):
    """Say how many rows are the same as another with a different label, as far as a row's nearest neighbors tell."""
    graph, labels = audit._graph, audit._inputs.labels
    if graph is None:
        return []
    copied = np.flatnonzero(graph.distances[:, 0] == 0)
    indices, same = graph.indices[copied], graph.distances[copied] == 0
    n_rows = int((same & (labels[indices] != labels[copied, None])).any(axis=1).sum())
    if not n_rows:
        return []
    return [f"{n_rows:,} rows have the same values as a row with another label: nothing here tells such a pair apart."]


def _suspect(audit, row, first_row):
    """Return one suspect with its neighbors."""
    labels, (p_wrong, alternative) = audit._inputs.labels, audit._scores
    near = audit._neighbor_rows(row)
    votes, sentence = reason_of(audit, row)
    return {
        "row": row + first_row,
        "given": int(labels[row]),
        "suggested": int(alternative[row]),
        "p_wrong": _rounded(p_wrong[row]),
        "label_score": _rounded(1 - p_wrong[row]),
        "n_agree": int(votes[labels[row]]),
        "n_neighbors": len(near),
        "sentence": sentence,
        "neighbors": [
            {"row": int(other_row) + first_row, "distance": _rounded(distance), "label": int(labels[other_row]),
             "p_wrong": _rounded(p_wrong[other_row])}
            for other_row, distance in zip(near[:MOST_NEIGHBORS], audit._neighbor_distances(row), strict=False)
        ],
        "votes": np.column_stack([near + first_row, labels[near]]).tolist(),
    }  # fmt: skip


def _counts(given, suggested, n_classes):
    counts = np.zeros((n_classes, n_classes), dtype=int)
    np.add.at(counts, (given, suggested), 1)
    return counts.tolist()


def _histogram(p_wrong, labels, n_classes):
    edges = np.linspace(0, 1, BINS + 1)
    bins = np.minimum((p_wrong * BINS).astype(int), BINS - 1)
    counts = np.zeros((n_classes, BINS), dtype=int)
    np.add.at(counts, (labels, bins), 1)
    return {"edges": edges.round(4).tolist(), "counts": counts.tolist()}


def _map(given, flagged, suspects, first_row):
    """Return the rows in two dimensions: the suspects, and a sample of the others."""
    if given.matrix is None or min(given.matrix.shape) < 2:
        return None
    order = np.random.RandomState(0).permutation(len(given.labels))
    some = _dense(given.matrix[np.sort(order[:MOST_ROWS_OF_PCA])])
    if (some == some[0]).all():
        return None
    others = order[~flagged[order]][: MOST_POINTS - len(suspects)]
    rows = np.concatenate([suspects, others])
    model = PCA(2, svd_solver="full" if given.matrix.shape[1] < 50 else "randomized", random_state=0)
    points = model.fit(some).transform(_dense(given.matrix[rows]))
    return {
        "x": [_rounded(value) for value in points[:, 0]],
        "y": [_rounded(value) for value in points[:, 1]],
        "rows": (rows + first_row).tolist(),
        "classes": given.labels[rows].tolist(),
        "flagged": flagged[rows].tolist(),
        "explained": [_rounded(share) for share in model.explained_variance_ratio_],
    }


def _dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def _texts(given, numbers, first_row):
    """Return the names of the columns to show, and the texts of some rows, {row number as text: texts}."""
    rows = [number - first_row for number in numbers]
    if given.table is not None:
        part = given.table.iloc[rows, :MOST_COLUMNS]
        columns = [str(name) for name in part.columns]
    elif given.matrix is not None and given.matrix.shape[1] <= MOST_COLUMNS:
        part = pd.DataFrame(_dense(given.matrix[rows]))
        columns = [f"x{number}" for number in part.columns]
    else:
        return [], {}
    cells = zip(*([_text(value) for value in part.iloc[:, c]] for c in range(part.shape[1])), strict=True)
    return columns, {str(row): list(texts) for row, texts in zip(numbers, cells, strict=True)}


def _text(value):
    if np.ndim(value):
        return _shortened(str(value))
    if pd.isna(value):
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return _shortened(str(value))


def _shortened(text):
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _rounded(value):
    """Return four significant digits: more would only make files larger."""
    return float(f"{value:.4g}")
