"""The command that checks published tables: reproduce."""

from __future__ import annotations

from typing import Any

import click

from ._main import cli


@cli.command()
@click.argument("paper")
@click.option("--table", "tables", multiple=True, metavar="T",
              help="Only this one: 4, table-4, or text (repeat).")  # fmt: skip
@click.option("--data", metavar="FOLDER", help="Folder of the benchmarks and released files.")
@click.option("-o", "--output", metavar="FILE.html", help="Also write a page.")
@click.option("--json", "as_json", is_flag=True, help="Print every figure as JSON.")
def reproduce(paper: str, as_json: bool, output: str | None, **flags: Any) -> None:
    """Put every figure of a published paper beside ours.

    PAPER is kavumba2019, kavumba2020, niven2019 or branco2021, or a JSON file of the same shape.
    A figure is reached when ours, rounded to the printed digits, is the same.

    \b
    Examples:
      hansproof reproduce kavumba2019
      hansproof reproduce niven2019 --table 3 --table 4
      hansproof reproduce branco2021 -o branco.html --json > branco.json
    """
    from .. import files
    from ..reproduce import reproduce as compared
    from ..reproduce.as_json import as_json as for_machines
    from ..reproduce.page import page
    from ..reproduce.terminal import shown

    if output:
        files.check(output)
    found = compared(paper, flags["tables"], flags["data"])
    if output:
        files.write(output, page(found).encode())
    if as_json:
        import json

        click.echo(json.dumps(for_machines(found), indent=1, ensure_ascii=False))
    else:
        from ..report.terminal import print_out

        print_out(shown(found))
