"""The command ``unflip datasets``: which of the paper's data sets are here, and fetching the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

_data_home = click.option(
    "--data-home", type=click.Path(), metavar="DIR", help="Data folder (default: UNFLIP_DATA, or the user's cache)."
)


@click.group()
def datasets() -> None:
    """List and fetch the paper's data sets."""


@datasets.command(name="list")
@_data_home
def list_datasets(data_home: str | None) -> None:
    """List the data sets, and which of them are here."""
    click.echo(listing(data_home))


@datasets.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@_data_home
def fetch(names: tuple[str, ...], data_home: str | None) -> None:
    """Download data sets that are not here."""
    for line in fetched(names, data_home):
        click.echo(line)


def listing(data_home: str | None) -> str:
    """Return the table to print."""
    from unflip.datasets.catalog import CATALOG
    from unflip.datasets.files import data_folder, find_file

    folder = data_folder(data_home)
    lines = [f"{'name':<12}{'rows':>7}{'columns':>9}  here"]
    for dataset in CATALOG.values():
        here = "yes" if find_file(dataset, folder) else "no"
        lines.append(f"{dataset.name:<12}{dataset.shape[0]:>7}{dataset.shape[1]:>9}  {here}")
    return "\n".join([*lines, "", f"Folder: {folder}"])


def fetched(names: Sequence[str], data_home: str | None) -> Iterator[str]:
    """Fetch data sets one after another, yielding a line for each; an unknown name is refused before the first."""
    from unflip.datasets.catalog import dataset_named
    from unflip.datasets.fetching import fetch as download

    for dataset in [dataset_named(name) for name in names]:
        path = download(dataset.name, data_home=data_home)
        unchecked = "" if dataset.sha256 else " (rows and columns counted; no checksum is recorded)"
        yield f"{dataset.name}: {path}{unchecked}"
