"""The command ``unflip predict``: labels of new rows, learned from a table with some wrong labels."""

from __future__ import annotations

import click

from unflip.cli import options


@click.command()
@click.argument("new", type=click.Path())
@click.option("--train", required=True, type=click.Path(), metavar="TABLE", help="Labeled rows; some labels are wrong.")
@options.label
@options.labels
@options.model
@click.option("--out", type=click.Path(), metavar="FILE", help="Write to FILE instead of standard output.")
@click.option(
    "--neighbors", type=click.IntRange(min=1), default=3, show_default=True, help="Number of nearest rows to list."
)
def predict(new: str, train: str, label: str, labels: str | None, model: str, out: str | None, neighbors: int) -> None:
    """Predict the labels of the rows of NEW: a CSV of row, label, probability and nearest rows of TABLE."""
    from unflip.cli.prediction import check_output, predictions, write

    check_output(out, [train, new, labels])
    table, notes = predictions(train, new, label, model=model, labels_path=labels, n_neighbors=neighbors)
    for note in notes:
        click.echo(note, err=True)
    check_output(out, [train, new, labels])
    write(table, out)
