"""A table for terminals of any width: what all rows share is said once, the rest in strips."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

EDGES = 3  # what a column takes beside its text
NARROW = 12  # a column of names is not folded below that


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns and cells as plain text."""

    title: str
    columns: list[str]
    cells: list[list[str]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw strips of columns that fit, each led by the first column."""
        shared = self._shared()
        names = [at for at in range(len(self.columns)) if at not in shared]
        yield self._heading(shared)
        if names:
            for strip in self._strips(names, options.max_width):
                yield self._strip(strip)

    def _shared(self) -> list[int]:
        """Columns with the same cell in every row, where there are several rows."""
        if len(self.cells) < 2:
            return []
        return [at for at in range(len(self.columns)) if len({row[at] for row in self.cells}) == 1]

    def _heading(self, shared: list[int]) -> Text:
        heading = Text(self.title, "bold")
        for at in shared:
            if self.cells[0][at] not in ("", "–"):
                heading.append(f"  {self.columns[at]}: {self.cells[0][at]}", "dim not bold")
        return heading

    def _strips(self, names: list[int], width: int) -> list[list[int]]:
        """The columns in as many strips as it takes; the lead column is in each."""
        if sum(map(self._width, names)) + 1 <= width:
            return [names]
        lead, strips = names[0], [[names[0]]]
        room = width - 1 - min(self._width(lead), width // 3)
        left = room
        for at in names[1:]:
            needed = min(self._width(at), room)
            if needed > left:
                strips.append([lead])
                left = room
            strips[-1].append(at)
            left -= needed
        return strips

    def _width(self, at: int) -> int:
        texts = [self.columns[at], *(row[at] for row in self.cells)]
        return max(cell_len(line) for text in texts for line in text.split("\n")) + EDGES

    def _strip(self, strip: list[int]) -> Table:
        table = Table()
        for at in strip:
            least = min(self._width(at) - EDGES, NARROW)
            table.add_column(Text(self.columns[at]), overflow="fold", min_width=least)
        for row in self.cells:
            table.add_row(*(Text(row[at]) for at in strip))
        return table
