"""The command ``unflip review``: go through the suspects of an audit, or export the decisions."""

from __future__ import annotations

import click


@click.command()
@click.argument("folder", type=click.Path(), metavar="DIR")
@click.option(
    "--export", type=click.Path(), metavar="FILE", help="Write the decisions (.csv, or .json for Label Studio)."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1 (default: a free one).")
@click.option("--no-open", is_flag=True, help="Print the address without opening a browser.")
def review(folder: str, export: str | None, port: int, no_open: bool) -> None:
    """Go through the suspects of the audit in DIR on a local page; every decision is saved at once."""
    from unflip.review.desk import Desk
    from unflip.review.export import check_export, write_export
    from unflip.review.serving import serve

    if export is not None:
        check_export(export)
    desk = Desk(folder)
    try:
        if export is None:
            serve(desk, port=port, open_browser=not no_open, say=click.echo)
        else:
            write_export(desk, export)
            click.echo(f"Wrote {export}.")
    finally:
        desk.close()
