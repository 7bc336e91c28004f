"""Numbers, names and sentences as the report words them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from unflip.foundation.printable import valid_in_html
from unflip.foundation.text import percent, truncate
from unflip.report.document_format import Document

EMPTY = "(empty)"
BIDI_CONTROLS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C])


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
    if not document["rates"].get("identifiable", True) and "share_interval" in document["rates"]:
        low, high = map(percent, document["rates"]["share_interval"])
        about = f"Between {low} and {high}"
    start = f"{about} of {n_rows:,} labels are probably wrong"
    if n_issues == 0:
        return f"{start}, but no single one stands out: none is flagged."
    flagged = "1 is flagged" if n_issues == 1 else f"{n_issues:,} are flagged"
    if n_listed < n_issues:
        worst = "most suspicious is" if n_listed == 1 else f"{n_listed:,} most suspicious are"
        return f"{start}: {flagged}; the {worst} listed below."
    return f"{start}: {flagged} and listed below" + (", worst first." if n_issues > 1 else ".")


def cleaning_sentence(document: Document) -> str:
    """Say what was changed in the cleaned file, and what is left for somebody to look at; empty if unknown."""
    cleaning = document.get("cleaning")
    if not cleaning:
        return ""
    n_changed, n_issues = cleaning["n_changed"], document["n_issues"]
    if not n_issues:
        return ""
    if not n_changed:
        return "None is certain enough to be changed without a look: the cleaned file has the labels as given."
    left = max(n_issues - n_changed, 0)
    rest = f"; {left:,} more {'is' if left == 1 else 'are'} worth a look" if left else ""
    accuracy = f"{percent(cleaning['expected_before'])} to {percent(cleaning['expected_after'])}"
    changed = f"{n_changed:,} {'is' if n_changed == 1 else 'are'} surely better changed, as in the cleaned file"
    return f"{changed}{rest}. Expected accuracy of the labels: {accuracy}."


def opinions_of(document: Document) -> list[tuple[str, str]]:
    """Return the opinions that spoke and their weights in percent, the weightiest first."""
    ranked = sorted(document.get("opinions", {}).items(), key=lambda each: -each[1])
    return [(name, percent(weight)) for name, weight in ranked if weight > 0]


def important_columns(document: Document) -> list[tuple[str, str]]:
    """Return the columns that do most to tell labels apart, with their shares in percent."""
    return [(name, percent(share)) for name, share in document.get("importances", ())]


def notes(document: Document) -> list[str]:
    """Return the notes of the audit and of its noise rates, without duplicates."""
    return list(dict.fromkeys([*document["notes"], *document["rates"].get("notes", ())]))
