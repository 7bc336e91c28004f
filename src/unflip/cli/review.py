"""The command ``unflip review``: go through the suspects of an audit, or write down what was decided."""

from __future__ import annotations

from unflip.review.desk import Desk
from unflip.review.export import checked_ending, write_export
from unflip.review.serving import serve


def review(folder, *, export, port, open_browser, say):
    """Serve the page, or write the export and say where."""
    if export is not None:
        checked_ending(export)
    desk = Desk(folder)
    try:
        if export is None:
            serve(desk, port=port, open_browser=open_browser, say=say)
        else:
            write_export(desk, export)
            say(f"Wrote {export}.")
    finally:
        desk.close()
