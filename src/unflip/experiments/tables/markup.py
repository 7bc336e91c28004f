"""A table of results that renders as CSV, Markdown and LaTeX from the same formatted numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite

from unflip.experiments.statistics.comparison import NOT_AVAILABLE
from unflip.foundation.checks import check_choice, is_integer, is_number
from unflip.foundation.errors import refusal
from unflip.foundation.markdown import escape_markdown

CSV_COLUMNS = ("row", "column", "mean", "spread", "best", "mark", "note")
MARKDOWN_MARKS = {"win": " •", "loss": " ◦"}
LATEX_MARKS = {"win": r"\,\bullet", "loss": r"\,\circ"}

_LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "[": "{[}", "]": "{]}", "*": "{*}",  # after \\ these would be read as its arguments
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
})  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """One result.

    Parameters
    ----------
    mean : float or None, default=None
        The number, or None for an empty cell.
    spread : float or None, default=None
        Its standard deviation, shown unless None.
    mark : {"", "win", "tie", "loss"}, default=""
        A verdict, whose subject the caption should name. Ties are not marked.
    note : str, default=""
        A footnote; in CSV, a column.
    instead : str, default="data not available"
        The text of an empty cell.
    """

    mean: float | None = None
    spread: float | None = None
    mark: str = ""
    note: str = ""
    instead: str = NOT_AVAILABLE

    def __post_init__(self) -> None:
        for name in ("mean", "spread"):
            value = getattr(self, name)
            if value is not None and not (is_number(value) and isfinite(value)):
                raise refusal(self, name, "a finite number or None", value)
        check_choice(self, "mark", self.mark, ("", "win", "tie", "loss"))
        if self.mean is None and (self.spread is not None or self.mark):
            raise refusal(self, "mean", "a number if there is a spread or a mark", None)


@dataclass(frozen=True)
class Table:
    """Rows of named cells. Line breaks in texts are written as spaces.

    Parameters
    ----------
    columns : tuple of str
        Names, in order.
    rows : dict of str to dict of str to Cell, default={}
        The cells of each row by column; omitted cells are empty.
    corner : str, default=""
        Heading of the row names.
    caption : str, default=""
        What the table shows.
    decimals : int, default=4
        Digits after the decimal point.
    best : {"highest", "lowest", "none"}, default="highest"
        Which number of a row to set in bold. Numbers that print alike tie.
    column_notes : dict of str to str, default={}
        Footnotes on column heads; in CSV, added to the note of each of their cells.

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

    def __post_init__(self) -> None:
        check_choice(self, "best", self.best, ("highest", "lowest", "none"))
        if not is_integer(self.decimals) or self.decimals < 0:
            raise refusal(self, "decimals", "an integer >= 0", self.decimals)
        if len(set(self.columns)) < len(self.columns):
            raise refusal(self, "columns", "distinct names", self.columns)
        if unknown := [name for name in self.column_notes if name not in self.columns]:
            raise refusal(self, "column_notes", "notes on existing columns", unknown)
        for row, cells in self.rows.items():
            if unknown := [name for name in cells if name not in self.columns]:
                raise refusal(self, "rows", f"cells of existing columns (row {row!r})", unknown)

    def to_csv(self) -> str:
        """Return one line per cell: row, column, mean, spread, best ("yes" or empty), mark, note.

        Returns
        -------
        text : str
            Lines ending in a line feed. An empty cell has an empty mean, and its note says why.
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

    def to_markdown(self) -> str:
        """Return a pipe table: the best of each row in bold, a filled dot for a win, an open one for a loss.

        Returns
        -------
        text : str
            The caption, the table, and the numbered notes.
        """
        notes = self._numbered_notes()
        lines = [_markdown(self.caption), ""] if self.caption else []
        heads = (_markdown(name) + _raised(notes, self.column_notes.get(name)) for name in self.columns)
        lines.append(pipe_row((_markdown(self.corner), *heads)))
        lines.append(pipe_row((":---", *("---:" for _ in self.columns))))
        lines += [pipe_row((_markdown(row), *(c.markdown(notes) for c in cells))) for row, cells in self._printed()]
        for note, number in notes.items():
            lines += ["", f"<sup>{number}</sup> {_markdown(note)}"]
        return "\n".join(lines) + "\n"

    def to_latex(self) -> str:
        r"""Return a table environment that uses the package booktabs, marked as in Markdown.

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

    def _printed(self) -> Iterator[tuple[str, list[_PrintedCell]]]:
        """Yield each row's name and its cells with formatted numbers; numbers are formatted only here."""
        for row, cells in self.rows.items():
            in_order = [cells.get(column, Cell()) for column in self.columns]
            texts = [self._number(cell.mean) for cell in in_order]
            best = self._best(texts)
            printed = [
                _PrintedCell(mean, self._number(cell.spread), mean == best, cell.mark, cell.note, cell.instead)
                for cell, mean in zip(in_order, texts, strict=True)
            ]
            yield row, printed

    def _number(self, value: float | None) -> str:
        return "" if value is None else f"{value:z.{self.decimals}f}"

    def _best(self, texts: list[str]) -> str | None:
        numbers = [text for text in texts if text]
        if self.best == "none" or not numbers:
            return None
        return max(numbers, key=float) if self.best == "highest" else min(numbers, key=float)

    def _numbered_notes(self) -> dict[str, int]:
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

    def markdown(self, notes: Mapping[str, int]) -> str:
        mean = f"**{self.mean}**" if self.best else self.mean or _markdown(self.instead)
        spread = f" ± {self.spread}" if self.spread else ""
        return mean + spread + MARKDOWN_MARKS.get(self.mark, "") + _raised(notes, self.note)

    def latex(self, notes: Mapping[str, int]) -> str:
        if not self.mean:
            return _latex(self.instead) + _superscript(notes, self.note)
        note = f"^{{{notes[self.note]}}}" if self.note else ""
        mean = rf"\mathbf{{{self.mean}}}" if self.best else self.mean
        spread = rf" \pm {self.spread}" if self.spread else ""
        return f"${mean}{spread}{LATEX_MARKS.get(self.mark, '')}{note}$"


def pipe_row(texts: Iterable[str]) -> str:
    """Return one line of a Markdown table.

    Parameters
    ----------
    texts : iterable of str
        The cells; not escaped.

    Returns
    -------
    line : str
        The cells between pipes.

    Examples
    --------
    >>> pipe_row(["heart", "0.83"])
    '| heart | 0.83 |'
    """
    return "| " + " | ".join(texts) + " |"


def _raised(notes: Mapping[str, int], note: str | None) -> str:
    return f"<sup>{notes[note]}</sup>" if note else ""


def _superscript(notes: Mapping[str, int], note: str | None) -> str:
    return f"$^{{{notes[note]}}}$" if note else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _markdown(text: str) -> str:
    return escape_markdown(_one_line(text))


def _latex(text: str) -> str:
    return _one_line(text).translate(_LATEX)


def _ampersands(texts: Iterable[str]) -> str:
    return " & ".join(texts) + r" \\"
