"""The command ``unflip rates``: how many labels of a table are wrong."""

from __future__ import annotations

import json

from unflip.noise_rates import estimate_noise_rates
from unflip.tables import read_labeled


def answer(path, label, *, method, confidence, as_json, labels_path=None):
    """Return the text to print."""
    labeled = read_labeled(path, label, labels_path)
    encoding = labeled.encode()
    rates = estimate_noise_rates(
        encoding.matrix, labeled.labels.to_numpy(), method=method, confidence=confidence, random_state=0
    )  # fmt: skip
    if as_json:
        found = rates.to_dict() | {"columns": encoding.used, "left_out": encoding.left_out}
        found["notes"] += labeled.notes
        return json.dumps(found, indent=2, ensure_ascii=False)
    return "\n".join([str(rates), "", *_by_what(labeled, encoding), *labeled.notes])


def _by_what(labeled, encoding):
    if labeled.embedding is not None:
        return [f"By an embedding of {encoding.matrix.shape[1]} numbers a row."]
    lines = [f"By {len(encoding.used)} columns: {', '.join(encoding.used)}."]
    return lines + [f"Left out: {name} ({reason})." for name, reason in encoding.left_out.items()]
