"""Commands that look for items in a corpus: index, scan."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from ._main import cli
from ._options import BENCH_HELP, VariadicCommand, input_options, item_options, load_inputs

if TYPE_CHECKING:
    from ..contamination.index import NgramIndex
    from ..contamination.result import ScanResult

MIB_BITS = 20  # bits


@cli.command(epilog=BENCH_HELP)
@click.argument("bench", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="FILE.npz", help="Where the index goes.")
@click.option("--tokenizer", default="word", show_default=True, metavar="NAME",
              help="word or whitespace, for which scans are fast; or nltk.")  # fmt: skip
@click.option("--n", type=int, metavar="N",
              help="Words of an N-gram, for all; without it 95 % of a benchmark's sequences have"
                   " that many, but 8 to 13.")  # fmt: skip
@click.option("--near", is_flag=True,
              help="Add sketches, by which near-duplicates are found, too; scans take longer.",
              )  # fmt: skip
@click.option("--data", metavar="FOLDER", help="Folder of a named benchmark's files.")
def index(
    bench: tuple[str, ...], output: str, tokenizer: str, n: int | None, near_duplicates: bool,
    data: str | None,
) -> None:  # fmt: skip
    """Make an index of benchmarks' N-grams, to look for in a corpus.

    \b
    Examples:
      hansproof index piqa:dev -o piqa.npz
      hansproof index arct_adversarial:test arc_challenge:test csqa:dev piqa:dev -o four.npz
      hansproof index csqa:dev piqa:dev --n 8 -o same.npz      one N: what have they in common?
    """
    from .. import benchmarks
    from .._infra import atomic_io
    from ..contamination import index as indexes
    from ..contamination.build_index import build_index

    atomic_io.check_writable(output)
    ngram_index = build_index(
        [benchmarks.load(name, folder=data) for name in bench], tokenizer, n, near_duplicates
    )
    indexes.write_index(output, ngram_index)
    click.echo(_describe_index(ngram_index))
    click.echo(f"index: {output}", err=True)


def _describe_index(ngram_index: NgramIndex) -> str:
    lines = []
    for member, (low, high) in zip(
        ngram_index.header.members,
        zip(ngram_index.item_offsets, ngram_index.item_offsets[1:], strict=False),
        strict=True,
    ):
        n_too_short = sum(count == 0 for count in member.ngram_counts)
        n_ngrams = ngram_index.count_ngrams(low, high)
        lines.append(
            f"{member.name} ({', '.join(member.splits)}): N = {member.n} ({member.n_rule}),"
            f" {n_ngrams:,} N-grams of {len(member.ids):,} items; {n_too_short:,} are too short to be"
            " searched for"
        )
    lines += [
        f"{pair.first} and {pair.second}: {pair.n_ngrams:,} N-grams in common at N = {pair.n}"
        + (f" ({pair.item_pairs[0][0]} and {pair.item_pairs[0][1]})" if pair.item_pairs else "")
        for pair in ngram_index.header.overlaps
    ]
    lines.append(
        f"{ngram_index.count_ngrams():,} N-grams, tokenizer {ngram_index.header.tokenizer}"
    )
    return "\n".join(lines)


@cli.command()
@click.argument("index_npz", metavar="INDEX")
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="FILE.json", help="Where the result goes.")
@click.option("--field", default="text", show_default=True, metavar="NAME",
              help="Where the text stands in JSON lines, Parquet and on the hub.")  # fmt: skip
@click.option("--continued", is_flag=True,
              help="Files of plain text are pieces of one, as `split` makes them.")  # fmt: skip
@click.option("--threads", type=int, metavar="N", help="All cores, without it.")
@click.option("--engine", type=click.Choice(["threads", "ray"]), default="threads",
              show_default=True, help="Who does the work.")  # fmt: skip
@click.option("--checkpoint", default=3.0, show_default=True, metavar="SECONDS",
              help="How often it is written down how far the scan is.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the account as JSON.")
def scan(
    index_npz: str, corpus: tuple[str, ...], output: str, field: str, continued: bool,
    threads: int | None, engine: str, checkpoint: float, as_json: bool,
) -> None:  # fmt: skip
    """Look in a corpus for the N-grams of an index.

    CORPUS are files, folders, wildcards, addresses (s3://bucket/*.jsonl.zst, https://host/a.txt),
    or data sets of the hub (hf:org/name:train). Read are plain text, .jsonl, .parquet, .warc and
    .wet, each also as .gz, .zst, .bz2 or .xz (Parquet packs for itself), and the texts in a .zip.
    A scan that was stopped, however, goes on where it was when it is started again. Exit code 1:
    some of the text could not be read.

    \b
    Examples:
      hansproof scan piqa.npz openwebtext/ -o found.json
      hansproof scan four.npz 'cc/*.warc.wet.gz' -o found.json --threads 8
      hansproof scan piqa.npz s3://corpora/c4/ -o found.json --engine ray
      hansproof run contamination piqa:dev --scans found.json
    """
    from .._infra import atomic_io
    from .._infra.validation import check_range
    from ..contamination import index as indexes
    from ..contamination.coordinator import scan_in_threads
    from ..contamination.scan import ScanPlan
    from ..corpus import resolve_sources as sources
    from ..corpus.shards import CorpusReader
    from ..report.terminal.result import print_json

    atomic_io.check_writable(output)
    check_range("checkpoint", checkpoint, 0.1)
    n_threads = threads if threads is not None else os.cpu_count() or 1
    check_range("threads", n_threads, 1)
    corpus_sources = [
        source for source in sources(corpus) if not _is_own_output(source.address, output)
    ]
    plan = ScanPlan.for_sources(
        indexes.read_index(index_npz), corpus_sources, CorpusReader(field, continued)
    )
    run_scan: Any = scan_in_threads
    if engine == "ray":
        from ..contamination.ray_scan import scan_on_ray as run_scan
    from .._infra.progress import amount_bar

    total_bytes = sum(source.size or 0 for source in plan.sources)
    with amount_bar(total_bytes >> MIB_BITS, "MiB") as bar:
        result = run_scan(
            plan, output, n_threads, checkpoint,
            lambda n_bytes, hits: bar(n_bytes >> MIB_BITS, f"MiB, {hits:,} hits"),
        )  # fmt: skip
    if as_json:
        print_json(
            {"corpus": result.corpus, "troubles": result.troubles, "grams": len(result.grams)}
        )
    else:
        click.echo(_describe_result(result))
    click.echo(f"result: {output}", err=True)
    sys.exit(1 if result.lost() else 0)


def _is_own_output(address: str, output: str) -> bool:
    """Whether a file in the corpus is the result itself, or how far it is."""
    path, output_path = os.path.abspath(address), os.path.abspath(output)
    return path == output_path or (path.startswith(f"{output_path}.") and path.endswith(".part"))


@cli.command(cls=VariadicCommand, epilog=BENCH_HELP)
@click.argument("bench")
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder for the lists.")
@input_options(("scans", "reference"))
@item_options
def levels(bench: str, output: str, **flags: Any) -> None:
    """Write lists of the items that scans found, and of those that they did not.

    One id a line: clean.txt, dirty.txt (matches, with or without answer), near.txt, common.txt
    and unsearchable.txt; and levels.csv with all of them.

    \b
    Examples:
      hansproof levels piqa:dev --scans found.json -o lists
      hansproof edit clean piqa:dev --scans found.json -o piqa-clean      the items themselves
    """
    from .._infra import atomic_io
    from ..contamination import levels as known
    from ..records.spreadsheet import to_csv

    atomic_io.check_writable(os.path.join(output, "levels.csv"))
    benchmark, inputs = load_inputs(bench, ("scans", "reference"), flags)
    if not inputs.get("scans"):
        raise BadInput("--scans", "give what `hansproof scan` found")
    reference = inputs.get("reference", ())
    findings = known.classify_items(benchmark, inputs["scans"], reference, known.LevelRules())
    labelled_findings = [
        (split, finding) for split, split_findings in findings.items() for finding in split_findings
    ]
    levels_by_list = {
        "clean": (known.CLEAN,), "dirty": known.DIRTY, "near": (known.NEAR,),
        "common": (known.COMMON,), "unsearchable": (known.SHORT,),
    }  # fmt: skip
    for name, selected_levels in levels_by_list.items():
        ids = [
            finding.item.id for _, finding in labelled_findings if finding.level in selected_levels
        ]
        path = os.path.join(output, f"{name}.txt")
        atomic_io.write_file(path, "".join(f"{item_id}\n" for item_id in ids).encode())
        click.echo(f"{path}: {len(ids):,} items")
    rows = [
        {"id": finding.item.id, "split": split, "level": finding.level}
        for split, finding in labelled_findings
    ]
    atomic_io.write_file(os.path.join(output, "levels.csv"), to_csv(("id", "split", "level"), rows))


def _describe_result(result: ScanResult) -> str:
    from ..contamination.shingles import SHINGLE_PART
    from ..corpus.records import format_issue

    corpus = result.corpus
    ngrams = [
        ngram for ngram in result.ngrams if any(part != SHINGLE_PART for _, part in ngram.items)
    ]
    items = {item for ngram in ngrams for item, part in ngram.items if part != SHINGLE_PART}
    hits = sum(ngram.count for ngram in ngrams)
    lines = [
        f"{corpus.words:,} words in {corpus.documents:,} documents, {corpus.bytes:,} bytes of text,"
        f" {len(corpus.sources):,} files: {hits:,} hits of {len(ngrams):,} different N-grams"
        f" of {len(items):,} items"
    ]
    for issue in result.issues:
        prefix = "not scanned: " if issue.text_lost else ""
        lines.append(
            prefix
            + format_issue(
                issue.source, issue.message, issue.position, issue.skipped, issue.unit_name
            )
        )
    return "\n".join(lines)
