"""The figures that a paper prints: its file in `hansproof/papers`, or a copy of one.

A file has lost the zeros at the end of a number, so how many digits were printed is read off the
column: as many as its longest number has.
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
TEXT = "text"  # the table of what is said in running text
VALUE = "value"  # the one part of a plain number

# strings that are findings, and numbers and flags that only say which row it is
_NAMED = {
    ("kavumba2019", "table-2"): ("cue",),
    **{("branco2021", f"table-{n}"): ("unigram", "bigram") for n in (11, 12, 13, 14)},
}
_LABELS = {"branco2021": ("choice", "partial")}

Value = float | int | str | bool
Parts = dict[str, Value]  # `value`, or `mean` and `spread`, or what a figure has by name
Place = tuple[str, int, str]  # table, row, column; of text: TEXT, number, id


@dataclass(frozen=True, slots=True)
class Figure:
    """One printed figure."""

    place: Place
    parts: Parts
    digits: dict[str, int]  # after the point, by part
    claim: str  # what its file says of how it can be had

    def matches(self, found: Mapping[str, Value]) -> bool:
        """Whether another, rounded to the digits of this, is this."""
        return all(
            name in found and _same(value, found[name], self.digits[name])
            for name, value in self.parts.items()
        )


def _same(printed: Value, found: Value, digits: int) -> bool:
    """A number half-way between two may be rounded to either."""
    if isinstance(printed, str | bool) or isinstance(found, str | bool):
        return printed == found
    return abs(printed - found) <= 0.5 * 10.0**-digits + 1e-9


@dataclass(frozen=True, slots=True)
class Printed:
    """A table: what names its rows, and its figures."""

    id: str
    title: str
    unit: str
    labels: tuple[str, ...]
    columns: tuple[str, ...]  # of figures
    rows: tuple[dict[str, Any], ...]  # labels of each
    figures: dict[Place, Figure]

    def number(self, row: int, column: str, part: str = VALUE) -> float:
        """A printed number."""
        return float(self.figures[self.id, row, column].parts[part])

    def find(self, **labels: Any) -> int:
        """The first row with these labels."""
        for at, row in enumerate(self.rows):
            if all(row.get(name) == value for name, value in labels.items()):
                return at
        raise KeyError(labels)


@dataclass(frozen=True, slots=True)
class Paper:
    """All figures of one paper."""

    key: str
    title: str
    citation: str
    tables: dict[str, Printed]

    def figures(self) -> Iterator[Figure]:
        """Every one, in the order of the paper."""
        for table in self.tables.values():
            yield from table.figures.values()

    def text(self, id: str) -> Figure:
        """One of running text."""
        table = self.tables[TEXT]
        return table.figures[TEXT, table.find(id=id), id]


def read(name: str) -> Paper:
    """The paper of a name, or of a file of the same shape."""
    if name in PAPERS:
        source = resources.files("hansproof").joinpath(f"papers/{name}.json")
        return _paper(name, source.read_text(encoding="utf-8"))
    if not name.endswith(".json") and not os.path.exists(name):
        raise UnknownName("paper", name, PAPERS)
    try:
        return _paper(name, Path(name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(name, getattr(error, "strerror", None) or "is no text") from None


def wanted(paper: Paper, tables: Collection[str]) -> list[str]:
    """The ids of tables that were named by id, or by number alone; of none, all."""
    found = []
    for name in tables:
        id = f"table-{name}" if name.isdecimal() else name
        if id not in paper.tables:
            raise UnknownName("table", name, paper.tables)
        found.append(id)
    return [id for id in paper.tables if not found or id in found]


def _paper(name: str, text: str) -> Paper:
    try:
        found = json.loads(text)
        key = found["key"]
        tables = {table["id"]: _table(key, table) for table in found["tables"]}
        tables[TEXT] = _text(found["text_figures"])
        paper = Paper(key, found["paper"], found["citation"], tables)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(name, f"is no file of a paper's figures: {error!r}") from None
    if paper.key not in PAPERS:
        raise UnknownName("paper", str(paper.key), PAPERS)
    return paper


def _table(key: str, table: dict[str, Any]) -> Printed:
    id, rows = table["id"], table["rows"]
    named = _NAMED.get((key, id), ())
    columns = tuple(c for c in table["columns"] if c in named or _is_figure(key, rows, c))
    cells = {
        (id, at, column): _parts(row[column])
        for at, row in enumerate(rows)
        for column in columns
        if row.get(column) is not None
    }
    figures = {}
    for place, parts in cells.items():
        _, at, column = place
        like = [other for (_, _, c), other in cells.items() if c == column]
        digits = {part: _digits(one[part] for one in like if part in one) for part in parts}
        figures[place] = Figure(place, parts, digits, _claim(table, rows[at], column))
    labels = tuple(c for c in table["columns"] if c not in columns)
    return Printed(
        id, table["title"], table["unit"], labels, columns,
        tuple({label: row.get(label) for label in labels} for row in rows), figures,
    )  # fmt: skip


def _is_figure(key: str, rows: Iterable[dict[str, Any]], column: str) -> bool:
    if column in _LABELS.get(key, ()):
        return False
    return any(isinstance(row.get(column), int | float | dict) for row in rows)


def _claim(table: dict[str, Any], row: dict[str, Any], column: str) -> str:
    """The nearest to the cell that speaks of it."""
    for holder in (row, table):
        cells = holder.get("reproducible_cells", {})
        if column in cells or "reproducible" in holder:
            return str(cells.get(column) or holder["reproducible"])
    return ""


def _text(figures: list[dict[str, Any]]) -> Printed:
    """Settings and figures that are only quoted say nothing of how they can be had."""
    rows = tuple({"id": f["id"], "what": f["what"], "unit": f.get("unit", "")} for f in figures)
    found = {}
    for at, one in enumerate(figures):
        place = (TEXT, at, one["id"])
        parts = _parts(one["value"])
        digits = {part: _digits([value]) for part, value in parts.items()}
        found[place] = Figure(place, parts, digits, one.get("reproducible", ""))
    return Printed(TEXT, "Figures in running text", "", ("what", "unit"), ("figure",), rows, found)


def _parts(value: Any) -> Parts:
    if isinstance(value, dict):
        return {part: number for part, number in value.items() if number is not None}
    if isinstance(value, list):
        return {str(at): number for at, number in enumerate(value)}
    return {VALUE: value}


def _digits(values: Iterable[Value]) -> int:
    """After the point, in the longest of them."""
    return max((len(f"{v:.10f}".rstrip("0").partition(".")[2])
                for v in values if isinstance(v, int | float)), default=0)  # fmt: skip
