"""Commands that change a benchmark: edit."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import Any

import click

from ..errors import BadInput
from ..plugins import looks_at
from ._main import cli
from ._plugin import Plugins
from ._reading import load_with


class _Edits(Plugins):
    """A command for every edit."""

    kind = "edits"

    def errand(self, about: Any) -> Callable[..., Any]:
        """Make the change, and write the items."""

        def change(bench: str, output: str, as_json: bool, **values: Any) -> None:
            from ..files import check
            from ..flags import built
            from ..formats.jsonl import write
            from ..report.terminal import account_view, print_json, print_out

            edit = built(about, values)
            check(os.path.join(output, "any.jsonl"))
            benchmark, there = load_with(bench, looks_at(about), values)
            edited = edit(benchmark, **there)
            if not edited.benchmark.splits:
                raise BadInput(bench, f"nothing is left of it: {edited.account.sentence}")
            _no_others(output, edited.benchmark.splits)
            for split, items in edited.benchmark.splits.items():
                path = os.path.join(output, f"{split}.jsonl")
                write(path, items)
                click.echo(f"{path}: {len(items)} items", err=True)
            if as_json:
                print_json(edited.account)
            else:
                print_out(account_view(edited.account))

        made = click.option("--json", "as_json", is_flag=True, help="Print the account as JSON.")(
            change
        )
        text = "Folder for the new benchmark, one file per split."
        return click.option("-o", "--output", required=True, metavar="DIR", help=text)(made)


def _no_others(folder: str, splits: Collection[str]) -> None:
    """Refuse a folder with files that would be taken for splits of the new benchmark."""
    known = {f"{split}.jsonl" for split in splits}
    there = os.listdir(folder) if os.path.isdir(folder) else []
    others = sorted(name for name in there if name.endswith(".jsonl") and name not in known)
    if others:
        raise BadInput(folder, f"holds other items ({', '.join(others[:3])}): name a new folder")


@cli.command(cls=_Edits, subcommand_metavar="EDIT BENCH -o DIR [OPTIONS]")
def edit() -> None:
    """Change a benchmark. EDIT is a name, or a file of your own (./mine.py).

    \b
    Examples:
      hansproof edit easy_hard copa -o parts --easy easy_hard_subsets.json
      hansproof edit easy_hard copa -o parts --predictions 'runs/blind.*.jsonl'
      hansproof edit mirror copa:dev -o mirrored --sheet sheet.csv
      hansproof edit negate arct -o negated --map claims.csv
    """
