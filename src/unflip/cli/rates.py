"""The command ``unflip rates``: how many labels of a table are wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from unflip.cli import options
from unflip.foundation.printable import printable

if TYPE_CHECKING:
    from unflip.tables import Encoding, LabeledTable


@click.command()
@click.argument("table", type=click.Path())
@options.label
@options.labels
@options.model
@click.option(
    "--noise-estimator",
    "--method",
    "noise_estimator",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="As in estimate_noise_rates.",
)
@click.option("--confidence", type=float, default=0.9, show_default=True, help="Of the intervals.")
@options.as_json
def rates(
    table: str, label: str, labels: str | None, model: str, noise_estimator: str, confidence: float, as_json: bool
) -> None:
    """Estimate how many labels of TABLE (CSV, Parquet, Arrow, .npy or .npz) are wrong, by class, with intervals."""
    click.echo(
        answer(
            table,
            label,
            labels_path=labels,
            model=model,
            noise_estimator=noise_estimator,
            confidence=confidence,
            as_json=as_json,
        )
    )


def answer(
    path: str,
    label: str,
    *,
    model: str = "auto",
    noise_estimator: str = "auto",
    confidence: float = 0.9,
    as_json: bool = False,
    labels_path: str | None = None,
) -> str:
    """Return the text to print."""
    from unflip.cli.models import model_named
    from unflip.noise_rates import estimate_noise_rates
    from unflip.tables import read_labeled

    labeled = read_labeled(path, label, labels_path)
    encoding = labeled.encode()
    rates = estimate_noise_rates(
        encoding.matrix,
        labeled.labels.to_numpy(),
        model=model_named(model),
        noise_estimator=noise_estimator,
        confidence=confidence,
        random_state=0,
    )
    if as_json:
        found = rates.to_dict() | {"columns": encoding.used, "left_out": encoding.left_out}
        found["notes"] += labeled.notes
        return json.dumps(found, indent=2, ensure_ascii=False)
    lines = [*str(rates).splitlines(), "", *_about_columns(labeled, encoding), *labeled.notes]
    return "\n".join(map(printable, lines))


def _about_columns(labeled: LabeledTable, encoding: Encoding) -> Iterator[str]:
    if labeled.embedding is not None:
        yield f"Compared by an embedding of {encoding.matrix.shape[1]} numbers per row."
        return
    yield printable(f"Compared by {len(encoding.used)} columns: {', '.join(encoding.used)}.")
    yield from (printable(f"Left out: {name} ({reason}).") for name, reason in encoding.left_out.items())
