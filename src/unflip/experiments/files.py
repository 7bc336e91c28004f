"""Atomic, reproducible files of tables, texts and figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from unflip.experiments.tables.markup import Table, pipe_row
from unflip.foundation.atomic_files import atomic_write
from unflip.foundation.optional import optional

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_text(path: Path, text: str) -> Path:
    """Write a text.

    Parameters
    ----------
    path : Path
        The file; replaced if it exists.
    text : str
        Its content.

    Returns
    -------
    path : Path
        The file.
    """
    with atomic_write(path) as file:
        file.write(text)
    return path


def write_table(table: Table, folder: Path, name: str) -> list[Path]:
    """Write a table as CSV, Markdown and LaTeX.

    Parameters
    ----------
    table : Table
        The table.
    folder : Path
        Where to write.
    name : str
        File name without suffix.

    Returns
    -------
    paths : list of Path
        The three files.
    """
    forms = {".csv": table.to_csv, ".md": table.to_markdown, ".tex": table.to_latex}
    return [write_text(folder / f"{name}{suffix}", form()) for suffix, form in forms.items()]


def write_frame(frame: pd.DataFrame, folder: Path, name: str, caption: str) -> list[Path]:
    """Write a frame of strings as CSV, Markdown and LaTeX.

    Parameters
    ----------
    frame : DataFrame
        All cells are strings.
    folder : Path
        Where to write.
    name : str
        File name without suffix.
    caption : str
        Caption of the Markdown and LaTeX tables.

    Returns
    -------
    paths : list of Path
        The three files.
    """
    lines = map(pipe_row, [list(frame), ["---"] * frame.shape[1], *frame.to_numpy().tolist()])
    latex = frame.to_latex(index=False, escape=True, caption=caption.replace("%", r"\%"))
    return [
        write_csv(frame, folder, name),
        write_text(folder / f"{name}.md", "\n".join([caption, "", *lines]) + "\n"),
        write_text(folder / f"{name}.tex", latex),
    ]


def write_csv(frame: pd.DataFrame, folder: Path, name: str) -> Path:
    """Write a frame as CSV, with numbers rounded to six decimals.

    Parameters
    ----------
    frame : DataFrame
        The frame; its index is not written.
    folder : Path
        Where to write.
    name : str
        File name without suffix.

    Returns
    -------
    path : Path
        The file.
    """
    return write_text(folder / f"{name}.csv", frame.round(6).to_csv(index=False, lineterminator="\n"))


def write_picture(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a figure as SVG and PNG, without dates and random identifiers.

    Parameters
    ----------
    figure : matplotlib Figure
        The figure.
    folder : Path
        Where to write.
    name : str
        File name without suffix.

    Returns
    -------
    paths : list of Path
        The two files.
    """
    matplotlib = optional("matplotlib", "plot", "reproduce")
    bounds = "tight" if figure.get_layout_engine() is None else None  # a layout engine leaves nothing outside
    written = []
    for suffix, metadata in ((".svg", {"Date": None}), (".png", {"Software": None})):
        path = folder / f"{name}{suffix}"
        with matplotlib.rc_context({"svg.hashsalt": "unflip"}), atomic_write(path, binary=True) as file:
            figure.savefig(file, format=suffix[1:], dpi=110, bbox_inches=bounds, metadata=metadata)
        written.append(path)
    return written
