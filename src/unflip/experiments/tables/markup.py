"""One table of results, written as CSV, Markdown and LaTeX from the same formatted numbers."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from math import isfinite
from numbers import Real

from unflip.foundation.checks import check_choice, is_integer
from unflip.foundation.errors import refusal
from unflip.foundation.markdown import escape_markdown

NOT_AVAILABLE = "data not available"
CSV_COLUMNS = ("row", "column", "mean", "spread", "best", "mark", "note")
MARKDOWN_MARKS = {"win": " •", "loss": " ◦"}
LATEX_MARKS = {"win": r"\,\bullet", "loss": r"\,\circ"}

_LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "[": "{[}", "]": "{]}", "*": "{*}",  # after \\ these would be its arguments
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
})  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """One result.

    Parameters
    ----------
    mean : float or None, default=None
        The number, or None where there is none.
    spread : float or None, default=None
        Its standard deviation, if there is one to show.
    mark : {"", "win", "tie", "loss"}, default=""
        A verdict; the caption should say whose. A tie shows nothing.
    note : str, default=""
        Put below the table; in CSV, beside the number.
    instead : str, default="data not available"
        What stands where there is no number.
    """

    mean: float | None = None
    spread: float | None = None
    mark: str = ""
    note: str = ""
    instead: str = NOT_AVAILABLE

    def __post_init__(self):
        for name in ("mean", "spread"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, Real) and isfinite(value)):
                raise refusal(self, name, "a finite number or None", value)
        check_choice(self, "mark", self.mark, ("", "win", "tie", "loss"))
        if self.mean is None and (self.spread is not None or self.mark):
            raise refusal(self, "mean", "a number where there is a spread or a mark", None)


@dataclass(frozen=True)
class Table:
    """Rows of named cells; a line break in any text is written as a space.

    Parameters
    ----------
    columns : tuple of str
        Names, in order.
    rows : dict of str to dict of str to Cell
        The cells of each row by column; a column that a row leaves out is not available there.
    corner : str, default=""
        What the names of the rows are.
    caption : str, default=""
        What the table shows.
    decimals : int, default=4
        Digits after the point.
    best : {"highest", "lowest", "none"}, default="highest"
        Which cell of a row to mark. What prints as the same number is equally good.
    column_notes : dict of str to str, default={}
        Notes on whole columns; in CSV, beside each of their numbers.

    Examples
    --------
    >>> from unflip.experiments.tables.markup import Cell, Table
    >>> row = {"ours": Cell(0.91, 0.02), "theirs": Cell(0.88, 0.03, mark="win"), "slow": Cell(note="out of time")}
    >>> table = Table(("ours", "theirs", "slow"), {"heart": row}, corner="data", decimals=2)
    >>> print(table.to_markdown())
    | data | ours | theirs | slow |
    | :--- | ---: | ---: | ---: |
    | heart | **0.91** ± 0.02 | 0.88 ± 0.03 • | data not available<sup>1</sup> |
    <BLANKLINE>
    <sup>1</sup> out of time
    <BLANKLINE>
    """

    columns: tuple[str, ...]
    rows: dict[str, dict[str, Cell]] = field(default_factory=dict)
    corner: str = ""
    caption: str = ""
    decimals: int = 4
    best: str = "highest"
    column_notes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        check_choice(self, "best", self.best, ("highest", "lowest", "none"))
        if not is_integer(self.decimals) or self.decimals < 0:
            raise refusal(self, "decimals", "an integer >= 0", self.decimals)
        if len(set(self.columns)) < len(self.columns):
            raise refusal(self, "columns", "names that differ", self.columns)
        if unknown := [name for name in self.column_notes if name not in self.columns]:
            raise refusal(self, "column_notes", "notes on the columns alone", unknown)
        for row, cells in self.rows.items():
            if unknown := [name for name in cells if name not in self.columns]:
                raise refusal(self, "rows", f"cells of the columns alone (row {row!r})", unknown)

    def to_csv(self):
        """Return a line for each cell: row, column, mean, spread, best (yes or nothing), mark, note.

        Returns
        -------
        text : str
            Lines that end in a line feed; where there is no number the mean is empty and the note says why.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        for row, cells in self._printed():
            for column, cell in zip(self.columns, cells, strict=True):
                note = cell.note if cell.mean else ": ".join(filter(None, (cell.instead, cell.note)))
                note = "; ".join(filter(None, (note, self.column_notes.get(column))))
                best = "yes" if cell.best else ""
                line = (row, column, cell.mean, cell.spread, best, cell.mark, note)
                writer.writerow(map(_one_line, line))
        return text.getvalue()

    def to_markdown(self):
        """Return a pipe table, the best of a row in bold, a filled dot for a win and an open one for a loss.

        Returns
        -------
        text : str
            The caption, the table, and the numbered notes.
        """
        notes = self._numbered_notes()
        lines = [_markdown(self.caption), ""] if self.caption else []
        heads = (_markdown(name) + _raised(notes, self.column_notes.get(name)) for name in self.columns)
        lines.append(_pipes((_markdown(self.corner), *heads)))
        lines.append(_pipes((":---", *("---:" for _ in self.columns))))
        lines += [_pipes((_markdown(row), *(c.markdown(notes) for c in cells))) for row, cells in self._printed()]
        for note, number in notes.items():
            lines += ["", f"<sup>{number}</sup> {_markdown(note)}"]
        return "\n".join(lines) + "\n"

    def to_latex(self):
        r"""Return a table environment for the package booktabs, marked as in Markdown.

        Returns
        -------
        text : str
            From ``\begin{table}`` to ``\end{table}``.
        """
        notes = self._numbered_notes()
        lines = [r"\begin{table}", r"\centering"]
        lines += [rf"\caption{{{_latex(self.caption)}}}"] if self.caption else []
        lines += [rf"\begin{{tabular}}{{l{'r' * len(self.columns)}}}", r"\toprule"]
        heads = (_latex(name) + _superscript(notes, self.column_notes.get(name)) for name in self.columns)
        lines += [_ampersands((_latex(self.corner), *heads)), r"\midrule"]
        lines += [_ampersands((_latex(row), *(c.latex(notes) for c in cells))) for row, cells in self._printed()]
        lines += [r"\bottomrule", r"\end{tabular}"]
        lines += [rf"\par{{\footnotesize $^{{{number}}}$ {_latex(note)}}}" for note, number in notes.items()]
        return "\n".join([*lines, r"\end{table}"]) + "\n"

    def _printed(self):
        """Yield each row's name and its cells with their numbers as text: the one place where numbers are formatted."""
        for row, cells in self.rows.items():
            in_order = [cells.get(column, Cell()) for column in self.columns]
            texts = [self._number(cell.mean) for cell in in_order]
            best = self._best(texts)
            yield (
                row,
                [
                    _PrintedCell(mean, self._number(cell.spread), mean == best, cell.mark, cell.note, cell.instead)
                    for cell, mean in zip(in_order, texts, strict=True)
                ],
            )

    def _number(self, value):
        return "" if value is None else f"{value:z.{self.decimals}f}"

    def _best(self, texts):
        available = [text for text in texts if text]
        if self.best == "none" or not available:
            return None
        return (max if self.best == "highest" else min)(available, key=float)

    def _numbered_notes(self):
        of_columns = [self.column_notes[name] for name in self.columns if self.column_notes.get(name)]
        of_cells = [cell.note for _, cells in self._printed() for cell in cells if cell.note]
        return {note: number for number, note in enumerate(dict.fromkeys(of_columns + of_cells), start=1)}


@dataclass(frozen=True)
class _PrintedCell:
    mean: str
    spread: str
    best: bool
    mark: str
    note: str
    instead: str

    def markdown(self, notes):
        mean = f"**{self.mean}**" if self.best else self.mean or _markdown(self.instead)
        spread = f" ± {self.spread}" if self.spread else ""
        return mean + spread + MARKDOWN_MARKS.get(self.mark, "") + _raised(notes, self.note)

    def latex(self, notes):
        if not self.mean:
            return _latex(self.instead) + _superscript(notes, self.note)
        note = f"^{{{notes[self.note]}}}" if self.note else ""
        mean = rf"\mathbf{{{self.mean}}}" if self.best else self.mean
        spread = rf" \pm {self.spread}" if self.spread else ""
        return f"${mean}{spread}{LATEX_MARKS.get(self.mark, '')}{note}$"


def _raised(notes, note):
    return f"<sup>{notes[note]}</sup>" if note else ""


def _superscript(notes, note):
    return f"$^{{{notes[note]}}}$" if note else ""


def _one_line(text):
    return " ".join(text.split())


def _markdown(text):
    return escape_markdown(_one_line(text))


def _latex(text):
    return _one_line(text).translate(_LATEX)


def _pipes(texts):
    return "| " + " | ".join(texts) + " |"


def _ampersands(texts):
    return " & ".join(texts) + r" \\"
