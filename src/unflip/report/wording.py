"""Numbers, names and sentences as the report words them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from unflip.foundation.printable import valid_in_html
from unflip.foundation.text import truncate
from unflip.report.document_format import Document

EMPTY = "(empty)"
BIDI_CONTROLS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C])


def percent(share: float | None) -> str:
    """Return a share in percent, with one decimal if it is small.

    >>> [percent(share) for share in (0, 0.0002, 0.0294, 0.17)]
    ['0%', '<0.1%', '2.9%', '17%']
    """
    if share is None or not isfinite(share):
        return "unknown"
    if 0 < share < 0.001:
        return "<0.1%"
    return f"{share:.1%}" if 0 < share < 0.0995 else f"{share:.0%}"


def all_finite(*values: float | None) -> bool:
    """Tell whether all values are finite numbers."""
    return all(value is not None and isfinite(value) for value in values)


def interval_text(interval: Sequence[float | None] | None) -> str:
    """Return an interval of shares in words.

    >>> interval_text([0.021, 0.18]), interval_text([None, 0.2])
    ('2.1% to 18%', 'unknown')
    """
    low, high = interval or (None, None)
    return f"{percent(low)} to {percent(high)}" if all_finite(low, high) else "unknown"


def one_line(text: object) -> str:
    """Return a text without line breaks or runs of spaces, and a placeholder for an empty one."""
    return " ".join(str(text).split()) or EMPTY


def shorten(text: object, max_length: int) -> str:
    """Return a text in one line, truncated with an ellipsis.

    >>> shorten("a very\\nlong name", 8)
    'a very…'
    """
    return truncate(one_line(text), max_length)


def plain_line(text: object, max_length: int) -> str:
    """Return a text in one short line, without the control characters that change the direction of what follows."""
    return shorten(str(text).translate(BIDI_CONTROLS), max_length)


def encodable(text: str) -> str:
    """Return a text that a UTF-8 file of HTML or Markdown can hold.

    Lone surrogates, from broken files, become question marks; control characters that HTML does not allow are replaced.
    """
    return valid_in_html(text.encode("utf-8", "replace").decode("utf-8"))


def headline(document: Document, n_listed: int) -> str:
    """Return the sentence that summarizes the audit."""
    n_rows, n_issues = document["n_rows"], document["n_issues"]
    share = percent(document["expected_wrong"] / max(n_rows, 1))
    if n_issues == 0 and document["expected_wrong"] < 0.5:
        return f"None of {n_rows:,} labels looks wrong."
    about = f"Fewer than {share[1:]}" if share.startswith("<") else f"About {share}"
    start = f"{about} of {n_rows:,} labels are probably wrong"
    if n_issues == 0:
        return f"{start}, but no single one stands out: none is flagged."
    flagged = "1 is flagged" if n_issues == 1 else f"{n_issues:,} are flagged"
    if n_listed < n_issues:
        worst = "most suspicious is" if n_listed == 1 else f"{n_listed:,} most suspicious are"
        return f"{start}: {flagged}; the {worst} listed below."
    return f"{start}: {flagged} and listed below" + (", worst first." if n_issues > 1 else ".")


def notes(document: Document) -> list[str]:
    """Return the notes of the audit and of its noise rates, without duplicates."""
    return list(dict.fromkeys([*document["notes"], *document["rates"].get("notes", ())]))
