"""Audit documents to render: a realistic one, one of a given size, an empty one and a malicious one."""

import copy

import numpy as np

from unflip.audit.explanation import sentence_about

CITIES = ["Oslo", "Bergen", "Trondheim", "Stavanger", "Tromsø", "Drammen"]
PLANS = ["basic", "plus", "family", "business"]
COLUMNS = ["age", "city", "plan", "monthly spend", "months", "calls", "tickets", "last login", "remark"]
REMARKS = [
    "", "asked for an invoice", "moved house", "wants to pause over the summer", "خدمة ممتازة",
    "Called twice about the router; the second time the line dropped before anybody could note what it was about.",
]  # fmt: skip
CLASSES = ["active", "churned", "paused"]
K = 35


def realistic(n_rows=3000, seed=0):
    """Customers in three classes with some flipped labels; everything is computed from real neighbors."""
    random = np.random.RandomState(seed)
    true = random.choice(3, n_rows, p=[0.5, 0.3, 0.2])
    centers = np.array([[0, 0, 1, 0], [2.6, 0.6, -1, 1], [1, 2.8, 0, -1]])
    points = centers[true] + random.normal(size=(n_rows, 4)) * 0.75
    flips = random.random_sample(n_rows) < np.array([0.03, 0.09, 0.05])[true]
    given = np.where(flips, (true + random.randint(1, 3, n_rows)) % 3, true)
    votes, distances = _neighbors(points)
    counts = np.stack([(given[votes] == c).sum(axis=1) for c in range(3)], axis=1)
    p_wrong = 1 - np.clip((counts[np.arange(n_rows), given] / K) ** 0.8, 0.001, 0.9995)
    p_wrong = np.clip(p_wrong * 1.05 - 0.04, 0.001, 0.9995)
    return _document(random, points, given, counts, votes, distances, p_wrong)


def _neighbors(points):
    squared = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    votes = np.argsort(squared, axis=1, kind="stable")[:, :K]
    return votes, np.sqrt(np.take_along_axis(squared, votes, axis=1))


def _document(random, points, given, counts, votes, distances, p_wrong):
    n_rows = len(given)
    suggested = np.where(counts.argmax(axis=1) == given, counts.argsort(axis=1)[:, 1], counts.argmax(axis=1))
    flagged = np.flatnonzero(p_wrong > 0.6)
    flagged = flagged[np.argsort(-p_wrong[flagged], kind="stable")]
    suspects = [_suspect(row, given, suggested, counts, votes, distances, p_wrong) for row in flagged.tolist()[:1000]]
    shown = {s["row"] for s in suspects} | {n["row"] for s in suspects for n in s["neighbors"]}
    matrix = np.zeros((3, 3), int)
    np.add.at(matrix, (given[flagged], suggested[flagged]), 1)
    edges = np.linspace(0, 1, 21)
    return {
        "format": "unflip-audit/1",
        "title": "customers.csv",
        "unflip": "0.1.0",
        "label": "status",
        "n_rows": n_rows,
        "n_issues": len(flagged),
        "expected_wrong": 0.052 * n_rows,
        "n_neighbors": K,
        "classes": CLASSES,
        "rates": rates(CLASSES, [0.031, 0.087, 0.052], [[0.022, 0.041], [0.071, 0.108], [0.033, 0.08]], n_rows),
        "flagged": matrix.tolist(),
        "n_given": np.bincount(given, minlength=3).tolist(),
        "histogram": {
            "edges": [round(edge, 2) for edge in edges.tolist()],
            "counts": [np.histogram(p_wrong[given == c], edges)[0].tolist() for c in range(3)],
        },
        "map": _map(points, given, flagged),
        "columns": COLUMNS,
        "used": [*COLUMNS[:-1], "region", "device"],
        "left_out": {
            "customer_id": "row numbers",
            "closed_on": "repeats the label",
            "remark": "free text: 2811 distinct texts of 56 characters on average",
        },
        "rows": {str(row): _values(random, points[row]) for row in sorted(shown)},
        "suspects": suspects,
        "notes": ["12 rows have the same values as a row with another label: the columns cannot tell them apart."],
    }


def rates(classes, values, intervals, n_rows):
    return {
        "classes": classes, "transition_matrix": np.eye(len(classes)).tolist(), "rates": values, "interval": intervals,
        "class_prior": [1 / len(classes)] * len(classes), "share_wrong": 0.05, "method": "auto", "identifiable": True,
        "notes": [], "confidence": 0.9, "n_samples": n_rows, "alternatives": {},
    }  # fmt: skip


def _suspect(row, given, suggested, counts, votes, distances, p_wrong):
    c, other = int(given[row]), int(suggested[row])
    neighbors = [
        {"row": int(n), "distance": float(d), "label": int(given[n]), "p_wrong": float(p_wrong[n])}
        for n, d in zip(votes[row, :10], distances[row, :10], strict=True)
    ]
    return {
        "row": row, "given": c, "suggested": other, "p_wrong": float(p_wrong[row]),
        "label_score": 1 - float(p_wrong[row]),
        "n_agree": int(counts[row, c]), "n_neighbors": K,
        "sentence": sentence_about(CLASSES[c], CLASSES[other], _votes(CLASSES, counts[row]), p_wrong[row]),
        "neighbors": neighbors, "votes": [[int(n), int(given[n])] for n in votes[row]],
    }  # fmt: skip


def _votes(names, counts):
    return {name: int(count) for name, count in zip(names, counts, strict=True) if count}


def _values(random, point):
    return [
        str(int(40 + 9 * point[0])), CITIES[int(abs(point[1]) * 2) % 6], PLANS[int(abs(point[2]) * 2) % 4],
        f"{abs(300 + 120 * point[3]):.2f}", str(int(abs(point[0]) * 14)), str(int(abs(point[1]) * 5)),
        str(int(abs(point[2]))), f"2024-{random.randint(1, 13):02d}-{random.randint(1, 29):02d}",
        REMARKS[random.randint(len(REMARKS))],
    ]  # fmt: skip


def _map(points, given, flagged):
    centered = points - points.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centered, full_matrices=False)
    rest = np.setdiff1d(np.arange(len(points)), flagged)
    rows = np.concatenate([flagged, rest])[:2000]
    places = centered[rows] @ axes[:2].T
    return {
        "x": [float(f"{x:.3g}") for x in places[:, 0]], "y": [float(f"{y:.3g}") for y in places[:, 1]],
        "rows": rows.tolist(), "classes": given[rows].tolist(), "flagged": np.isin(rows, flagged).tolist(),
        "explained": (sizes**2 / (sizes**2).sum())[:2].round(3).tolist(),
    }  # fmt: skip


def sized(n_suspects=200, n_neighbors=10, n_columns=12, n_classes=3, n_issues=None):
    """A document of a given size in which no two rows share a neighbor or a number."""
    random = np.random.RandomState(1)
    names = [f"class {c}" for c in range(n_classes)] if n_classes > 3 else CLASSES[:n_classes]
    starts = np.arange(n_suspects) * (n_neighbors + 1)
    suspects = [
        {"row": int(start), "given": i % n_classes, "suggested": (i + 1) % n_classes, "p_wrong": 0.999 - i / 1000,
         "label_score": i / 1000 + 0.001, "n_agree": i % 9, "n_neighbors": K,
         "sentence": sentence_about(
             names[i % n_classes], names[(i + 1) % n_classes],
             {names[(i + 1) % n_classes]: K - i % 9, names[i % n_classes]: i % 9}, 0.999 - i / 1000),
         "neighbors": [
             {"row": int(start) + 1 + j, "distance": 0.1 + j / 9, "label": (i + 1) % n_classes, "p_wrong": 0.02}
             for j in range(n_neighbors)],
         "votes": []}
        for i, start in enumerate(starts)
    ]  # fmt: skip
    shown = n_suspects * (n_neighbors + 1)
    n_rows = max(12000, shown)
    rows = {str(row): [f"{x:.4g}" for x in random.normal(size=n_columns) * 90] for row in range(shown)}
    flagged = np.zeros((n_classes, n_classes), int)
    np.add.at(flagged, ([s["given"] for s in suspects], [s["suggested"] for s in suspects]), 1)
    places = random.normal(size=(2000, 2)).round(2)
    values = (random.random_sample(n_classes) * 0.2).round(4).tolist()
    return {
        "format": "unflip-audit/1", "title": "measurements.parquet", "unflip": "0.1.0", "label": "kind",
        "n_rows": n_rows, "n_issues": n_suspects if n_issues is None else n_issues, "expected_wrong": 352.4,
        "n_neighbors": K,
        "classes": names, "rates": rates(names, values, [[v / 2, v * 1.5] for v in values], n_rows),
        "flagged": flagged.tolist(), "n_given": [n_rows // n_classes] * n_classes,
        "histogram": {"edges": (np.arange(21) / 20).tolist(), "counts": [[90, *[3] * 18, 7] for _ in names]},
        "map": {"x": places[:, 0].tolist(), "y": places[:, 1].tolist(),
                "rows": [*starts.tolist(), *range(100_000, 100_000 + 2000 - n_suspects)],
                "classes": [i % n_classes for i in range(2000)], "flagged": [i < n_suspects for i in range(2000)],
                "explained": [0.41, 0.17]},
        "columns": [f"column {j}" for j in range(n_columns)], "used": [f"column {j}" for j in range(n_columns)],
        "left_out": {}, "rows": rows, "suspects": suspects, "notes": [],
    }  # fmt: skip


def empty():
    """A document without flagged labels, map and columns."""
    document = sized(n_suspects=0, n_classes=2)
    document["histogram"]["counts"] = [[5900, 80, 20, *[0] * 17]] * 2
    return {**document, "map": None, "columns": [], "rows": {}, "used": [], "expected_wrong": 3.0, "n_issues": 0}


HARM = "</script><script>window.harm=1</script><img src=x onerror='window.harm=1'>\"'&|`\u2028"


def harmful():
    """A small document in which every text tries to run a script."""
    document = copy.deepcopy(sized(n_suspects=6, n_neighbors=3, n_columns=3))
    document["title"] = document["label"] = HARM
    document["classes"] = [HARM + str(c) for c in range(3)]
    document["columns"] = document["used"] = [HARM + str(c) for c in range(3)]
    document["left_out"] = {HARM: HARM}
    document["notes"] = [HARM]
    document["rates"]["notes"] = [HARM + "!"]
    document["rows"] = {row: [HARM] * 3 for row in document["rows"]}
    for suspect in document["suspects"]:
        suspect["sentence"] = HARM
    return document
