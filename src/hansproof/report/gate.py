"""What came of limits, for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ..gate import Judged
from ..gate.wording import lines

STYLES = {"pass": "green", "undecided": "yellow", "fail": "bold red", "not measured": "magenta"}


def view(judged: Judged) -> RenderableType:
    """A line for each limit, its first word coloured."""
    rows = zip(judged.outcomes, lines(judged.outcomes), strict=True)
    return Group(*(_coloured(outcome.status, line) for outcome, line in rows))


def _coloured(status: str, line: str) -> Text:
    text = Text(line, no_wrap=True, overflow="ignore")  # one line for each limit, however long
    text.stylize(STYLES[status], 0, len(status))
    return text
