"""A table for terminals of any width: constant columns in the title, others in strips."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ...types import Cell
from ..escape import reveal_hidden
from ..format_numbers import floor_columns

COLUMN_PADDING = 3  # characters of borders and padding
MAX_ROWS = 15  # shown of each table
JSON_HINT = "--json has them all"
CONTEXT_COLUMNS = (
    "n",
    "chance",
    "seeds",
    "trained on",
    "items",
    "order",
)  # numbers that are not results
NUMBER = re.compile(r"[≤<+−-]?\s?\d")  # how the text of a number begins
MIN_NAME_WIDTH = 12  # a column of names is not folded below this width


@dataclass(frozen=True, slots=True)
class TerminalTable:
    """A table of plain text with a title."""

    title: str
    columns: list[str]
    cells: list[list[str]]
    fold_constants: bool = True  # name columns with the same cell in all rows in the title
    split: bool = True  # into strips where it is too wide, instead of folding texts further

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw strips of columns that fit the width, each beginning with the first column."""
        constant_columns = self._constant_columns()
        varying_columns = [i for i in range(len(self.columns)) if i not in constant_columns]
        yield self._title_line(constant_columns)
        if varying_columns:
            for strip in self._split_into_strips(varying_columns, options.max_width):
                yield self._draw_strip(strip)

    def _constant_columns(self) -> list[int]:
        """Return the columns to name in the title: those with the same cell in all rows.

        Numbers stay in the table unless they describe its other numbers.
        """
        if len(self.cells) < 2 or not self.fold_constants:
            return []
        columns = range(len(self.columns))
        numbers = {i for i in columns if any(NUMBER.match(row[i]) for row in self.cells)}
        results = {i for i in numbers if self.columns[i] not in CONTEXT_COLUMNS}
        return [
            i
            for i in columns
            if len({row[i] for row in self.cells}) == 1 and i not in (results or numbers)
        ]

    def _title_line(self, constant_columns: list[int]) -> Text:
        heading = Text(self.title, "bold")
        for i in constant_columns:
            if self.cells[0][i] not in ("", "–"):
                heading.append(f"  {self.columns[i]}: {self.cells[0][i]}", "dim not bold")
        return heading

    def _split_into_strips(self, columns: list[int], width: int) -> list[list[int]]:
        """Distribute columns over strips that fit the width; each begins with the lead columns."""
        if not self.split or sum(map(self._column_width, columns)) + 1 <= width:
            return [columns]
        lead = self._lead_columns(columns, width)
        strips = [[*lead]]
        room = width - 1 - sum(min(self._column_width(i), width // 3) for i in lead)
        room_left = room
        for i in columns[len(lead) :]:
            column_width = min(self._column_width(i), room)
            if column_width > room_left:
                strips.append([*lead])
                room_left = room
            strips[-1].append(i)
            room_left -= column_width
        return strips

    def _lead_columns(self, columns: list[int], width: int) -> list[int]:
        """Return the columns that tell rows apart: the first, and texts after it if they fit."""
        lead = [columns[0]]
        for i in columns[1:]:
            texts = [row[i] for row in self.cells]
            lead_width = sum(map(self._column_width, [*lead, i]))
            if any(map(NUMBER.match, texts)) or lead_width > width // 2 or self._tells_apart(lead):
                break
            lead.append(i)
        return lead

    def _tells_apart(self, columns: list[int]) -> bool:
        return len({tuple(row[i] for i in columns) for row in self.cells}) == len(self.cells)

    def _column_width(self, i: int) -> int:
        texts = [self.columns[i], *(row[i] for row in self.cells)]
        return max(cell_len(line) for text in texts for line in text.split("\n")) + COLUMN_PADDING

    def _draw_strip(self, strip: list[int]) -> Table:
        table = Table()
        for i in strip:
            is_number = any(NUMBER.match(row[i]) for row in self.cells)
            column_width = self._column_width(i) - COLUMN_PADDING
            min_width = column_width if is_number else min(column_width, MIN_NAME_WIDTH)
            table.add_column(Text(self.columns[i]), overflow="fold", min_width=min_width)
        for row in self.cells:
            table.add_row(*(Text(row[i]) for i in strip))
        return table


def limited_table(
    title: str,
    columns: tuple[str, ...],
    rows: Any,
    hint: str = JSON_HINT,
    fold_constants: bool = True,
    split: bool = True,
) -> RenderableType:
    """Render the first rows, with `hint` where there are more; all cells are plain text."""
    floors = {columns.index(p): columns.index(floor) for p, floor in floor_columns(columns).items()}
    visible = [i for i in range(len(columns)) if i not in floors.values()]
    cells = [
        [_format_cell(row[i], row[floors[i]] if i in floors else None) for i in visible]
        for row in rows[:MAX_ROWS]
    ]
    headers = [reveal_hidden(columns[i]) for i in visible]
    table = TerminalTable(reveal_hidden(title), headers, cells, fold_constants, split)
    if len(rows) > MAX_ROWS:
        return Group(table, Text(f"… {len(rows) - MAX_ROWS} more rows: {hint}", "dim"))
    return table


def _format_cell(value: Cell, floor: Cell = None) -> str:
    """Format a cell; a p-value at its floor is `≤ 0.005`."""
    if value is None:
        return "–"
    if not isinstance(value, float):
        return reveal_hidden(str(value))
    at_floor = isinstance(floor, float) and math.isclose(value, floor)
    return f"{'≤ ' if at_floor else ''}{value:.4g}"
