"""`hansproof card`: write a section for a dataset card."""

from __future__ import annotations

import click

from ._main import cli
from ._options import load_audit
from ._outputs import force_option, write_editable


@cli.command()
@click.argument("audit_json")
@click.option("-o", "--output", metavar="FILE", help="Write it to a file, not to the terminal.")
@force_option
def card(audit_json: str, output: str | None) -> None:
    """Write a section for a dataset card: Markdown with a block of metadata.

    \b
    Examples:
      hansproof card audit/audit.json
      hansproof card audit/audit.json -o shortcuts.md
    """
    from ..report.card import render_card

    section = render_card(load_audit(audit_json))
    if output is None:
        click.echo(section, nl=False)
    else:
        write_editable({output: section.encode(errors="backslashreplace")})
