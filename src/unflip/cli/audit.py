"""The command ``unflip audit``: which labels of a file are wrong, why, and the file with better ones."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unflip.cli import options
from unflip.cli.models import model_named
from unflip.cli.progress import Stages
from unflip.foundation.errors import refusal
from unflip.foundation.printable import cut, printable
from unflip.report.wording import cleaning_sentence, opinions_of

if TYPE_CHECKING:
    from unflip.audit import TableAudit

TOO_MANY_WRONG = 1
SHOWN = 10
MAX_LISTED, MAX_LINE, MAX_NAME = 100, 2000, 60
NEAREST = 5
FOR_PROGRAMS = (
    "title", "label", "n_rows", "n_issues", "expected_wrong", "n_neighbors", "rates", "cleaning", "opinions",
    "importances", "used", "left_out", "notes",
)  # fmt: skip


@click.command()
@click.argument("table", type=click.Path())
@options.label
@options.labels
@options.model
@click.option("--out", type=click.Path(), metavar="DIR", help="Output folder (default: TABLE's name with -audit).")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Flag the N worst labels.")
@click.option(
    "--neighbors", type=click.IntRange(min=1), metavar="K", help="Number of neighbors (default: chosen from the data)."
)
@click.option("--keep", multiple=True, metavar="COLUMN", help="Use this column although it looks like an identifier.")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Do not use this column.")
@options.scheduler
@options.memory
@options.as_json
@click.option(
    "--fail-over",
    type=float,
    metavar="SHARE",
    help="Exit with 1 if surely more than this share of the labels is wrong: a gate for CI.",
)
@click.pass_context
def audit(
    context: click.Context,
    table: str,
    label: str,
    labels: str | None,
    model: str,
    out: str | None,
    top: int | None,
    neighbors: int | None,
    keep: tuple[str, ...],
    drop: tuple[str, ...],
    scheduler: str | None,
    memory: str | None,
    as_json: bool,
    fail_over: float | None,
) -> None:
    """Find the labels of TABLE (CSV, Parquet, Arrow, .npy or .npz) that are probably wrong, and explain why.

    Writes report.html (open it), issues.csv, cleaned.csv and audit.json. A pattern in quotes, such as
    'parts/*.parquet', is a table in many files: they are never in memory together, and cleaned/ holds a file for each.
    """
    check_limit(fail_over)
    with Stages(sys.stderr) as stages:
        shared: dict[str, Any] = {
            "model": model_named(model), "out": out, "top": top, "n_neighbors": neighbors or "auto", "keep": keep,
            "drop": drop, "progress": stages,
        }  # fmt: skip
        if is_pattern(table):
            from unflip.audit.shard_files import audit_shards

            check_absent("--labels", labels, "one file", table)
            found = audit_shards(table, label, executor=scheduler, memory_budget=memory, **shared)
        else:
            from unflip.audit import audit_table

            check_absent("--scheduler", scheduler, "a pattern of Parquet files", table)
            check_absent("--memory", memory, "a pattern of Parquet files", table)
            found = audit_table(table, label, labels_path=labels, **shared)
    click.echo(for_programs(found) if as_json else summary(found))
    rates = found.audit.rates_
    low, high = rates.share_interval
    if fail_over is not None and low > fail_over:
        sure = f"with {rates.confidence:.0%} confidence {low:.1%} to {high:.1%} of the labels are wrong"
        click.echo(f"unflip: {sure}, more than {fail_over:.1%}.", err=True)
        context.exit(TOO_MANY_WRONG)


def is_pattern(table: str) -> bool:
    """Tell whether a name stands for many files."""
    return any(sign in table for sign in "*?[") and not Path(table).exists()


def check_absent(option: str, value: str | None, needed: str, table: str) -> None:
    """Refuse an option that a table cannot have."""
    if value is not None:
        raise refusal("unflip audit", "TABLE", f"{needed} for {option}", table)


def check_limit(limit: float | None) -> None:
    """Refuse a limit that is no share."""
    if limit is not None and not 0 <= limit <= 1:
        raise refusal("unflip audit", "--fail-over", "a share between 0 and 1", limit)


def summary(found: TableAudit) -> str:
    """Return what a person wants to know first."""
    audit, document = found.audit, found.document
    lines = [
        f"{document['title']}: {document['n_rows']:,} rows, labels in {document['label']!r}",
        "",
        str(audit.rates_),
    ]
    lines += ["", f"{document['n_issues']:,} labels are {flagged_as(document)}. {cleaning_sentence(document)}".rstrip()]
    lines += [line for suspect in document["suspects"][:SHOWN] for line in about_suspect(suspect, document)]
    if document["used"]:
        lines += ["", f"Compared by {len(document['used'])} columns: {', '.join(first_of(document['used']))}."]
    if len(document["opinions"]) > 1:
        judges = (f"{name} ({weight})" for name, weight in opinions_of(document))
        lines += [f"Judged by {', '.join(judges)}."]
    lines += first_of([f"Left out: {name} ({reason})." for name, reason in document["left_out"].items()])
    lines += [f"Note: {note}" for note in document["notes"] if note not in audit.rates_.notes]
    lines += ["", f"Wrote {', '.join(map(str, found.files))}", f"Review them: unflip review {found.report.parent}"]
    return "\n".join(cut(printable(line), MAX_LINE) for text in lines for line in text.split("\n"))


def flagged_as(document: dict[str, Any]) -> str:
    """Say what being flagged means."""
    return "the most suspicious" if document["cleaning"]["top"] else "more likely wrong than right"


def first_of(texts: list[str]) -> list[str]:
    """Return the first of many texts, and how many there are besides."""
    return texts if len(texts) <= MAX_LISTED else [*texts[:MAX_LISTED], f"and {len(texts) - MAX_LISTED:,} more"]


def about_suspect(suspect: dict[str, Any], document: dict[str, Any]) -> Iterator[str]:
    """Yield the lines on one suspect and its nearest rows."""
    names = [cut(printable(name), MAX_NAME) for name in document["classes"]]
    nearest = (f"{near['row']} ({names[near['label']]})" for near in suspect["neighbors"][:NEAREST])
    yield ""
    yield f"  row {suspect['row']}: {names[suspect['given']]}; suggested: {names[suspect['suggested']]}"
    yield f"    {suspect['sentence']}"
    if suspect["neighbors"]:
        yield f"    Nearest rows: {', '.join(nearest)}."


def for_programs(found: TableAudit) -> str:
    """Return the findings as JSON, without pictures and neighbors."""
    content = {name: found.document[name] for name in FOR_PROGRAMS} | {"files": [str(path) for path in found.files]}
    return json.dumps(content, indent=2, ensure_ascii=False, default=str)
