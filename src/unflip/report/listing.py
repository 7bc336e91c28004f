"""The listed suspects as the page shows them, and the data behind it that its script reads."""

from __future__ import annotations

import json
from collections import Counter

from markupsafe import Markup

from unflip.foundation.text import probability, truncate
from unflip.report.wording import all_finite, one_line, shorten

# Characters of a value and neighbors of a suspect: the first pair by which all values stay below the limit, or the last
LIMITS = ((2_000, 10), (200, 10), (80, 10), (40, 10), (40, 5), (20, 5), (20, 3))
MOST_CHARACTERS = 200_000
LONG = 60
_HARMLESS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def fitting(document, listed):
    """Return at how many characters values are cut, and the suspects with so few neighbors that the page is small."""
    for longest, most in LIMITS:
        fewer = [suspect | {"neighbors": suspect["neighbors"][:most]} for suspect in listed]
        if _characters(document, fewer, longest) <= MOST_CHARACTERS:
            break
    return longest, fewer


def _characters(document, listed, longest):
    rows = {suspect["row"] for suspect in listed}
    rows |= {neighbor["row"] for suspect in listed for neighbor in suspect["neighbors"]}
    return sum(min(len(str(value)), longest) for row in rows for value in document["rows"].get(str(row), ()))


def listing(document, listed, longest):
    """Return what the table shows of each suspect before its script runs."""
    return [_entry(document, rank, suspect, longest) for rank, suspect in enumerate(listed, start=1)]


def _entry(document, rank, suspect, longest):
    own = document["rows"].get(str(suspect["row"]), ())
    return {
        "rank": rank,
        "row": int(suspect["row"]),
        "given": document["classes"][suspect["given"]],
        "suggested": document["classes"][suspect["suggested"]],
        "p_wrong": probability(suspect["p_wrong"]),
        "bar": round(100 * suspect["p_wrong"]),
        "agree": f"{suspect['n_agree']} of {suspect['n_neighbors']}",
        "sentence": suspect["sentence"],
        "values": [display(value, longest) for value in own],
    }


def display(value, longest):
    """Return a value's text, cut where it is very long, with line breaks as a page has them."""
    return truncate(str(value), longest).replace("\r\n", "\n").replace("\r", "\n")


def given_labels(document, listed):
    """Return the given labels that occur among the suspects, as class number, name and count."""
    found = Counter(suspect["given"] for suspect in listed)
    return [{"number": c, "name": document["classes"][c], "count": found[c]} for c in sorted(found)]


def script_data(document, listed, longest):
    """Return the numbers to sort by, the neighbors and their values as JSON that is harmless inside a page."""
    used = {suspect["given"] for suspect in listed}
    used |= {neighbor["label"] for suspect in listed for neighbor in suspect["neighbors"]}
    own = {int(suspect["row"]) for suspect in listed}
    wanted = {int(neighbor["row"]) for suspect in listed for neighbor in suspect["neighbors"]} - own
    values = {row: [display(text, longest) for text in document["rows"].get(str(row), ())] for row in sorted(wanted)}
    texts, coded = share_texts(values)
    data = {
        "columns": [one_line(name)[: LIMITS[0][0]] for name in document["columns"]],
        "names": {c: shorten(document["classes"][c], LONG) for c in sorted(used)},
        "keys": [_sort_keys(rank, suspect) for rank, suspect in enumerate(listed, start=1)],
        "neighbors": [[_neighbor(neighbor) for neighbor in suspect["neighbors"]] for suspect in listed],
        "texts": texts,
        "rows": coded,
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_HARMLESS))


def _sort_keys(rank, suspect):
    share = suspect["n_agree"] / max(suspect["n_neighbors"], 1)
    given, suggested = suspect["given"], suspect["suggested"]
    return [rank, int(suspect["row"]), given, suggested, round(suspect["p_wrong"], 6), round(share, 4)]


def _neighbor(neighbor):
    distance = f"{neighbor['distance']:.3g}" if all_finite(neighbor["distance"]) else ""
    return [int(neighbor["row"]), distance, neighbor["label"], probability(neighbor["p_wrong"])]


def share_texts(values):
    """Return the texts that occur more than once, and the rows with the numbers of those in place of them.

    >>> share_texts({3: ["Oslo", "17"], 8: ["Oslo", "21"]})
    (['Oslo'], {3: [0, '17'], 8: [0, '21']})
    """
    found = Counter(text for row in values.values() for text in row)
    texts = [text for text, count in found.most_common() if count > 1]
    numbers = {text: number for number, text in enumerate(texts)}
    return texts, {row: [numbers.get(text, text) for text in cells] for row, cells in values.items()}
