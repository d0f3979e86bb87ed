"""What commands print: text for people, JSON with --json, nothing but errors with --quiet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import RenderableType

JSON_KEY = "hansproof.json"
QUIET_KEY = "hansproof.quiet"


def printing_options() -> list[click.Option]:
    """Make --json and --quiet, which every command has; the functions below look them up."""
    return [
        click.Option(
            ["--json"], is_flag=True, expose_value=False, callback=_store_json,
            help="Print the result as JSON.",
        ),
        click.Option(
            ["-q", "--quiet"], is_flag=True, expose_value=False, callback=_store_quiet,
            help="Print nothing but errors (and JSON, with --json).",
        ),
    ]  # fmt: skip


def is_json() -> bool:
    """Tell whether the current command was given --json."""
    return bool(click.get_current_context().meta.get(JSON_KEY))


def is_quiet() -> bool:
    """Tell whether the current command was given --quiet; false where no command runs."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET_KEY))


def print_output(data: Any, view: Callable[[], RenderableType], soft_wrap: bool = False) -> None:
    """Print `data` as JSON, or what `view` returns for people, or nothing."""
    from ..report.terminal.output import print_json, print_view

    if is_json():
        print_json(data)
    elif not is_quiet():
        print_view(view(), soft_wrap)


def print_lines(data: Any, *lines: str) -> None:
    """Print `data` as JSON, or lines for people, or nothing."""
    if is_json():
        from ..report.terminal.output import print_json

        print_json(data)
    elif not is_quiet():
        for line in lines:
            click.echo(line)


def echo_note(text: str) -> None:
    """Print a line on stderr, unless the command is quiet."""
    if not is_quiet():
        click.echo(text, err=True)


def _store_json(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.meta[JSON_KEY] = value


def _store_quiet(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.meta[QUIET_KEY] = value
    if value:
        from .._infra.progress import no_progress

        context.with_resource(no_progress())
