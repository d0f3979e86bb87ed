"""`hansproof report`: write the HTML report of a saved audit."""

from __future__ import annotations

import click

from ._main import cli
from ._options import load_audit
from ._outputs import check_generated, force_option


@cli.command()
@click.argument("audit_json")
@click.option("-o", "--output", default="report.html", show_default=True, metavar="FILE",
              help="Where to write the page.")  # fmt: skip
@force_option
def report(audit_json: str, output: str) -> None:
    """Draw the report of a saved audit again.

    \b
    Example:
      hansproof report audit/audit.json -o report.html
    """
    from .._infra.atomic_io import write_file
    from ..report import render_html

    check_generated(output)
    page = render_html(load_audit(audit_json))
    write_file(output, page.encode(errors="backslashreplace"))
    click.echo(f"report: {output}", err=True)
