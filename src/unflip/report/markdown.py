"""The report as Markdown: a summary short enough for a comment on a change."""

from __future__ import annotations

from unflip.foundation.checks import check_count
from unflip.foundation.markdown import escape_markdown
from unflip.foundation.text import probability
from unflip.report.document_format import check_document
from unflip.report.wording import headline, notes, percent, plain, span, whole_characters

MOST_RATES = 10
LONGEST = 60


def to_markdown(document, *, most=10):
    """Summarize an audit in Markdown.

    Parameters
    ----------
    document : dict
        What the audit found.
    most : int, default=10
        How many suspects to list.

    Returns
    -------
    text : str
        A sentence, the noise rates, and the most suspicious labels.
    """
    check_document("to_markdown", document)
    check_count("to_markdown", "most", most)
    suspects = document["suspects"][:most]
    parts = [f"### Labels of {escape(document['title'])}", headline(document, len(suspects))]
    parts += [f"> {escape(note, length=500)}" for note in notes(document)]
    parts.append(_rates(document))
    if suspects:
        parts.append(_suspects(document, suspects))
    return whole_characters("\n\n".join(parts) + "\n")


def escape(text, length=LONGEST):
    """Return any text as one short line of Markdown that shows as it is.

    >>> escape("a|b <b>")
    'a&#124;b &lt;b&gt;'
    """
    escaped = escape_markdown(plain(text, length))
    # A name in somebody's data mentions nobody and links to nothing.
    return escaped.replace("@", "@<!-- -->").replace("://", ":<!-- -->//").replace("www.", "www<!-- -->.")


def _rates(document):
    rates = document["rates"]
    order = sorted(range(len(rates["rates"])), key=lambda c: -rates["rates"][c])
    shown = sorted(order[:MOST_RATES])
    lines = [f"| label | wrong | {rates['confidence']:.0%} interval |", "|---|--:|--:|"]
    for c in shown:
        name = escape(document["classes"][c])
        lines.append(f"| {name} | {percent(rates['rates'][c])} | {span(rates['interval'][c])} |")
    if len(shown) < len(order):
        lines.append(f"\nThe {len(shown)} highest of {len(order):,} rates.")
    return "\n".join(lines)


def _suspects(document, suspects):
    names = document["classes"]
    lines = ["| row | given | suggested | probability wrong | neighbors agreeing |", "|--:|---|---|--:|--:|"]
    for suspect in suspects:
        given, suggested = (escape(names[suspect[key]]) for key in ("given", "suggested"))
        agree = f"{suspect['n_agree']} of {suspect['n_neighbors']}"
        lines.append(f"| {suspect['row']} | {given} | {suggested} | {probability(suspect['p_wrong'])} | {agree} |")
    if len(suspects) < document["n_issues"]:
        lines.append(f"\nThe {len(suspects)} most suspicious of {document['n_issues']:,}; issues.csv has all.")
    return "\n".join(lines)
