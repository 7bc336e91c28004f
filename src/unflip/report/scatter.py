"""The map: where each row lies, which sign its class has, and which rows are suspects."""

from __future__ import annotations

from collections import Counter

from unflip.report.wording import known, percent, probability, shorten

WIDTH, HEIGHT, MARGIN = 640, 430, 16
# One path draws all rows of a class: after moving to a row, these strokes draw its sign.
SIGNS = ("h0", "l-3.5 6h7z", "h0", "h7m-3.5-3.5v7", "l6 6m-6 0l6-6", "l3.5 6 3.5-6z")
OFFSETS = ((0, 0), (0, -3), (0, 0), (-3.5, 0), (-3, -3), (-3.5, -3))
SHAPES = ("round", "triangle", "square", "plus", "cross", "wedge")
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
    have = [i for i, place in enumerate(zip(rows["x"], rows["y"], strict=True)) if known(*place)]
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
    sign, (dx, dy) = (SIGNS[tone], OFFSETS[tone]) if tone < OTHER else ("h0", (0, 0))
    places = [point for point in points if tones[point["class"]] == tone]
    return {
        "tone": tone,
        "shape": SHAPES[tone] if tone < OTHER else "round",
        "name": names[0] if tone < OTHER else None,
        "n_names": len(names),
        "path": "".join(f"M{point['x'] + dx:g} {point['y'] + dy:g}{sign}" for point in places),
        "sample": f"M{8 + dx:g} {8 + dy:g}{sign}",
    }


def _suspect(document, suspect, point, tones):
    given, suggested = (shorten(document["classes"][suspect[key]], 24) for key in ("given", "suggested"))
    return {
        "row": int(suspect["row"]),
        "x": point["x"],
        "y": point["y"],
        "tone": tones[point["class"]],
        "text": f"Row {suspect['row']}: labeled {given}, perhaps {suggested}, wrong with {probability(suspect['p_wrong'])}",
    }
