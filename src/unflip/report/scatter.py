"""The map: where each row lies, which sign its class has, and which rows are suspects."""

from __future__ import annotations

from collections import Counter

from unflip.foundation.text import probability
from unflip.report.wording import all_finite, percent, shorten

WIDTH, HEIGHT, MARGIN = 640, 430, 16
SIGNS = (
    "M0 0h.01",  # a dot, by its round ends
    "M0-3.5L3.5 2.5h-7z",
    "M-3.5 0h7M0-3.5v7",
    "M-2.5-2.5h5v5h-5z",
    "M-3-3l6 6m-6 0l6-6",
    "M0 3.5L3.5-2.5h-7z",
)
OTHER = len(SIGNS)


def map_drawing(document, listed):
    """Return the signs of all rows by class and the listed suspects, or None where there is no map."""
    if not document["map"] or not document["map"]["x"]:
        return None
    points = _points(document["map"])
    tones = _tones(document, points)
    suspects = {suspect["row"]: suspect for suspect in listed}
    linked = [point for point in points if point["row"] in suspects]
    unlisted = [point for point in points if point["flagged"] and point["row"] not in suspects]
    quiet = [point for point in points if not point["flagged"] and point["row"] not in suspects]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "groups": [_group(document, tones, tone, quiet) for tone in sorted(set(tones.values()))],
        "more": [{"x": p["x"], "y": p["y"], "tone": tones[p["class"]]} for p in unlisted],
        "suspects": [_suspect(document, suspects[point["row"]], point, tones) for point in linked],
        "explained": [percent(share) for share in document["map"]["explained"]],
        "n_points": len(points),
        "n_flagged": len(linked) + len(unlisted),
        "n_rows": document["n_rows"],
    }


def _points(rows):
    """Return the rows of the map at their places in the picture, without those that have none."""
    have = [i for i, place in enumerate(zip(rows["x"], rows["y"], strict=True)) if all_finite(*place)]
    across = _scale([rows["x"][i] for i in have], MARGIN, WIDTH - MARGIN)
    down = _scale([rows["y"][i] for i in have], HEIGHT - MARGIN, MARGIN)
    return [
        {"x": x, "y": y, "row": rows["rows"][i], "class": rows["classes"][i], "flagged": rows["flagged"][i]}
        for i, x, y in zip(have, across, down, strict=True)
    ]


def _scale(values, start, end):
    low, high = min(values, default=0), max(values, default=0)
    reach = (high - low) or 1
    return [round(start + (end - start) * (value - low) / reach) for value in values]


def _tones(document, points):
    """Return a number for the sign and color of each class: the largest have their own, the others share one."""
    sizes = Counter(point["class"] for point in points)
    largest = sorted(sizes, key=lambda c: (-document["n_given"][c], c))
    keep = sorted(largest[:OTHER])
    return {c: keep.index(c) if c in keep else OTHER for c in sizes}


def _group(document, tones, tone, points):
    names = [document["classes"][c] for c in sorted(tones) if tones[c] == tone]
    places = [f"{point['x']} {point['y']}" for point in points if tones[point["class"]] == tone]
    return {
        "tone": tone,
        "name": names[0] if tone < OTHER else None,
        "n_names": len(names),
        "sign": SIGNS[tone % OTHER],
        "path": "M" + " ".join(places) if places else "",
    }


def _suspect(document, suspect, point, tones):
    given, suggested = (shorten(document["classes"][suspect[key]], 24) for key in ("given", "suggested"))
    chance = probability(suspect["p_wrong"])
    return {
        "row": int(suspect["row"]),
        "x": point["x"],
        "y": point["y"],
        "tone": tones[point["class"]],
        "text": f"Row {suspect['row']}: labeled {given}, perhaps {suggested}, probability wrong {chance}",
    }
