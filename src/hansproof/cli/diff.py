"""`hansproof diff`: compare two saved audits."""

from __future__ import annotations

import click

from ._main import cli
from ._options import load_audit
from ._outputs import force_option, write_editable


@cli.command()
@click.argument("old")
@click.argument("new")
@click.option("--items", metavar="FILE.csv", help="Write one row per item whose flags changed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@force_option
def diff(old: str, new: str, items: str | None, as_json: bool) -> None:
    """Show what a new version of a benchmark changed, from two audits.

    \b
    Example:
      hansproof diff before/audit.json after/audit.json
    """
    from ..diff import compare_audits
    from ..item_flags import CHANGE_COLUMNS, changed_rows, to_csv
    from ..report.terminal.diff import diff_view
    from ..report.terminal.output import print_json, print_view

    before, after = load_audit(old), load_audit(new)
    changes = compare_audits(before, after)
    if items:
        write_editable({items: to_csv(CHANGE_COLUMNS, changed_rows(before, after))})
    if as_json:
        print_json(changes)
    else:
        print_view(diff_view(before, after, changes))
