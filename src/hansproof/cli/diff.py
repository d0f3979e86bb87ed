"""`hansproof diff`: compare two saved audits."""

from __future__ import annotations

import click

from ._main import cli
from ._options import load_audit
from ._outputs import force_option, write_editable
from ._printing import is_json, print_lines, print_output


@cli.command()
@click.argument("old")
@click.argument("new")
@click.option(
    "--items",
    metavar="FILE.csv",
    help="Also write a table of the items about which the findings changed.",
)
@click.option("--markdown", is_flag=True, help="Print Markdown, for a pull request.")
@force_option
def diff(old: str, new: str, items: str | None, markdown: bool) -> None:
    """Compare two saved audits: what did a new version change?

    OLD and NEW are saved audits: their folders, or the files audit.json.

    \b
    Examples:
      hansproof diff before after
      hansproof diff before/audit.json after/audit.json --markdown >> summary.md
    """
    from ..diff import compare_audits
    from ..item_flags import CHANGE_COLUMNS, changed_rows, to_csv
    from ..report.diff_markdown import render_diff_markdown
    from ..report.terminal.diff import diff_view

    before, after = load_audit(old), load_audit(new)
    changes = compare_audits(before, after)
    if items:
        write_editable({items: to_csv(CHANGE_COLUMNS, changed_rows(before, after))})
    if markdown and not is_json():
        print_lines(changes, render_diff_markdown(before, after, changes))
    else:
        print_output(changes, lambda: diff_view(before, after, changes))
