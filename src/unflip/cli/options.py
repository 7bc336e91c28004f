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
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
