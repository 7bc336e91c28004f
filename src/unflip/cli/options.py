"""Options that several commands have."""

import click

from unflip.cli.models import NAMES

label = click.option("--label", required=True, metavar="COLUMN", help="The label column.")
labels = click.option("--labels", type=click.Path(), metavar="FILE", help="A file of labels, if TABLE has none.")
model = click.option(
    "--model",
    type=click.Choice(NAMES),
    default="auto",
    show_default=True,
    help="Who judges the labels: a blend of several models, the neighbors alone, or a classifier beside them.",
)
scheduler = click.option(
    "--scheduler", metavar="ADDRESS", help="Search on a Dask cluster, such as tcp://host:8786 (Parquet files only)."
)
memory = click.option(
    "--memory", metavar="SIZE", help="How much memory to hold at most, such as 2GB (Parquet files only)."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
