"""`hansproof report`: write the HTML report of a saved audit."""

from __future__ import annotations

import click

from ._main import cli
from ._open_page import open_option, open_page
from ._options import load_audit
from ._outputs import check_generated, force_option
from ._printing import echo_note, print_lines


@cli.command()
@click.argument("audit_or_folder", metavar="AUDIT")
@click.option("-o", "--output", default="report.html", show_default=True, metavar="FILE",
              help="Where to write the page.")  # fmt: skip
@open_option
@force_option
def report(audit_or_folder: str, output: str, show_page: bool) -> None:
    """Write the HTML report of a saved audit.

    AUDIT is a saved audit: its folder, or the file audit.json.

    \b
    Examples:
      hansproof report audit -o report.html
      hansproof report audit/audit.json --open
    """
    from .._infra.atomic_io import write_file
    from ..report import render_html

    check_generated(output)
    page = render_html(load_audit(audit_or_folder))
    write_file(output, page.encode(errors="backslashreplace"))
    print_lines({"report": output})
    echo_note(f"report: {output}")
    if show_page:
        open_page(output)
