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
    from .._infra.atomic_io import write_file
    from ..report import render_html

    write_file(output, render_html(_load_audit(audit_json)).encode())
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
    from .._infra.atomic_io import write_file
    from ..report.card import render_card

    section = render_card(_load_audit(audit_json))
    if output is None:
        click.echo(section, nl=False)
    else:
        write_file(output, section.encode())


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
    from .._infra.atomic_io import write_file
    from ..diff import compare_audits
    from ..item_flags import CHANGE_COLUMNS, changed_rows, to_csv
    from ..report.terminal.result import diff_view, print_json, print_view

    before, after = _load_audit(old), _load_audit(new)
    changes = compare_audits(before, after)
    if items:
        write_file(items, to_csv(CHANGE_COLUMNS, changed_rows(before, after)))
    if as_json:
        print_json(changes)
    else:
        print_view(diff_view(changes))


def _load_audit(path: str) -> Audit:
    from ..auditing import load_audit

    return load_audit(path)
