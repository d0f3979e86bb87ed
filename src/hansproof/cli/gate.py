"""`hansproof gate`: check an audit or a benchmark against limits."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from ._completion import complete_benchmarks
from ._main import cli
from ._options import BENCH_HELP, item_options
from ._outputs import check_generated, force_option
from ._printing import echo_note, is_json, print_output

if TYPE_CHECKING:
    from ..gates import Limits
    from ..types import Audit


@cli.command(epilog=BENCH_HELP)
@click.argument("audit_or_bench", shell_complete=complete_benchmarks)
@click.option("--limits", "path", metavar="FILE.toml",
              help="File with the limits. Default: the nearest hansproof.toml, or"
                   " [tool.hansproof] in pyproject.toml, in this folder or above.")  # fmt: skip
@click.option(
    "--allow-undecided", is_flag=True, help="Pass even if there are too few items to tell."
)
@click.option("--junit", metavar="FILE.xml", help="Also write the outcomes as JUnit XML.")
@click.option("--github", is_flag=True, help="Also print annotations for GitHub Actions.")
@force_option
@item_options
def gate(
    audit_or_bench: str,
    path: str | None,
    allow_undecided: bool,
    junit: str | None,
    github: bool,
    **flags: Any,
) -> None:
    """Check a benchmark against limits, for CI.

    Exits with 0 if the benchmark passes, and with 1 if it does not. AUDIT_OR_BENCH is a saved audit
    (its folder, or the file audit.json), or a benchmark, which is then audited without answers of
    models, and without likelihoods and vectors in the cache: the outcome is the same on every
    machine. By default, no probe may have the verdict exposed, and no item may be a duplicate or
    contradict another. A limit on a number fails if the whole interval is beyond the limit, and is
    undecided if the interval contains the limit. Undecided counts as failed unless
    --allow-undecided is given. A skipped probe, which had nothing to test, neither passes nor
    fails. A probe that failed to run fails, and so does a limit on a number that the audit does not
    contain.

    \b
    Examples:
      hansproof gate audit/audit.json
      hansproof gate items.jsonl --allow-undecided --junit gate.xml
      hansproof gate toy:original --limits limits.toml --github
    """
    from .. import gates
    from .._infra import atomic_io
    from ..gates.github import workflow_commands
    from ..gates.messages import describe_gate, describe_limits
    from ..report.terminal.gate import gate_view

    if github and is_json():
        raise BadInput("--github", "cannot be combined with --json")
    if junit:
        check_generated(junit)
    limits = gates.read_limits(path) if path else gates.find_limits()
    result = gates.judge_audit(_load_or_run_audit(audit_or_bench, limits, flags), limits)
    echo_note(f"limits: {describe_limits(limits)}")
    if junit:
        from ..gates.junit import to_junit

        atomic_io.write_file(junit, to_junit(result, allow_undecided))
    passes = result.passes(allow_undecided)
    data = {"passed": passes, **asdict(result)}
    print_output(data, lambda: gate_view(result))
    echo_note(describe_gate(result, allow_undecided))
    if github:
        for line in workflow_commands(result, allow_undecided):
            click.echo(line)
    sys.exit(0 if passes else 1)


def _load_or_run_audit(source: str, limits: Limits, flags: dict[str, Any]) -> Audit:
    """Load a saved audit, or audit the benchmark."""
    from ..formats import ColumnMapping
    from ..gates import load_or_run
    from ..records.saved_audit import find_audit_file, find_saved_audit

    folder = flags.pop("data")
    mapping = ColumnMapping(**flags)
    if os.path.isdir(source) and not find_audit_file(source):
        echo_note(f"{source} has no audit.json: auditing it as a benchmark")
    if find_saved_audit(source) and (folder or mapping != ColumnMapping()):
        raise BadInput(
            source, "is a saved audit, so options about reading items do not apply: leave them out"
        )
    return load_or_run(source, limits, mapping, folder)
