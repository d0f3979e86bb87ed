"""Text that rich prints to a terminal."""

from __future__ import annotations

from rich.console import Console, RenderableType


def printed(view: RenderableType) -> str:
    console = Console(width=160, no_color=True)
    with console.capture() as captured:
        console.print(view)
    return captured.get()
