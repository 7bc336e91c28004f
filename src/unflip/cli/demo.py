"""The command ``unflip demo``: labels flipped at known rates, and what becomes of them."""

from __future__ import annotations

import click


@click.command()
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Decides which labels are flipped."
)
@click.option(
    "--out", type=click.Path(), default="unflip-demo", show_default=True, metavar="DIR", help="Output folder."
)
def demo(seed: int, out: str) -> None:
    """Flip labels at known rates, train despite them, and find them again."""
    from unflip.cli.demonstration import audit, compare, show

    click.echo(show(compare(seed)))
    click.echo()
    click.echo(audit(out, seed))
