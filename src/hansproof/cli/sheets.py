"""The command that writes worksheets: what people must write before an edit can be made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from .. import plugins
from ..errors import HansproofError, UnknownName
from ._main import cli
from ._plugin import Plugins
from ._reading import load_with


class _Worksheets(Plugins):
    """A command for every edit that has a worksheet."""

    kind = "edits"

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of edits that have one: the edits themselves must be asked."""
        return [name for name in plugins.names(self.kind) if _has_worksheet(name)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        """The command of one edit."""
        known = self.list_commands(ctx)
        own = name.endswith(".py") and hasattr(plugins.class_of(self.kind, name), "worksheet")
        if not own and name.replace("-", "_") not in known:
            raise UnknownName("worksheet", name, known)
        return super().get_command(ctx, name)

    def errand(self, about: Any) -> Callable[..., Any]:
        """Write what is to be filled in."""

        def sheet_of(bench: str, output: str, **values: Any) -> None:
            from ..flags import built
            from ..formats._spreadsheet import check, write

            check(output)
            edit = built(about, values)
            benchmark, _ = load_with(bench, plugins.looks_at(about), values)
            rows = edit.worksheet(benchmark)
            if not rows:
                click.echo("nothing is left to be written", err=True)
                return
            write(output, rows)
            click.echo(f"{output}: {len(rows)} rows", err=True)

        text = "Where the worksheet goes: .csv for a spreadsheet, or .jsonl."
        return click.option("-o", "--output", required=True, metavar="FILE", help=text)(sheet_of)


def _has_worksheet(name: str) -> bool:
    """Whether an edit has one; of one that cannot be loaded it is said when it is asked for."""
    try:
        return hasattr(plugins.class_of("edits", name), "worksheet")
    except HansproofError:
        return False


@cli.command(cls=_Worksheets, subcommand_metavar="EDIT BENCH -o FILE [OPTIONS]")
def worksheet() -> None:
    """Write the worksheet of an edit, for people to fill in in a spreadsheet.

    \b
    Examples:
      hansproof worksheet mirror copa:dev -o sheet.csv
      hansproof worksheet mirror copa:dev --sheet sheet.csv -o rest.csv    what is left, and why
      hansproof worksheet negate arct -o claims.csv
    """
