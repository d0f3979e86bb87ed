"""The command line: thin commands over the library.

Nothing heavier than click is imported before a command needs it. Data goes to stdout, progress and
errors to stderr. Exit codes: 0 done, 1 an audit in which a probe failed, 2 bad input.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import metadata
from typing import TYPE_CHECKING, Any

import click

from . import plugins
from .errors import HansproofError

if TYPE_CHECKING:
    from .types import Audit, Benchmark

CONTEXT: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

BENCH_HELP = """
BENCH is a name (`copa`), a part of it (`copa:dev`, `copa:dev+test`), a file or folder of items
(`items.jsonl`), a data set on the hub (`hf:org/name`), or a Python file of yours that defines
load(), which is run.
"""


def main() -> None:
    """Entry point: one line for what the user can put right, a traceback only with --debug."""
    debug = "--debug" in sys.argv
    try:
        cli.main(prog_name="hansproof", standalone_mode=True)
    except HansproofError as error:
        if debug:
            raise
        click.echo(f"hansproof: {error}", err=True)
        sys.exit(2)


@click.group(context_settings=CONTEXT)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(metadata.version("hansproof"), prog_name="hansproof")
def cli(debug: bool) -> None:
    """Is your benchmark Hans-proof? Find out whether its answers can be had without its questions.

    \b
    Examples:
      hansproof audit stable:original -o audit      the embedded benchmark, with its flaws
      hansproof audit items.jsonl -o audit          your own file
      hansproof run cues copa:dev --ngram 1         one question, in the terminal
      hansproof list                                everything there is
    """


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags that say how to read a file of items whose shape is not recognised."""
    options = [
        click.option("--choices", multiple=True, metavar="COLUMN",
                     help="Column of one choice (repeat), or one column that holds the list."),
        click.option("--answer", metavar="COLUMN", help="Column of the right answer."),
        click.option("--field", "fields", multiple=True, metavar="COLUMN",
                     help="Column of the question's text (repeat)."),
        click.option("--id", metavar="COLUMN", help="Column of the items' ids."),
        click.option("--group", metavar="COLUMN", help="Column that ties items together."),
        click.option("--labels", metavar="FILE", help="Second file that holds the answers."),
        click.option("--data", metavar="FOLDER", help="Folder of a named benchmark's files."),
        click.option("--drop-unlabelled", is_flag=True, help="Leave out items without an answer."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def _load(bench: str, flags: dict[str, Any]) -> Benchmark:
    from .benchmarks import load
    from .formats import Mapping

    folder = flags.pop("data")
    return load(bench, Mapping(**flags), folder)


@cli.command("list")
@click.argument("kind", required=False, type=click.Choice(plugins.KINDS))
def list_(kind: str | None) -> None:
    """Name every benchmark, probe and file format, with what it is about.

    \b
    Examples:
      hansproof list
      hansproof list probes
    """
    for one in (kind,) if kind else plugins.KINDS:
        if not kind:
            click.echo(f"{one}:")
        for name, summary in plugins.names(one).items():
            click.echo(f"{'' if kind else '  '}{name:<18}{summary}")


@cli.command()
@click.argument("bench")
@click.option("--items", "most", default=2, show_default=True, help="Items to show of each split.")
@reading
def show(bench: str, most: int, **flags: Any) -> None:
    """Show a benchmark: where it comes from, its splits, a few items.

    \b
    Examples:
      hansproof show stable
      hansproof show questions.csv --choices A --choices B --answer key --field stem
    """
    from .report.terminal import benchmark_view, print_out

    print_out(benchmark_view(_load(bench, flags), most))


@cli.command()
@click.argument("bench")
@reading
def validate(bench: str, **flags: Any) -> None:
    """Check that a benchmark can be read; say what was understood, or the first thing wrong.

    \b
    Examples:
      hansproof validate items.jsonl
      hansproof validate test.jsonl --labels test-labels.lst
    """
    from .report.visible import visible

    benchmark = _load(bench, flags)
    for split, items in benchmark.splits.items():
        sizes = sorted({len(item.choices) for item in items})
        answers = "labelled" if split in benchmark.labelled() else "no answers"
        fields = ", ".join(dict.fromkeys(name for item in items for name in item.fields))
        choices = "/".join(map(str, sizes))
        line = f"{split}: {len(items)} items, {choices} choices, {answers}; fields: {fields}"
        click.echo(visible(line))


class _Probes(click.Group):
    """One command per probe; its flags are the fields of its dataclass."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(plugins.names("probes"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Probes"):
            formatter.write_dl(list(plugins.names("probes").items()))

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        from .flags import probe_command

        return probe_command(name, plugins.class_of("probes", name), reading, _load)


@cli.command(cls=_Probes, subcommand_metavar="PROBE BENCH [OPTIONS]")
def run() -> None:
    """Ask one question of a benchmark. PROBE is a name, or a file of your own (./mine.py).

    \b
    Examples:
      hansproof run cues copa:dev --ngram 1 --json
      hansproof run cues piqa --split pooled --tokenizer nltk --all cues.parquet
      hansproof run surface --help
    """


@cli.command(epilog=BENCH_HELP)
@click.argument("bench")
@click.option(
    "-o",
    "--output",
    default="audit",
    show_default=True,
    metavar="DIR",
    help="Folder for audit.json and report.html.",
)
@click.option(
    "--probe",
    "extra",
    multiple=True,
    metavar="FILE.py",
    help="Also run this probe of your own (repeat).",
)
@click.option("--items", metavar="FILE.csv", help="Write one row per item with its flags.")
@reading
def audit(
    bench: str, output: str, extra: tuple[str, ...], items: str | None, **flags: Any
) -> None:  # fmt: skip
    """Run every probe that needs no model, and write a report.

    \b
    Examples:
      hansproof audit stable:original -o audit
      hansproof audit items.jsonl -o audit --items flags.csv
      hansproof audit questions.csv --choices A --choices B --answer key --field stem
    """
    from . import audit as auditing
    from . import files
    from .items import ITEM, item_rows, to_csv
    from .progress import steps
    from .report import html
    from .report.terminal import print_out
    from .report.text import summary

    for target in (f"{output}/audit.json", f"{output}/report.html", items):
        if target:
            files.check(target)
    benchmark = _load(bench, flags)
    chosen = auditing.probes() | {name: plugins.class_of("probes", name)() for name in extra}
    with steps(len(chosen)) as progress:
        found = auditing.run(benchmark, chosen, progress)
    page = html(found).encode()
    auditing.write(found, f"{output}/audit.json")
    files.write(f"{output}/report.html", page)
    if items:
        files.write(items, to_csv(ITEM, item_rows(benchmark, found)))
    print_out(summary(found))
    click.echo(f"report: {output}/report.html", err=True)
    sys.exit(1 if found.failures else 0)


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
    from .files import write
    from .report import html

    write(output, html(_audit(audit_json)).encode())
    click.echo(f"report: {output}", err=True)


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
    from .diff import compare
    from .files import write
    from .items import CHANGE, changed_rows, to_csv
    from .report.terminal import diff_view, print_json, print_out

    before, after = _audit(old), _audit(new)
    changes = compare(before, after)
    if items:
        write(items, to_csv(CHANGE, changed_rows(before, after)))
    if as_json:
        print_json(changes)
    else:
        print_out(diff_view(changes))


def _audit(path: str) -> Audit:
    from .audit import read

    return read(path)
