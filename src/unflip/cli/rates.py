"""The command ``unflip rates``: how many labels of a table are wrong."""

from __future__ import annotations

import json

from unflip.noise_rates import estimate_noise_rates
from unflip.tables import encode, read_labeled_table


def answer(path, label, *, method, confidence, as_json):
    """Return the text to print."""
    columns, labels = read_labeled_table(path, label)
    encoding = encode(columns, labels)
    rates = estimate_noise_rates(
        encoding.matrix, labels.to_numpy(), method=method, confidence=confidence, random_state=0
    )  # fmt: skip
    if as_json:
        found = rates.to_dict() | {"columns": encoding.used, "left_out": encoding.left_out}
        return json.dumps(found, indent=2, ensure_ascii=False)
    lines = [str(rates), "", f"By {len(encoding.used)} columns: {', '.join(encoding.used)}."]
    lines += [f"Left out: {name} ({reason})." for name, reason in encoding.left_out.items()]
    return "\n".join(lines)
