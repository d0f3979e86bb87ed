"""The command that judges: gate."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from ._main import cli
from ._reading import BENCH_HELP, reading

if TYPE_CHECKING:
    from ..gate import Judged, Limits
    from ..types import Audit


@cli.command(epilog=BENCH_HELP)
@click.argument("audit_or_bench")
@click.option("--limits", "path", metavar="FILE.toml",
              help="File of limits; without it the nearest hansproof.toml or [tool.hansproof] of"
                   " pyproject.toml, here or above.")  # fmt: skip
@click.option("--strict", is_flag=True, help="What is undecided fails, too.")
@click.option("--junit", metavar="FILE.xml", help="Also write the outcomes as JUnit XML.")
@click.option("--github", is_flag=True, help="Also print annotations for GitHub Actions.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@reading
def gate(
    audit_or_bench: str,
    path: str | None,
    strict: bool,
    junit: str | None,
    github: bool,
    as_json: bool,
    **flags: Any,
) -> None:
    """Hold a benchmark against limits: exit code 0 if it passes, 1 if not.

    AUDIT_OR_BENCH is an audit.json, its folder, or a benchmark, which is then asked what the
    limits need. A limit is broken if the whole interval is beyond it; one that the interval
    straddles is undecided, which fails only with --strict; one that was not measured fails.

    \b
    Examples:
      hansproof gate audit/audit.json
      hansproof gate items.jsonl --strict --junit gate.xml
      hansproof gate stable:original --limits limits.toml --github
    """
    from .. import files
    from .. import gate as gating

    if github and as_json:
        raise BadInput("--github", "prints lines, which --json cannot hold: give one of them")
    if junit:
        files.check(junit)
    limits = gating.read(path) if path else gating.nearest()
    judged = gating.judge(_audit(audit_or_bench, limits, flags), limits)
    click.echo(f"limits: {limits.source}", err=True)
    if junit:
        from ..gate.junit import junit as written

        files.write(junit, written(judged, strict))
    if as_json:
        from ..report.terminal import print_json

        print_json({"passed": judged.passed(strict), **asdict(judged)})
    else:
        _print(judged, strict, github)
    sys.exit(0 if judged.passed(strict) else 1)


def _audit(source: str, limits: Limits, flags: dict[str, Any]) -> Audit:
    """The audit, saved or made."""
    from ..formats import Mapping
    from ..gate import audited, saved

    folder = flags.pop("data")
    mapping = Mapping(**flags)
    if saved(source) and (folder or mapping != Mapping()):
        raise BadInput(source, "is an audit: flags that say how to read items are for benchmarks")
    return audited(source, limits, mapping, folder)


def _print(judged: Judged, strict: bool, github: bool) -> None:
    from ..gate.github import commands
    from ..report.gate import view
    from ..report.terminal import print_out

    print_out(view(judged), whole=True)
    for line in commands(judged, strict) if github else ():
        click.echo(line)
