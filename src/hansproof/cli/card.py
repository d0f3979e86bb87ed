"""`hansproof card`: write a section for a dataset card."""

from __future__ import annotations

import click

from ._main import cli
from ._options import load_audit
from ._outputs import force_option, write_editable
from ._printing import print_lines


@cli.command()
@click.argument("audit_or_folder", metavar="AUDIT")
@click.option(
    "-o", "--output", metavar="FILE", help="Write the section to a file instead of printing it."
)
@force_option
def card(audit_or_folder: str, output: str | None) -> None:
    """Write a section for a dataset card, in Markdown.

    AUDIT is a saved audit: its folder, or the file audit.json.

    \b
    Examples:
      hansproof card audit
      hansproof card audit/audit.json -o shortcuts.md
    """
    from ..report.card import render_card

    section = render_card(load_audit(audit_or_folder))
    if output is not None:
        write_editable({output: section.encode(errors="backslashreplace")})
    lines = section.splitlines() if output is None else ()
    print_lines({"file": output, "markdown": section}, *lines)
