"""The printed figures of a paper, read from `papers/figures/<paper>.json` or a copy of it.

JSON numbers have lost their trailing zeros, so the number of printed digits is taken from the
number with the most digits in the same column.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from ..errors import BadInput, UnknownName

PAPERS = ("kavumba2019", "kavumba2020", "niven2019", "branco2021")
TEXT = "text"  # id of the table of figures in running text
VALUE = "value"  # the only part of a plain number

# columns of strings that count as figures, and columns of numbers that only label rows
_TEXT_COLUMNS = {
    ("kavumba2019", "table-2"): ("cue",),
    **{("branco2021", f"table-{n}"): ("unigram", "bigram") for n in (11, 12, 13, 14)},
}
_LABEL_COLUMNS = {"branco2021": ("choice", "partial")}

FigureValue = float | int | str | bool
FigureParts = dict[str, FigureValue]  # keys: `value`, or `mean` and `spread`, or other names
CellKey = tuple[str, int, str]  # table, row, column; in running text: TEXT, row, figure id


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """One printed figure."""

    key: CellKey
    parts: FigureParts
    digits: dict[str, int]  # after the point, by part
    claim: str  # what its file says about how it can be reproduced

    def matches(self, values: Mapping[str, FigureValue]) -> bool:
        """Tell whether values, rounded to the printed digits, equal the printed ones."""
        return all(
            name in values and _equal_when_rounded(value, values[name], self.digits[name])
            for name, value in self.parts.items()
        )


def _equal_when_rounded(printed: FigureValue, value: FigureValue, digits: int) -> bool:
    """Compare two values; a number half-way may be rounded up or down."""
    if isinstance(printed, str | bool) or isinstance(value, str | bool):
        return printed == value
    return abs(printed - value) <= 0.5 * 10.0**-digits + 1e-9


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A printed table: the labels of its rows, and its figures."""

    id: str
    title: str
    unit: str
    labels: tuple[str, ...]
    columns: tuple[str, ...]  # of figures
    rows: tuple[dict[str, Any], ...]  # the labels of each row
    figures: dict[CellKey, PrintedFigure]

    def get_number(self, row: int, column: str, part: str = VALUE) -> float:
        """Return a printed number."""
        return float(self.figures[self.id, row, column].parts[part])

    def find_row(self, **labels: Any) -> int:
        """Find the index of the first row with these labels."""
        for i, row in enumerate(self.rows):
            if all(row.get(name) == value for name, value in labels.items()):
                return i
        raise KeyError(labels)


@dataclass(frozen=True, slots=True)
class Paper:
    """All printed figures of a paper."""

    key: str
    title: str
    citation: str
    tables: dict[str, PrintedTable]

    def iter_figures(self) -> Iterator[PrintedFigure]:
        """Iterate over all figures, in the order of the paper."""
        for table in self.tables.values():
            yield from table.figures.values()

    def text_figure(self, figure_id: str) -> PrintedFigure:
        """Return a figure of the running text."""
        table = self.tables[TEXT]
        return table.figures[TEXT, table.find_row(id=figure_id), figure_id]


def load_paper(name: str) -> Paper:
    """Load a paper by name, or from a JSON file of the same form."""
    if name in PAPERS:
        source = resources.files("hansproof").joinpath(f"papers/figures/{name}.json")
        return _parse_paper(name, source.read_text(encoding="utf-8"))
    if not name.endswith(".json") and not os.path.exists(name):
        raise UnknownName("paper", name, PAPERS)
    try:
        return _parse_paper(name, Path(name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(name, getattr(error, "strerror", None) or "is not text") from None


def select_tables(paper: Paper, tables: Collection[str]) -> list[str]:
    """Return the ids of tables given by id or number; all ids if none is given."""
    selected = []
    for name in tables:
        table_id = f"table-{name}" if name.isdecimal() else name
        if table_id not in paper.tables:
            raise UnknownName("table", name, paper.tables)
        selected.append(table_id)
    return [table_id for table_id in paper.tables if not selected or table_id in selected]


def _parse_paper(name: str, text: str) -> Paper:
    try:
        content = json.loads(text)
        key = content["key"]
        tables = {table["id"]: _parse_table(key, table) for table in content["tables"]}
        tables[TEXT] = _parse_text_figures(content["text_figures"])
        paper = Paper(key, content["paper"], content["citation"], tables)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(name, f"is not a file of a paper's figures: {error!r}") from None
    if paper.key not in PAPERS:
        raise UnknownName("paper", str(paper.key), PAPERS)
    return paper


def _parse_table(key: str, table: dict[str, Any]) -> PrintedTable:
    table_id, rows = table["id"], table["rows"]
    text_columns = _TEXT_COLUMNS.get((key, table_id), ())
    columns = tuple(c for c in table["columns"] if c in text_columns or _is_figure(key, rows, c))
    cells = {
        (table_id, i, column): _parse_parts(row[column])
        for i, row in enumerate(rows)
        for column in columns
        if row.get(column) is not None
    }
    figures = {}
    for cell_key, parts in cells.items():
        _, i, column = cell_key
        column_cells = [other for (_, _, c), other in cells.items() if c == column]
        digits = {
            part: _count_digits(cell[part] for cell in column_cells if part in cell)
            for part in parts
        }
        figures[cell_key] = PrintedFigure(
            cell_key, parts, digits, _find_claim(table, rows[i], column)
        )
    labels = tuple(c for c in table["columns"] if c not in columns)
    return PrintedTable(
        table_id, table["title"], table["unit"], labels, columns,
        tuple({label: row.get(label) for label in labels} for row in rows), figures,
    )  # fmt: skip


def _is_figure(key: str, rows: Iterable[dict[str, Any]], column: str) -> bool:
    if column in _LABEL_COLUMNS.get(key, ()):
        return False
    return any(isinstance(row.get(column), int | float | dict) for row in rows)


def _find_claim(table: dict[str, Any], row: dict[str, Any], column: str) -> str:
    """Find what the file says about reproducing a cell: in its row, else in its table."""
    for scope in (row, table):
        cells = scope.get("reproducible_cells", {})
        if column in cells or "reproducible" in scope:
            return str(cells.get(column) or scope["reproducible"])
    return ""


def _parse_text_figures(figures: list[dict[str, Any]]) -> PrintedTable:
    """Collect the figures of running text; settings and quoted figures have an empty claim."""
    rows = tuple({"id": f["id"], "what": f["what"], "unit": f.get("unit", "")} for f in figures)
    printed_figures = {}
    for i, figure in enumerate(figures):
        cell_key = (TEXT, i, figure["id"])
        parts = _parse_parts(figure["value"])
        digits = {part: _count_digits([value]) for part, value in parts.items()}
        printed_figures[cell_key] = PrintedFigure(
            cell_key, parts, digits, figure.get("reproducible", "")
        )
    return PrintedTable(
        TEXT, "Figures in running text", "", ("what", "unit"), ("figure",), rows, printed_figures
    )


def _parse_parts(value: Any) -> FigureParts:
    if isinstance(value, dict):
        return {part: number for part, number in value.items() if number is not None}
    if isinstance(value, list):
        return {str(i): number for i, number in enumerate(value)}
    return {VALUE: value}


def _count_digits(values: Iterable[FigureValue]) -> int:
    """Count the digits after the point of the number that has most."""
    return max((len(f"{v:.10f}".rstrip("0").partition(".")[2])
                for v in values if isinstance(v, int | float)), default=0)  # fmt: skip
