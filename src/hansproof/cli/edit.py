"""`hansproof edit`: change a benchmark and write the new one."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import Any

import click

from .._infra.plural import plural
from ..errors import BadInput
from ..plugins import inputs_of
from ._main import cli
from ._options import load_inputs
from ._outputs import check_output_folder, force_option, write_editable
from ._plugin_group import PluginGroup
from ._printing import echo_note, print_output


class _EditGroup(PluginGroup):
    """A command for every edit."""

    kind = "edits"

    def make_callback(self, plugin_class: Any) -> Callable[..., Any]:
        """Make the function that applies an edit and writes the new items."""

        def apply_edit(bench: str, output: str, **values: Any) -> None:
            from ..formats.jsonl import encode_items
            from ..report.terminal.result import edit_report_view
            from ._dataclass_options import build_from_values

            edit = build_from_values(plugin_class, values)
            check_output_folder(output)
            benchmark, inputs = load_inputs(bench, inputs_of(plugin_class), values)
            edit_result = edit(benchmark, **inputs)
            if not edit_result.benchmark.splits:
                raise BadInput(bench, f"no items are left: {edit_result.report.summary}")
            _refuse_other_items(output, edit_result.benchmark.splits)
            items_by_path = {
                os.path.join(output, f"{split}.jsonl"): items
                for split, items in edit_result.benchmark.splits.items()
            }
            write_editable({path: encode_items(items) for path, items in items_by_path.items()})
            for path, items in items_by_path.items():
                echo_note(f"{path}: {plural(len(items), 'item')}")
            print_output(edit_result.report, lambda: edit_report_view(edit_result.report))

        help_text = "Folder for the new benchmark, one file per split."
        return click.option("-o", "--output", required=True, metavar="DIR", help=help_text)(
            force_option(apply_edit)
        )


def _refuse_other_items(folder: str, splits: Collection[str]) -> None:
    """Raise BadInput if a folder has other files that would be read as splits."""
    split_files = {f"{split}.jsonl" for split in splits}
    file_names = os.listdir(folder) if os.path.isdir(folder) else []
    other_files = sorted(
        name for name in file_names if name.endswith(".jsonl") and name not in split_files
    )
    if other_files:
        raise BadInput(
            folder, f"contains other items ({', '.join(other_files[:3])}): name a new folder"
        )


@cli.command(cls=_EditGroup, subcommand_metavar="EDIT BENCH -o DIR [OPTIONS]")
def edit() -> None:
    """Change a benchmark, and write the new one.

    EDIT is a name, or your own Python file (./mine.py).

    \b
    Examples:
      hansproof edit easy_hard copa -o parts --easy easy_hard_subsets.json
      hansproof edit easy_hard copa -o parts --predictions 'runs/blind.*.jsonl'
      hansproof edit mirror copa:dev -o mirrored --sheet sheet.csv
      hansproof edit negate arct -o negated --map claims.csv
      hansproof edit rewrite quiz.jsonl -o rewritten --sheet sheet.csv
    """
