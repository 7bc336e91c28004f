"""Numbers, names and sentences as a person reads them."""

from __future__ import annotations

from math import isfinite

from unflip.foundation.text import truncate

EMPTY = "(empty)"
ORDER_MARKS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C])


def percent(share):
    """Return a share in percent, with a decimal where it is small.

    >>> [percent(share) for share in (0, 0.0002, 0.0294, 0.17)]
    ['0%', '<0.1%', '2.9%', '17%']
    """
    if not all_finite(share):
        return "unknown"
    if 0 < share < 0.001:
        return "<0.1%"
    return f"{share:.1%}" if 0 < share < 0.0995 else f"{share:.0%}"


def all_finite(*values):
    """Tell whether all values are finite numbers."""
    return all(value is not None and isfinite(value) for value in values)


def span(interval):
    """Return an interval of shares in words.

    >>> span([0.021, 0.18]), span([None, 0.2])
    ('2.1% to 18%', 'unknown')
    """
    low, high = interval or (None, None)
    return f"{percent(low)} to {percent(high)}" if all_finite(low, high) else "unknown"


def one_line(text):
    """Return a text without line breaks or runs of spaces, and a word for one that would not be seen."""
    return " ".join(str(text).split()) or EMPTY


def shorten(text, length):
    """Return a text in one line, cut with an ellipsis where it is longer than the length.

    >>> shorten("a very\\nlong name", 8)
    'a very…'
    """
    return truncate(one_line(text), length)


def plain(text, length):
    """Return a text in one short line that cannot turn the order of what follows it."""
    return shorten(str(text).translate(ORDER_MARKS), length)


def whole_characters(text):
    """Return a text that any file can hold: half a character, from a broken file, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def headline(document, n_listed):
    """Return the one sentence that says what was found."""
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
        return f"{start}: {flagged}, of which the {worst} listed below."
    return f"{start}: {flagged} and listed below" + (", worst first." if n_issues > 1 else ".")


def notes(document):
    """Return what to keep in mind: the audit's notes and those of its noise rates, each once."""
    return list(dict.fromkeys([*document["notes"], *document["rates"].get("notes", ())]))
