"""`hansproof gate`: check an audit or a benchmark against limits."""

from __future__ import annotations

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
              help="File of limits; without it the nearest hansproof.toml or [tool.hansproof] of"
                   " pyproject.toml, here or above.")  # fmt: skip
@click.option("--allow-undecided", is_flag=True, help="Pass where there are too few items to tell.")
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
    """Hold a benchmark against limits: exit code 0 if it passes, 1 if not.

    AUDIT_OR_BENCH is an audit.json, its folder, or a benchmark, which is then audited. By default
    no probe may have the verdict exposed, and no item may be a duplicate or contradict another. A
    limit on a number is broken if the whole interval is beyond it, and undecided if the interval
    straddles it. What is undecided fails unless --allow-undecided is given; a probe that was
    skipped does not count; what could not be measured fails.

    \b
    Examples:
      hansproof gate audit/audit.json
      hansproof gate items.jsonl --allow-undecided --junit gate.xml
      hansproof gate toy:original --limits limits.toml --github
    """
    from .. import gates
    from .._infra import atomic_io
    from ..gates.github import workflow_commands
    from ..report.terminal.gate import gate_view

    if github and is_json():
        raise BadInput("--github", "prints lines, which are not JSON: give one of the two flags")
    if junit:
        check_generated(junit)
    limits = gates.read_limits(path) if path else gates.find_limits()
    result = gates.judge_audit(_load_or_run_audit(audit_or_bench, limits, flags), limits)
    echo_note(f"limits: {limits.source}")
    if junit:
        from ..gates.junit import to_junit

        atomic_io.write_file(junit, to_junit(result, allow_undecided))
    passes = result.passes(allow_undecided)
    data = {"passed": passes, **asdict(result)}
    print_output(data, lambda: gate_view(result), soft_wrap=True)
    if github:
        for line in workflow_commands(result, allow_undecided):
            click.echo(line)
    sys.exit(0 if passes else 1)


def _load_or_run_audit(source: str, limits: Limits, flags: dict[str, Any]) -> Audit:
    """Load a saved audit, or audit the benchmark."""
    from ..formats import ColumnMapping
    from ..gates import find_saved, load_or_run

    folder = flags.pop("data")
    mapping = ColumnMapping(**flags)
    if find_saved(source) and (folder or mapping != ColumnMapping()):
        raise BadInput(source, "is an audit: flags that say how to read items are for benchmarks")
    return load_or_run(source, limits, mapping, folder)
