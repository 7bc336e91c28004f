"""The report as one HTML file that needs nothing else: no network, no other file."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from unflip.foundation.atomic_files import atomic_write
from unflip.foundation.checks import check_count
from unflip.report.document_format import check_document
from unflip.report.drawings import histogram_drawing, rates_drawing
from unflip.report.listing import LONG, fitting, given_labels, listing, script_data
from unflip.report.matrix import flagged_matrix
from unflip.report.scatter import map_drawing
from unflip.report.wording import headline, notes, one_line, plain, shorten, whole_characters

MOST_COLUMNS = 200


def to_html(document, *, most=200):
    """Turn what an audit found into a page that a browser shows without a network.

    Parameters
    ----------
    document : dict
        What the audit found.
    most : int, default=200
        How many suspects to list.

    Returns
    -------
    page : str
        A whole HTML file. The same document gives the same page.
    """
    check_document("to_html", document)
    check_count("to_html", "most", most)
    longest, listed = fitting(document, document["suspects"][:most])
    style, script = _part("report.css"), _part("report.js")
    template = _environment().get_template("report.html.j2")
    page = template.render(
        document=document,
        page_title=plain(document["title"], 80),
        headline=headline(document, len(listed)),
        notes=notes(document),
        rates=rates_drawing(document),
        matrix=flagged_matrix(document),
        histogram=histogram_drawing(document),
        map=map_drawing(document, listed),
        suspects=listing(document, listed, longest),
        given_labels=given_labels(document, listed),
        data=script_data(document, listed, longest),
        most_columns=MOST_COLUMNS,
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
    )
    return whole_characters(page)


def write_html(document, path):
    """Write the page to a file: all of it, or nothing if that fails.

    Parameters
    ----------
    document : dict
        What the audit found.
    path : str or path-like
        The file, which is replaced if it exists.
    """
    page = to_html(document)
    with atomic_write(path) as file:
        file.write(page)


@cache
def _environment():
    environment = Environment(
        loader=PackageLoader("unflip.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shorten=shorten, one_line=one_line)
    environment.globals.update(LONG=LONG)
    return environment


@cache
def _part(name):
    return files("unflip.report").joinpath("page", name).read_text(encoding="utf-8").strip()


def _policy(style, script):
    """Return what the browser may do with the page: run this one script, apply this one style, and nothing else."""
    return "; ".join([
        "default-src 'none'",
        f"style-src '{_fingerprint(style)}'",
        f"script-src '{_fingerprint(script)}'",
        "base-uri 'none'",
        "form-action 'none'",
    ])  # fmt: skip


def _fingerprint(text):
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
