"""Labels: which can be learned from, and what about them deserves a note."""

from __future__ import annotations

import numpy as np

from unflip.tables.refusals import TableError


def check_labels(path, label, labels):
    """Refuse labels that are missing, of one class only, or of no classes at all."""
    missing = np.flatnonzero(labels.isna())
    if len(missing):
        count = "1 missing label" if len(missing) == 1 else f"{len(missing)} missing labels"
        cure = f"drop those rows (with pandas: table.dropna(subset=[{label!r}])) or fill them"
        raise TableError(f"{path}: column {label!r} has {count}, the first in row {missing[0] + 1}; {cure}.")
    n_classes = labels.nunique()
    if n_classes < 2:
        raise TableError(f"{path}: column {label!r} has one class only, {labels.iloc[0]!r}; two or more are needed.")
    if n_classes > max(2, len(labels) // 2):
        raise TableError(
            f"{path}: column {label!r} has {n_classes} different values in {len(labels)} rows: no classes."
        )


def notes_on(labels) -> list[str]:
    """Return a sentence for each group of labels that differ in white space only.

    >>> import pandas as pd
    >>> notes_on(pd.Series(["cat", "cat ", "dog", "cat"]))
    ["The labels 'cat' (2 rows) and 'cat ' (1 row) differ in white space only."]
    """
    alike: dict[str, list[str]] = {}
    for value, count in labels.value_counts(sort=False).items():
        if isinstance(value, str) and count > 0:
            shown = f"{value!r} ({count} row{'s' if count > 1 else ''})"
            alike.setdefault(" ".join(value.split()), []).append(shown)
    groups = [group for group in alike.values() if len(group) > 1]
    return [f"The labels {', '.join(group[:-1])} and {group[-1]} differ in white space only." for group in groups]
