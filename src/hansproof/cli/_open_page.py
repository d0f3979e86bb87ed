"""Opens a page that a command wrote in the browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ._printing import echo_note


def open_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --open."""
    return click.option(
        "--open", "show_page", is_flag=True, help="Open the report in the web browser."
    )(command)


def open_page(path: str) -> None:
    """Open a page in the web browser; print its address where there is no browser."""
    import webbrowser

    address = Path(path).resolve().as_uri()
    if not webbrowser.open(address):
        echo_note(f"no web browser was found; open {address}")
