"""Audit documents for the tests: small ones written by hand, large ones generated from a seed."""

import json
import random
from collections import Counter

from unflip.audit.explanation import sentence_about

TWO_BY_TWO = [[0.9, 0.1], [0.3, 0.7]]


def suspect(row, given, suggested, p_wrong, votes, **more):
    neighbors = [
        {"row": other, "distance": 0.1 * i, "label": label, "p_wrong": 0.1} for i, (other, label) in enumerate(votes)
    ]
    agree = sum(label == given for _, label in votes)
    return {
        "row": row, "given": given, "suggested": suggested, "p_wrong": p_wrong, "label_score": 1 - p_wrong,
        "n_agree": agree, "n_neighbors": len(votes), "neighbors": neighbors[:10], "votes": [list(v) for v in votes],
        "sentence": sentence_about(given, suggested, Counter(label for _, label in votes), p_wrong),
    } | more  # fmt: skip


def document(suspects, *, classes=("a", "b"), matrix=TWO_BY_TWO, **more):
    rates = {"transition_matrix": matrix, "class_prior": [1 / len(classes)] * len(classes)}
    return {
        "format": "unflip-audit/1", "title": "customers.csv", "unflip": "0.1.0", "label": "status", "n_rows": 100,
        "n_issues": len(suspects), "n_neighbors": 4, "classes": list(classes), "rates": rates,
        "columns": [], "rows": {}, "suspects": suspects, "notes": [],
    } | more  # fmt: skip


def small():
    """Four suspects; rows 3 and 5 are neighbors of each other, so a decision about one moves the other."""
    suspects = [
        suspect(3, 0, 1, 0.9, [(5, 0), (20, 1), (21, 1), (22, 1)]),
        suspect(5, 0, 1, 0.8, [(3, 0), (20, 1), (21, 1), (23, 0)]),
        suspect(7, 1, 0, 0.7, [(20, 1), (21, 1), (24, 0), (25, 0)]),
        suspect(9, 1, 0, 0.6, [(26, 0), (27, 0), (28, 1), (29, 0)]),
    ]
    rows = {str(row): [str(row % 4), "Oslo" if row % 2 else "Rome"] for row in (3, 5, 7, 9, *range(20, 30))}
    return document(suspects, columns=["age", "city"], rows=rows)


def three_classes():
    matrix = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
    votes = [(20, 1), (21, 1), (22, 2)]
    return document([suspect(i, 0, 1, 0.9 - i / 100, votes) for i in range(3)], classes=("a", "b", "c"), matrix=matrix)


def many(n_suspects=1000, n_classes=2, seed=0):
    """Suspects that are neighbors of each other."""
    draw = random.Random(seed)
    rate = 0.2 / (n_classes - 1)
    matrix = [[0.8 if i == j else rate for j in range(n_classes)] for i in range(n_classes)]
    suspects = []
    for i in range(n_suspects):
        given, suggested = draw.sample(range(n_classes), 2)
        votes = [
            (other, suggested if draw.random() < 0.8 else given) for other in draw.sample(range(4 * n_suspects), 35)
        ]
        p = round(0.99 - 0.49 * i / n_suspects, 4)
        suspects.append(suspect(4 * i, given, suggested, p, votes))
    shown = {s["row"] for s in suspects} | {one["row"] for s in suspects for one in s["neighbors"]}
    rows = {str(row): [str(draw.randint(18, 90)), draw.choice(["Oslo", "Rome", "Lima"])] for row in sorted(shown)}
    classes = [f"class {i}" for i in range(n_classes)]
    return document(suspects, classes=classes, matrix=matrix, columns=["age", "city"], rows=rows)


def hostile():
    """Every text is markup, a formula, empty, very long or written from right to left."""
    work = "document.body.dataset.attacked='yes'"
    attack = f'<img src=x onerror="{work}"><script>{work}</script>'
    classes = [attack, "=cmd|' /C calc'!A0", "", "\u202eevil", "x" * 10_000]
    matrix = [[0.8 if i == j else 0.05 for j in range(5)] for i in range(5)]
    suspects = [
        suspect(i, i, (i + 1) % 5, 0.9 - i / 100, [(20, (i + 1) % 5), (21, i)], sentence=attack) for i in range(5)
    ]
    rows = {str(row): [attack, "long " * 2_000, "\u202eabc\nline", ""] for row in (*range(5), 20, 21)}
    return document(
        suspects, classes=classes, matrix=matrix, rows=rows, title=attack, label=attack,
        columns=[attack, "row", "row", ""],
    )  # fmt: skip


def write(folder, content):
    folder.mkdir(exist_ok=True)
    (folder / "audit.json").write_text(json.dumps(content), encoding="utf-8")
    return folder
