"""The command ``unflip datasets``: which of the paper's data sets are here, and getting the others."""

from __future__ import annotations

from unflip.datasets.catalog import CATALOG, dataset_named
from unflip.datasets.fetching import fetch
from unflip.datasets.files import data_folder, find_file


def listing(data_home):
    """Return the table to print."""
    folder = data_folder(data_home)
    lines = [f"{'name':<12}{'rows':>7}{'columns':>9}  here"]
    for dataset in CATALOG.values():
        here = "yes" if find_file(dataset, folder) else "no"
        lines.append(f"{dataset.name:<12}{dataset.shape[0]:>7}{dataset.shape[1]:>9}  {here}")
    return "\n".join([*lines, "", f"Folder: {folder}"])


def fetched(names, data_home):
    """Fetch data sets one after another, yielding a line for each; a misspelt name is refused before the first."""
    for dataset in [dataset_named(name) for name in names]:
        path = fetch(dataset.name, data_home=data_home)
        unchecked = "" if dataset.sha256 else " (rows and columns counted; no checksum is recorded)"
        yield f"{dataset.name}: {path}{unchecked}"
