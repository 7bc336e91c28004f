"""The map: the place of each row, the marker of its class, and the suspects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unflip.foundation.text import percent, probability
from unflip.report.document_format import Document
from unflip.report.wording import all_finite, shorten

WIDTH, HEIGHT, MARGIN = 640, 430, 16
MARKERS = (
    "M0 0h.01",  # a dot, by its round line caps
    "M0-3.5L3.5 2.5h-7z",
    "M-3.5 0h7M0-3.5v7",
    "M-2.5-2.5h5v5h-5z",
    "M-3-3l6 6m-6 0l6-6",
    "M0 3.5L3.5-2.5h-7z",
)
OTHER = len(MARKERS)  # the style shared by all smaller classes


def map_chart(document: Document, listed: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return the markers of all rows by class and the listed suspects, or None if the document has no map."""
    if not document["map"] or not document["map"]["x"]:
        return None
    points = _points(document["map"])
    styles = _styles(document, points)
    suspects = {suspect["row"]: suspect for suspect in listed}
    linked = [point for point in points if point["row"] in suspects]
    unlisted = [point for point in points if point["flagged"] and point["row"] not in suspects]
    others = [point for point in points if not point["flagged"] and point["row"] not in suspects]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "groups": [_group(document, styles, style, others) for style in sorted(set(styles.values()))],
        "unlisted": [{"x": p["x"], "y": p["y"], "style": styles[p["class"]]} for p in unlisted],
        "suspects": [_suspect(document, suspects[point["row"]], point, styles) for point in linked],
        "explained": [percent(share) for share in document["map"]["explained"]],
        "n_points": len(points),
        "n_flagged": len(linked) + len(unlisted),
        "n_rows": document["n_rows"],
    }


def _points(rows: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows with their pixel positions, except those without finite coordinates."""
    placed = [i for i, place in enumerate(zip(rows["x"], rows["y"], strict=True)) if all_finite(*place)]
    across = _scale([rows["x"][i] for i in placed], MARGIN, WIDTH - MARGIN)
    down = _scale([rows["y"][i] for i in placed], HEIGHT - MARGIN, MARGIN)
    return [
        {"x": x, "y": y, "row": rows["rows"][i], "class": rows["classes"][i], "flagged": rows["flagged"][i]}
        for i, x, y in zip(placed, across, down, strict=True)
    ]


def _scale(values: Sequence[float], start: int, end: int) -> list[int]:
    low, high = min(values, default=0), max(values, default=0)
    extent = (high - low) or 1
    return [round(start + (end - start) * (value - low) / extent) for value in values]


def _styles(document: Document, points: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Return the number of each class's marker and color: the largest classes have their own, the others share one."""
    classes = {point["class"] for point in points}
    largest = sorted(classes, key=lambda c: (-document["n_given"][c], c))
    own = sorted(largest[:OTHER])
    return {c: own.index(c) if c in own else OTHER for c in classes}


def _group(
    document: Document, styles: Mapping[int, int], style: int, points: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    names = [document["classes"][c] for c in sorted(styles) if styles[c] == style]
    places = [f"{point['x']} {point['y']}" for point in points if styles[point["class"]] == style]
    return {
        "style": style,
        "name": names[0] if style < OTHER else None,
        "n_names": len(names),
        "marker": MARKERS[style % OTHER],
        "path": "M" + " ".join(places) if places else "",
    }


def _suspect(
    document: Document, suspect: Mapping[str, Any], point: Mapping[str, Any], styles: Mapping[int, int]
) -> dict[str, Any]:
    given, suggested = (shorten(document["classes"][suspect[key]], 24) for key in ("given", "suggested"))
    p_wrong = probability(suspect["p_wrong"])
    return {
        "row": int(suspect["row"]),
        "x": point["x"],
        "y": point["y"],
        "style": styles[point["class"]],
        "text": f"Row {suspect['row']}: labeled {given}; suggested: {suggested}; probability wrong {p_wrong}",
    }
