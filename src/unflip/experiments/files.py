"""Tables, texts and pictures as files that are there whole or not at all, and the same bytes each time."""

from __future__ import annotations

from unflip.foundation.atomic_files import atomic_write
from unflip.foundation.optional import optional


def write_text(path, text):
    """Write a text; return the path."""
    with atomic_write(path) as file:
        file.write(text)
    return path


def write_table(table, folder, name):
    """Write a Table as CSV, Markdown and LaTeX; return the paths."""
    forms = {".csv": table.to_csv, ".md": table.to_markdown, ".tex": table.to_latex}
    return [write_text(folder / f"{name}{ending}", form()) for ending, form in forms.items()]


def write_frame(frame, folder, name, caption):
    """Write a frame of texts as CSV, Markdown and LaTeX; return the paths."""
    lines = ["| " + " | ".join(row) + " |" for row in [list(frame), ["---"] * frame.shape[1], *frame.values.tolist()]]
    latex = frame.to_latex(index=False, escape=True, caption=caption.replace("%", r"\%"))
    return [
        write_csv(frame, folder, name),
        write_text(folder / f"{name}.md", "\n".join([caption, "", *lines]) + "\n"),
        write_text(folder / f"{name}.tex", latex),
    ]


def write_csv(frame, folder, name):
    """Write the numbers of a frame, six digits behind the point; return the path."""
    return write_text(folder / f"{name}.csv", frame.round(6).to_csv(index=False, lineterminator="\n"))


def write_picture(figure, folder, name):
    """Write a figure as SVG and PNG, without the date and with names that do not change; return the paths."""
    matplotlib = optional("matplotlib", "plot", "reproduce")
    box = "tight" if figure.get_layout_engine() is None else None  # what has a layout leaves nothing outside
    written = []
    for ending, metadata in ((".svg", {"Date": None}), (".png", {"Software": None})):
        path = folder / f"{name}{ending}"
        with matplotlib.rc_context({"svg.hashsalt": "unflip"}), atomic_write(path, binary=True) as file:
            figure.savefig(file, format=ending[1:], dpi=110, bbox_inches=box, metadata=metadata)
        written.append(path)
    return written
