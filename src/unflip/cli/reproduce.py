"""The command ``unflip reproduce``: the paper's tables and figures, from raw data."""

from __future__ import annotations

from typing import Any

import click

TARGETS = ("all", *(f"table{i}" for i in range(1, 5)), *(f"figure{i}" for i in range(1, 5)), "theory")


@click.command()
@click.argument("target", type=click.Choice(TARGETS), default="all")
@click.option("--quick", is_flag=True, help="Three small data sets, three trials, small figures: a minute or two.")
@click.option(
    "--protocol",
    type=click.Choice(["paper-as-printed", "paper"]),
    default="paper-as-printed",
    show_default=True,
    help="Ten runs on a quarter of the rows each, or ten trials of four folds.",
)
@click.option("--data", multiple=True, metavar="NAME", help="Only this data set; may be repeated.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Only this method; may be repeated.")
@click.option(
    "--with",
    "added",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE.py",
    help="Run this Python file first: it adds methods or data sets of yours by unflip.experiments.add_method and "
    "add_dataset. May be repeated.",
)
@click.option("--trials", type=click.IntRange(1, 10), help="Number of trials (default: 10, or 3 with --quick).")
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    default="reproduced",
    show_default=True,
    help="Folder of results, tables and figures.",
)
@click.option("--data-home", type=click.Path(), default=None, help="Folder of data files.")
@click.option("--jobs", "n_jobs", type=int, default=-1, show_default=True, help="Number of cores; -1 means all.")
@click.option("--retry", is_flag=True, help="Run failed jobs again.")
@click.option("--stored", is_flag=True, help="Run nothing; make the tables from stored results, gaps marked.")
def reproduce(target: str, **options: Any) -> None:
    """Reproduce the paper's TARGET beside the printed numbers; everything if no target is named.

    Stored results are reused, and interrupted runs resume.
    """
    from unflip.cli.reproduction import reproduce as lines

    for line in lines(target, **options):
        click.echo(line)
