"""Commands over saved audits: report, card, diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ._main import cli

if TYPE_CHECKING:
    from ..types import Audit


@cli.command()
@click.argument("audit_json")
@click.option("-o", "--output", default="report.html", show_default=True, metavar="FILE",
              help="Where to write the page.")  # fmt: skip
def report(audit_json: str, output: str) -> None:
    """Draw the report of a saved audit again.

    \b
    Example:
      hansproof report audit/audit.json -o report.html
    """
    from ..files import write
    from ..report import html

    write(output, html(_audit(audit_json)).encode())
    click.echo(f"report: {output}", err=True)


@cli.command()
@click.argument("audit_json")
@click.option("-o", "--output", metavar="FILE", help="Write it to a file, not to the terminal.")
def card(audit_json: str, output: str | None) -> None:
    """Write a section for a dataset card: Markdown with a block of metadata.

    \b
    Examples:
      hansproof card audit/audit.json
      hansproof card audit/audit.json -o shortcuts.md
    """
    from ..files import write
    from ..report.card import card

    section = card(_audit(audit_json))
    if output is None:
        click.echo(section, nl=False)
    else:
        write(output, section.encode())


@cli.command()
@click.argument("old")
@click.argument("new")
@click.option("--items", metavar="FILE.csv", help="Write one row per item whose flags changed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def diff(old: str, new: str, items: str | None, as_json: bool) -> None:
    """Show what a new version of a benchmark changed, from two audits.

    \b
    Example:
      hansproof diff before/audit.json after/audit.json
    """
    from ..diff import compare
    from ..files import write
    from ..items import CHANGE, changed_rows, to_csv
    from ..report.terminal import diff_view, print_json, print_out

    before, after = _audit(old), _audit(new)
    changes = compare(before, after)
    if items:
        write(items, to_csv(CHANGE, changed_rows(before, after)))
    if as_json:
        print_json(changes)
    else:
        print_out(diff_view(changes))


def _audit(path: str) -> Audit:
    from ..audit import read

    return read(path)
