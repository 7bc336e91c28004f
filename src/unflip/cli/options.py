"""Options that several commands have."""

import click

label = click.option("--label", required=True, metavar="COLUMN", help="The label column.")
labels = click.option("--labels", type=click.Path(), metavar="FILE", help="A file of labels, if TABLE has none.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
