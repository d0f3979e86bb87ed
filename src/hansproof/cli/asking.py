"""Commands that ask: run one probe, or audit with all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from .. import plugins
from ..errors import BadInput
from ._main import cli
from ._plugin import Plugins
from ._reading import BENCH_HELP, MODELS, NEEDS, Listing, giving, load_with, reading
from .predicting import Means, running, trained


class _Probes(Plugins):
    """A command for every probe."""

    kind = "probes"

    def errand(self, about: Any) -> Callable[..., Any]:
        """Ask it, and print what it says."""

        def ask(bench: str, as_json: bool, every: str | None = None, **values: Any) -> None:
            from .. import audit, files
            from ..flags import built
            from ..report.terminal import print_result

            probe = built(about, values)
            if every:
                files.check(every)
            benchmark, there = load_with(bench, plugins.looks_at(about), values)
            result = audit.ask(probe, benchmark, there)
            if every:
                from ..formats.parquet import write_columns

                write_columns(every, probe.every(benchmark))
            print_result(result, as_json)

        text = "Print the Result as JSON."
        made = click.option("--json", "as_json", is_flag=True, help=text)(ask)
        if hasattr(about, "every"):
            text = "Also write every row, however rare, to this Parquet file."
            made = click.option("--all", "every", metavar="FILE.parquet", help=text)(made)
        return made


@cli.command(cls=_Probes, subcommand_metavar="PROBE BENCH [OPTIONS]")
def run() -> None:
    """Ask one question of a benchmark. PROBE is a name, or a file of your own (./mine.py).

    \b
    Examples:
      hansproof run cues copa:dev --ngram 1 --json
      hansproof run cues piqa --split pooled --tokenizer nltk --all cues.parquet
      hansproof run easy_hard copa --predictions 'runs/*.jsonl' --easy easy_hard_subsets.json
      hansproof run transfer arct --others arc_challenge piqa csqa
      hansproof run surface --help
    """


@cli.command(epilog=BENCH_HELP, cls=Listing)
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
    metavar="NAME[:FLAGS]",
    help="Also run this probe, with flags of your own: one that no audit has unasked (priority), "
    "a file of yours, or another way to ask one that it has (repeat).",
)
@click.option("--items", metavar="FILE.csv", help="Write one row per item with its flags.")
@click.option("--model", "models", multiple=True, metavar="NAME",
              help="Also train this model (`hansproof list models`; repeat), on every view.",
              )  # fmt: skip
@click.option("--seeds", default=3, show_default=True, help="How many times, with --model.")
@running
@giving(NEEDS)
@click.option("--easy", metavar="FILE", help="Published ids of the Easy items (`run easy_hard`).")
@reading
def audit(
    bench: str,
    output: str,
    extra: tuple[str, ...],
    items: str | None,
    models: tuple[str, ...],
    seeds: int,
    easy: str | None,
    **flags: Any,
) -> None:
    """Run every probe that has what it needs, and write a report.

    \b
    Examples:
      hansproof audit stable:original -o audit
      hansproof audit items.jsonl -o audit --items flags.csv
      hansproof audit items.jsonl -o audit --probe priority --probe ./mine.py
      hansproof audit copa --probe cues:ngram=1,tokenizer=nltk --probe class_balance:dev
      hansproof audit copa --trained kept:runs/1 --probe robustness:vectors=cf.npz,word_cosine=0.5
      hansproof audit questions.csv --choices A --choices B --answer key --field stem
      hansproof audit copa --predictions 'runs/*.jsonl' --ratings crowd.csv
      hansproof audit copa --model wordfreq --model bov:vectors=glove.txt --seeds 5 --jobs 2
    """
    from .. import audit as auditing
    from .. import files
    from ..items import ITEM, item_rows, to_csv
    from ..progress import steps
    from ..report import html
    from ..report.terminal import print_out
    from ..report.text import summary

    for target in (f"{output}/audit.json", f"{output}/report.html", items):
        if target:
            files.check(target)
    asked, means = _asked(extra), Means.taken(flags)
    specs = means.set_in(models)
    benchmark, there = load_with(bench, NEEDS, flags)
    if specs:
        said = trained(benchmark, specs, seeds, means, f"{output}/runs")
        known = there.get("predictions", ())
        there["predictions"] = [*known, *(run for run in said if run not in known)]
    chosen = auditing.probes(there) | asked
    for need in MODELS:
        if need in there and not any(need in plugins.looks_at(one) for one in chosen.values()):
            raise BadInput(
                f"--{need}", "no probe of this audit looks at it: --probe robustness does"
            )
    if easy is not None:
        if "easy_hard" not in chosen:
            raise BadInput("--easy", "says what to look at in --predictions: give these, too")
        chosen["easy_hard"] = replace(chosen["easy_hard"], easy=easy)
    with steps(len(chosen)) as progress:
        found = auditing.run(benchmark, chosen, progress, there)
    page = html(found).encode()
    auditing.write(found, f"{output}/audit.json")
    files.write(f"{output}/report.html", page)
    if items:
        files.write(items, to_csv(ITEM, item_rows(benchmark, found)))
    print_out(summary(found))
    click.echo(f"report: {output}/report.html", err=True)
    sys.exit(1 if found.failures else 0)


def _asked(wanted: tuple[str, ...]) -> dict[str, Any]:
    """The probes that were asked for, by name, with the flags that follow a colon."""
    from ..specs import made, name_of

    found: dict[str, Any] = {}
    for spec in wanted:
        given = name_of(spec)
        name = given if given.endswith(".py") else given.replace("-", "_")
        if name in found:
            raise BadInput("--probe", f"{name} is named twice: an audit asks each probe once")
        found[name] = made("probes", spec)
    return found
