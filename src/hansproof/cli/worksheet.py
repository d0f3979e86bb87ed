"""`hansproof worksheet`: write the worksheet that people fill in for an edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from .. import plugins
from .._infra.plural import plural
from ..errors import HansproofError, UnknownName
from ._command import ARGUMENTS_KEY
from ._main import cli
from ._options import load_inputs
from ._outputs import force_option, write_editable
from ._plugin_group import PluginGroup
from ._printing import echo_note, print_lines

SHEET_OPTIONS = ("sheet", "map")  # of edits: the filled worksheet
EDITED_FOLDERS = {"mirror": "mirrored", "negate": "negated", "rewrite": "rewritten"}
PRINTING_FLAGS = ("--force", "--json", "--quiet", "-q")


class _WorksheetGroup(PluginGroup):
    """A command for every edit that has a worksheet."""

    kind = "edits"

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the edits that have a worksheet; this imports them."""
        return [name for name in plugins.names(self.kind) if _has_worksheet(name)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        """Build the command of an edit."""
        names = self.list_commands(ctx)
        is_own_file = name.endswith(".py") and hasattr(
            plugins.load_class(self.kind, name), "worksheet"
        )
        if not is_own_file and name.replace("-", "_") not in names:
            raise UnknownName("worksheet", name, names)
        return super().get_command(ctx, name)

    def make_callback(self, plugin_class: Any) -> Callable[..., Any]:
        """Make the function that writes the worksheet of an edit."""

        def write_worksheet(bench: str, output: str, **values: Any) -> None:
            from ..records.spreadsheet import check_sheet_path, encode_sheet
            from ._dataclass_options import build_from_values

            check_sheet_path(output)
            settings = dict(values)
            edit = build_from_values(plugin_class, values)
            benchmark, _ = load_inputs(bench, plugins.inputs_of(plugin_class), values)
            rows = edit.worksheet(benchmark)
            if not rows:
                print_lines({"file": None, "rows": 0})
                echo_note("no worksheet was written: there is nothing to fill in")
                return
            write_editable({output: encode_sheet(output, rows)})
            print_lines({"file": output, "rows": len(rows)})
            echo_note(f"{output}: {plural(len(rows), 'row')}")
            hint = _next_step(output, rows, settings)
            if hint:
                echo_note(hint)

        help_text = "File to write: .csv for a spreadsheet, or .jsonl."
        return click.option("-o", "--output", required=True, metavar="FILE", help=help_text)(
            force_option(write_worksheet)
        )


def _next_step(output: str, rows: Sequence[Mapping[str, str]], settings: Mapping[str, Any]) -> str:
    """Say which column to fill in, and the command that reads the worksheet afterwards."""
    from .._infra.shell_words import quote_words

    name = click.get_current_context().info_name or ""
    option = next((option for option in SHEET_OPTIONS if option in settings), None)
    columns = [column for column in rows[0] if column.startswith("new_") or column == "negation"]
    if option is None or not columns or (option == "map" and settings[option]):
        return ""  # an edit of a third party, or the rows belong into the map that was given
    sheets = ",".join(filter(None, (settings[option], output)))
    words = ["hansproof", "edit", name, *_repeated_arguments(f"--{option}"), f"--{option}", sheets]
    command = quote_words([*words, "-o", EDITED_FOLDERS.get(name, "edited")])
    return f"Fill in the column {columns[0]}, then run: {command}"


def _repeated_arguments(sheet_option: str) -> list[str]:
    """Return the arguments of the current command without its output and its worksheet."""
    arguments: list[str] = []
    skipped = ("-o", "--output", sheet_option)
    is_value = False
    for word in click.get_current_context().meta[ARGUMENTS_KEY]:
        is_option = word in skipped
        is_attached = word.partition("=")[0] in skipped[1:] or re.fullmatch("-o.+", word)
        if not (is_value or is_option or is_attached or word in PRINTING_FLAGS):
            arguments.append(word)
        is_value = is_option
    return arguments


def _has_worksheet(name: str) -> bool:
    """Tell whether an edit has a worksheet; edits that cannot be loaded count as without."""
    try:
        return hasattr(plugins.load_class("edits", name), "worksheet")
    except HansproofError:
        return False


@cli.command(cls=_WorksheetGroup, subcommand_metavar="EDIT BENCH -o FILE [OPTIONS]")
def worksheet() -> None:
    """Write a worksheet for people to fill in, for an edit.

    \b
    Examples:
      hansproof worksheet mirror copa:dev -o sheet.csv
      hansproof worksheet mirror copa:dev --sheet sheet.csv -o rest.csv  the rest
      hansproof worksheet negate arct -o claims.csv
      hansproof worksheet rewrite quiz.jsonl -o sheet.csv  uneven lengths
    """
