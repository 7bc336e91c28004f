"""The report as a single HTML file that loads nothing from elsewhere."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from os import PathLike

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from unflip.foundation.atomic_files import atomic_write
from unflip.foundation.checks import check_count
from unflip.report.charts import histogram_chart, rates_chart
from unflip.report.document_format import Document, check_document
from unflip.report.listing import fit_to_size, given_labels, listing, script_data
from unflip.report.matrix import flagged_matrix
from unflip.report.scatter import map_chart
from unflip.report.wording import (
    cleaning_sentence,
    encodable,
    headline,
    important_columns,
    notes,
    opinions_of,
    plain_line,
    shorten,
)

MAX_COLUMNS = 200


def to_html(document: Document, *, max_suspects: int = 200) -> str:
    """Render an audit document as a page that works offline.

    Parameters
    ----------
    document : dict
        What ``LabelAudit.report`` returns.
    max_suspects : int, default=200
        Number of suspects to list.

    Returns
    -------
    page : str
        A complete HTML file. The same document always gives the same page.
    """
    check_document("to_html", document)
    check_count("to_html", "max_suspects", max_suspects)
    max_length, listed = fit_to_size(document, document["suspects"][:max_suspects])
    style, script = _asset("report.css"), _asset("report.js")
    template = _environment().get_template("report.html.j2")
    page = template.render(
        document=document,
        page_title=plain_line(document["title"], 80),
        headline=headline(document, len(listed)),
        cleaning=cleaning_sentence(document),
        opinions=opinions_of(document),
        important=important_columns(document),
        notes=notes(document),
        rates=rates_chart(document),
        matrix=flagged_matrix(document),
        histogram=histogram_chart(document),
        map=map_chart(document, listed),
        suspects=listing(document, listed, max_length),
        given_labels=given_labels(document, listed),
        data=script_data(document, listed, max_length),
        max_columns=MAX_COLUMNS,
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
    )
    return encodable(page)


def write_html(document: Document, path: str | PathLike[str]) -> None:
    """Write the page to a file, atomically.

    Parameters
    ----------
    document : dict
        What ``LabelAudit.report`` returns.
    path : str or path-like
        The file; it is replaced if it exists.
    """
    page = to_html(document)
    with atomic_write(path) as file:
        file.write(page)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("unflip.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shorten"] = shorten
    return environment


@cache
def _asset(name: str) -> str:
    return files("unflip.report").joinpath("page", name).read_text(encoding="utf-8").strip()


def _policy(style: str, script: str) -> str:
    """Return a content security policy that allows this script and this style, and nothing else."""
    return "; ".join([
        "default-src 'none'",
        f"style-src '{_integrity(style)}'",
        f"script-src '{_integrity(script)}'",
        "base-uri 'none'",
        "form-action 'none'",
    ])  # fmt: skip


def _integrity(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
