"""The report as Markdown: a summary short enough for a pull request comment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unflip.foundation.checks import check_count
from unflip.foundation.markdown import escape_markdown
from unflip.foundation.text import percent, probability
from unflip.report.document_format import Document, check_document
from unflip.report.wording import encodable, headline, interval_text, notes, plain_line

MAX_RATES = 10
MAX_LENGTH = 60
MAX_NOTE_LENGTH = 500


def to_markdown(document: Document, *, max_suspects: int = 10) -> str:
    """Summarize an audit document in Markdown.

    Parameters
    ----------
    document : dict
        What ``LabelAudit.report`` returns.
    max_suspects : int, default=10
        Number of suspects to list.

    Returns
    -------
    text : str
        The headline, the noise rates, and the most suspicious labels.
    """
    check_document("to_markdown", document)
    check_count("to_markdown", "max_suspects", max_suspects)
    suspects = document["suspects"][:max_suspects]
    parts = [f"### Labels of {escape(document['title'])}", headline(document, len(suspects))]
    parts += [f"> {escape(note, max_length=MAX_NOTE_LENGTH)}" for note in notes(document)]
    parts.append(_rates(document))
    if suspects:
        parts.append(_suspects(document, suspects))
    return encodable("\n\n".join(parts) + "\n")


def escape(text: object, max_length: int = MAX_LENGTH) -> str:
    """Return any text as one short line that Markdown renders literally.

    >>> escape("a|b <b>")
    'a&#124;b &lt;b&gt;'
    """
    escaped = escape_markdown(plain_line(text, max_length))
    # Data must not mention users or create links.
    return escaped.replace("@", "@<!-- -->").replace("://", ":<!-- -->//").replace("www.", "www<!-- -->.")


def _rates(document: Document) -> str:
    rates = document["rates"]
    order = sorted(range(len(rates["rates"])), key=lambda c: -rates["rates"][c])
    shown = sorted(order[:MAX_RATES])
    lines = [f"| label | wrong | {rates['confidence']:.0%} interval |", "|---|--:|--:|"]
    for c in shown:
        name = escape(document["classes"][c])
        lines.append(f"| {name} | {percent(rates['rates'][c])} | {interval_text(rates['interval'][c])} |")
    if len(shown) < len(order):
        lines.append(f"\nThe {len(shown)} highest of {len(order):,} rates.")
    return "\n".join(lines)


def _suspects(document: Document, suspects: Sequence[dict[str, Any]]) -> str:
    names = document["classes"]
    lines = ["| row | given | suggested | probability wrong | neighbors agreeing |", "|--:|---|---|--:|--:|"]
    for suspect in suspects:
        given, suggested = (escape(names[suspect[key]]) for key in ("given", "suggested"))
        agree = f"{suspect['n_agree']} of {suspect['n_neighbors']}"
        lines.append(f"| {suspect['row']} | {given} | {suggested} | {probability(suspect['p_wrong'])} | {agree} |")
    if len(suspects) < document["n_issues"]:
        lines.append(f"\nThe {len(suspects)} most suspicious of {document['n_issues']:,}; issues.csv lists all.")
    return "\n".join(lines)
