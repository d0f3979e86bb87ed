"""Printing to stdout: rendered views for people, JSON for programs."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console, RenderableType

from ..._infra.json_bytes import encode_json


def print_view(view: RenderableType, soft_wrap: bool = False) -> None:
    """Print for people; with `soft_wrap`, the terminal wraps long lines, not rich."""
    console = Console(highlight=False, soft_wrap=soft_wrap or not sys.stdout.isatty())
    console.print(view, crop=False)  # a command to copy may be longer than a line


def print_json(value: Any) -> None:
    """Print one line of JSON for programs."""
    sys.stdout.buffer.write(encode_json(value) + b"\n")
