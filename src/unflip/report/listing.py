"""The listed suspects as the page shows them, and the data for its script."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from unflip.foundation.text import probability, truncate
from unflip.report.document_format import Document
from unflip.report.wording import all_finite, one_line, shorten

Suspects = list[dict[str, Any]]

# Characters per value and neighbors per suspect: the first pair that fits into MAX_CHARACTERS is used, or the last
LIMITS = ((2_000, 10), (200, 10), (80, 10), (40, 10), (40, 5), (20, 5), (20, 3))
MAX_CHARACTERS = 200_000
MAX_NAME_LENGTH = 60
_SCRIPT_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def fit_to_size(document: Document, listed: Suspects) -> tuple[int, Suspects]:
    """Return the maximum length of a value, and the suspects with few enough neighbors, so that the page is small."""
    for max_length, max_neighbors in LIMITS:
        fewer = [suspect | {"neighbors": suspect["neighbors"][:max_neighbors]} for suspect in listed]
        if _n_characters(document, fewer, max_length) <= MAX_CHARACTERS:
            break
    return max_length, fewer


def _n_characters(document: Document, listed: Suspects, max_length: int) -> int:
    rows = {suspect["row"] for suspect in listed} | _neighbor_rows(listed)
    return sum(min(len(str(value)), max_length) for row in rows for value in document["rows"].get(str(row), ()))


def _neighbor_rows(listed: Suspects) -> set[int]:
    return {int(neighbor["row"]) for suspect in listed for neighbor in suspect["neighbors"]}


def listing(document: Document, listed: Suspects, max_length: int) -> list[dict[str, Any]]:
    """Return what the table shows of each suspect before the script runs."""
    return [_entry(document, rank, suspect, max_length) for rank, suspect in enumerate(listed, start=1)]


def _entry(document: Document, rank: int, suspect: Mapping[str, Any], max_length: int) -> dict[str, Any]:
    values = document["rows"].get(str(suspect["row"]), ())
    return {
        "rank": rank,
        "row": int(suspect["row"]),
        "given": document["classes"][suspect["given"]],
        "suggested": document["classes"][suspect["suggested"]],
        "p_wrong": probability(suspect["p_wrong"]),
        "bar": round(100 * suspect["p_wrong"]),
        "agree": f"{suspect['n_agree']} of {suspect['n_neighbors']}",
        "sentence": suspect["sentence"],
        "values": [display(value, max_length) for value in values],
    }


def display(value: object, max_length: int) -> str:
    """Return the text of a value, truncated if very long, with line breaks as HTML has them."""
    return truncate(str(value), max_length).replace("\r\n", "\n").replace("\r", "\n")


def given_labels(document: Document, listed: Suspects) -> list[dict[str, Any]]:
    """Return the given labels that occur among the suspects: class number, name and count."""
    counts = Counter(suspect["given"] for suspect in listed)
    return [{"number": c, "name": document["classes"][c], "count": counts[c]} for c in sorted(counts)]


def script_data(document: Document, listed: Suspects, max_length: int) -> Markup:
    """Return sort keys, neighbors and their values as JSON that is safe inside a script element."""
    classes = {suspect["given"] for suspect in listed}
    classes |= {neighbor["label"] for suspect in listed for neighbor in suspect["neighbors"]}
    rows = sorted(_neighbor_rows(listed) - {int(suspect["row"]) for suspect in listed})
    values = {row: [display(text, max_length) for text in document["rows"].get(str(row), ())] for row in rows}
    texts, coded = share_texts(values)
    data = {
        "columns": [one_line(name)[: LIMITS[0][0]] for name in document["columns"]],
        "names": {c: shorten(document["classes"][c], MAX_NAME_LENGTH) for c in sorted(classes)},
        "keys": [_sort_keys(rank, suspect) for rank, suspect in enumerate(listed, start=1)],
        "neighbors": [[_neighbor(neighbor) for neighbor in suspect["neighbors"]] for suspect in listed],
        "texts": texts,
        "rows": coded,
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_SCRIPT_ESCAPES))


def _sort_keys(rank: int, suspect: Mapping[str, Any]) -> list[float]:
    share = suspect["n_agree"] / max(suspect["n_neighbors"], 1)
    given, suggested = suspect["given"], suspect["suggested"]
    return [rank, int(suspect["row"]), given, suggested, round(suspect["p_wrong"], 6), round(share, 4)]


def _neighbor(neighbor: Mapping[str, Any]) -> list[Any]:
    distance = f"{neighbor['distance']:.3g}" if all_finite(neighbor["distance"]) else ""
    return [int(neighbor["row"]), distance, neighbor["label"], probability(neighbor["p_wrong"])]


def share_texts(values: Mapping[int, Sequence[str]]) -> tuple[list[str], dict[int, list[str | int]]]:
    """Return the texts that occur more than once, and the rows with those texts replaced by their numbers.

    >>> share_texts({3: ["Oslo", "17"], 8: ["Oslo", "21"]})
    (['Oslo'], {3: [0, '17'], 8: [0, '21']})
    """
    counts = Counter(text for row in values.values() for text in row)
    texts = [text for text, count in counts.most_common() if count > 1]
    numbers = {text: number for number, text in enumerate(texts)}
    return texts, {row: [numbers.get(text, text) for text in cells] for row, cells in values.items()}
