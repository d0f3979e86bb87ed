"""`hansproof audit`: run all probes on a benchmark and write a report."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from ._command import HeadedOption, command_line
from ._completion import complete_plugins
from ._main import cli
from ._open_page import open_option, open_page
from ._options import (
    BENCH_HELP,
    INPUT_HEADING,
    INPUT_HELP,
    VariadicCommand,
    bench_argument,
    input_options,
    item_options,
    load_benchmarks,
)
from ._outputs import (
    check_editable,
    check_generated,
    check_results_folder,
    create_folder,
    force_option,
)
from ._printing import echo_note, print_output
from ._reading_notes import echo_reading
from ._run_flags import run_option, run_options

if TYPE_CHECKING:
    from ..audit_checkpoint import AuditCheckpoint
    from ..types import Audit, Benchmark

COMPILATION_NOTE = "compiling for this machine; later audits skip this step"


@cli.command(epilog=BENCH_HELP, cls=VariadicCommand)
@bench_argument
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
    "probe_specs",
    multiple=True,
    metavar="NAME[:FLAGS]",
    shell_complete=complete_plugins("probes", or_file=True),
    help="Run an extra probe (a name, or your own Python file), optionally with settings: "
    "`cues:ngram=1`. May be repeated.",
)
@click.option("--by", metavar="COLUMN|file|folder",
              help="Also compare parts: run the probes on each subject, file or folder alone.",
              )  # fmt: skip
@click.option("--tokenizer", default="auto", show_default=True, metavar="NAME",
              help="How texts are split into words: word, whitespace, nltk; for text without "
                   "spaces chars, pairs (of characters), jieba, sudachi or pythainlp. auto "
                   "chooses word or chars by the script.")  # fmt: skip
@click.option(
    "--items",
    metavar="FILE.csv",
    help="Also write a table of all items with the findings about each.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Audit a random sample of N items, for a first look at a large benchmark. Groups stay "
    "together; the report says that it is a sample.",
)
@run_option("--model", "models", multiple=True, metavar="NAME",
              shell_complete=complete_plugins("models"),
              help="Also train this model, or ask it if it is behind a server, with every part of "
                   "the input (`hansproof list models` names models). May be repeated.",
              )  # fmt: skip
@run_option(
    "--seeds",
    default=3,
    show_default=True,
    help="How many times to train each --model, or to sample its answers at a temperature.",
)
@run_options
@input_options(INPUT_HELP)
@click.option(
    "--easy", cls=HeadedOption, heading=INPUT_HEADING, metavar="FILE",
    help="Published ids of the Easy items, for the probe easy_hard.",
)  # fmt: skip
@click.option("-v", "--verbose", is_flag=True,
              help="Also print the estimates, tables and notes of every probe.")  # fmt: skip
@open_option
@force_option
@item_options
def audit(
    bench: str | list[str],
    output: str,
    probe_specs: tuple[str, ...],
    by: str | None,
    tokenizer: str,
    items: str | None,
    sample: int | None,
    models: tuple[str, ...],
    seeds: int,
    easy: str | None,
    verbose: bool,
    show_page: bool,
    **flags: Any,
) -> None:
    """Audit a benchmark, and write a report.

    Runs every probe that the given files allow. A probe asks one question, such as whether the
    longest choice is right too often. Probes of your models need their answers (--predictions);
    some probes run only on request (--probe).

    An audit that is interrupted continues with the next probe when the same command is given
    again; only probes in your own files are run again.

    \b
    Examples:
      hansproof audit toy:original -o audit
      hansproof audit items.jsonl -o audit --items items.csv
      hansproof audit data/test --by file             # one file per subject
      hansproof audit 'quiz/*.json' --by topic --name "Spring course"
      hansproof audit items.jsonl -o first_look --sample 5000
      hansproof audit items.jsonl -o audit --probe priority --probe ./mine.py
      hansproof audit copa --probe cues:ngram=1 --probe class_balance:dev
      hansproof audit copa --trained saved:runs/1 --probe robustness:most=100
      hansproof audit chinese.jsonl --tokenizer jieba
      hansproof audit questions.csv --choices A --choices B --answer key
      hansproof audit copa --predictions 'runs/*.jsonl' --ratings crowd.csv
      hansproof audit copa --lm lm:models/smollm2
      hansproof audit copa --model wordfreq --model bow --seeds 5 --jobs 2
      hansproof audit copa --model 'openai:gpt-4.1-mini,price=0.4|1.6' --budget 5
      hansproof audit copa --blind hf:roberta-base --blind lm:models/smollm2
    """
    get_time = _make_clock()  # before imports: numpy reads the same variable
    from .. import auditing
    from ..probe_selection import add_blind_note, build_probes, check_probes
    from ._audit_inputs import AuditInputs
    from ._cached_inputs import find_cached_inputs

    _check_outputs(output, items)
    extra_probes = auditing.set_tokenizer(build_probes(probe_specs, by), tokenizer)
    audit_inputs = AuditInputs.from_flags(flags, models, seeds)
    benchmark, *further = load_benchmarks([bench, *audit_inputs.other_benchmarks], flags)
    probes: dict[str, Any] = auditing.default_probes(audit_inputs.names()) | extra_probes
    check_probes(probes, benchmark, audit_inputs.names())
    probes = _set_easy(probes, easy)
    audit_inputs.check(benchmark, sample)
    benchmark, inputs = audit_inputs.load(benchmark, further, sample, output)
    echo_reading(bench, benchmark)
    inputs |= find_cached_inputs(benchmark, probes.values(), inputs)
    audit_result, checkpoint = _run_probes(benchmark, probes, inputs, tokenizer, output)
    audit_result = add_blind_note(audit_result, inputs)
    audit_result = replace(audit_result, created=get_time(), command=command_line())
    _write_files(benchmark, audit_result, output, items)
    checkpoint.remove()
    _print_audit(audit_result, f"{output}/report.html", verbose, show_page)
    sys.exit(1 if audit_result.failures else 0)


def _check_outputs(folder: str, items: str | None) -> None:
    """Raise BadInput if the results or the table of items must not be written."""
    check_results_folder(folder)
    check_generated(f"{folder}/audit.json", f"{folder}/report.html")
    if items:
        check_editable(items)


def _print_audit(result: Audit, report_path: str, verbose: bool, show_page: bool) -> None:
    """Print the audit, and say where the report is or open it."""
    from ..report.terminal.audit import audit_view

    print_output(result, lambda: audit_view(result, verbose))
    hint = "" if verbose or show_page else " (--open shows it in the browser, -v prints details)"
    echo_note(f"report: {report_path}{hint}")
    if show_page:
        open_page(report_path)


def _run_probes(
    benchmark: Benchmark,
    probes: dict[str, Any],
    inputs: dict[str, Any],
    tokenizer: str,
    output: str,
) -> tuple[Audit, AuditCheckpoint]:
    """Run the probes that an interrupted audit has not run yet; their results are saved."""
    from .. import auditing
    from .._infra.compilation import announce_compilation
    from .._infra.progress import step_bar
    from ..audit_checkpoint import FILE_NAME, AuditCheckpoint

    create_folder(output)
    announce_compilation(lambda: echo_note(COMPILATION_NOTE))
    path = os.path.join(output, FILE_NAME)
    checkpoint = AuditCheckpoint(path, benchmark, inputs, auditing.describe_environment())
    with step_bar(auditing.probe_costs(probes)) as progress:
        result = auditing.run_audit(benchmark, probes, progress, inputs, tokenizer, checkpoint)
    if checkpoint.resumed:
        echo_note(f"continued an interrupted audit; already run: {', '.join(checkpoint.resumed)}")
    return result, checkpoint


def _make_clock() -> Callable[[], str]:
    """Return a function that writes the time, or SOURCE_DATE_EPOCH for reproducible builds.

    Raises BadInput if the variable is not a time.
    """
    value = os.environ.get("SOURCE_DATE_EPOCH")
    if value is None:
        return lambda: _format_time(time.time())
    try:
        formatted = _format_time(int(value))
    except (ValueError, OverflowError, OSError):
        message = f"is {value!r}, must be a number of seconds since 1970"
        raise BadInput("SOURCE_DATE_EPOCH", message) from None
    return lambda: formatted


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _set_easy(probes: dict[str, Any], easy: str | None) -> dict[str, Any]:
    """Set the file with published ids of Easy items, if it is given."""
    if easy is None:
        return probes
    if "easy_hard" not in probes:
        raise BadInput("--easy", "needs --predictions: give the answers of models, too")
    return {**probes, "easy_hard": replace(probes["easy_hard"], easy=easy)}


def _write_files(benchmark: Benchmark, audit: Audit, output: str, items: str | None) -> None:
    """Write audit.json, report.html and, if `items` is a path, the table of item flags."""
    from ..item_flags import ITEM_COLUMNS, item_rows, to_csv
    from ..report.files import save_report
    from ._written_files import write_recorded

    save_report(audit, output)
    if items:
        write_recorded(items, to_csv(ITEM_COLUMNS, item_rows(benchmark, audit)))
        echo_note(f"items: {items}")
