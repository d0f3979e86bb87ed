"""Commands that look for items in a corpus: index, scan."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from ._main import cli
from ._reading import BENCH_HELP, Listing, giving, load_with, reading

if TYPE_CHECKING:
    from ..contamination.found import Found
    from ..contamination.index import Index

MIB = 20  # bits


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
    bench: tuple[str, ...], output: str, tokenizer: str, n: int | None, near: bool,
    data: str | None,
) -> None:  # fmt: skip
    """Make an index of benchmarks' N-grams, to look for in a corpus.

    \b
    Examples:
      hansproof index piqa:dev -o piqa.npz
      hansproof index arct_adversarial:test arc_challenge:test csqa:dev piqa:dev -o four.npz
      hansproof index csqa:dev piqa:dev --n 8 -o same.npz      one N: what have they in common?
    """
    from .. import benchmarks, files
    from ..contamination import index as indexes
    from ..contamination.building import build

    files.check(output)
    made = build([benchmarks.load(one, folder=data) for one in bench], tokenizer, n, near)
    indexes.write(output, made)
    click.echo(_about(made))
    click.echo(f"index: {output}", err=True)


def _about(made: Index) -> str:
    lines = []
    for member, (low, high) in zip(
        made.head.members, zip(made.offsets, made.offsets[1:], strict=False), strict=True
    ):
        short = sum(count == 0 for count in member.grams)
        grams = made.count(low, high)
        lines.append(
            f"{member.name} ({', '.join(member.splits)}): N = {member.n} ({member.rule}),"
            f" {grams:,} N-grams of {len(member.ids):,} items; {short:,} are too short to be"
            " searched for"
        )
    lines += [
        f"{pair.one} and {pair.other}: {pair.grams:,} N-grams in common at N = {pair.n}"
        + (f" ({pair.items[0][0]} and {pair.items[0][1]})" if pair.items else "")
        for pair in made.head.shared
    ]
    lines.append(f"{made.count():,} N-grams, tokenizer {made.head.tokenizer}")
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
    from .. import files
    from ..checks import check
    from ..contamination import index as indexes
    from ..contamination.job import Job
    from ..contamination.run import run
    from ..corpus import found as sources
    from ..corpus.read import Reading
    from ..report.terminal import print_json

    files.check(output)
    check("checkpoint", checkpoint, 0.1)
    cores = threads if threads is not None else os.cpu_count() or 1
    check("threads", cores, 1)
    listed = [one for one in sources(corpus) if not _own(one.address, output)]
    job = Job.of(indexes.read(index_npz), listed, Reading(field, continued))
    work: Any = run
    if engine == "ray":
        from ..contamination.clustered import scattered as work
    from ..progress import measured

    total = sum(source.size or 0 for source in job.sources)
    with measured(total >> MIB, "MiB") as bar:
        result = work(
            job, output, cores, checkpoint,
            lambda done, hits: bar(done >> MIB, f"MiB, {hits:,} hits"),
        )  # fmt: skip
    if as_json:
        print_json(
            {"corpus": result.corpus, "troubles": result.troubles, "grams": len(result.grams)}
        )
    else:
        click.echo(_told(result))
    click.echo(f"result: {output}", err=True)
    sys.exit(1 if result.lost() else 0)


def _own(address: str, output: str) -> bool:
    """Whether a file in the corpus is the result itself, or how far it is."""
    path, written = os.path.abspath(address), os.path.abspath(output)
    return path == written or (path.startswith(f"{written}.") and path.endswith(".part"))


@cli.command(cls=Listing, epilog=BENCH_HELP)
@click.argument("bench")
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder for the lists.")
@giving(("scans", "reference"))
@reading
def levels(bench: str, output: str, **flags: Any) -> None:
    """Write lists of the items that scans found, and of those that they did not.

    One id a line: clean.txt, dirty.txt (matches, with or without answer), near.txt, common.txt
    and unsearchable.txt; and levels.csv with all of them.

    \b
    Examples:
      hansproof levels piqa:dev --scans found.json -o lists
      hansproof edit clean piqa:dev --scans found.json -o piqa-clean      the items themselves
    """
    from .. import files
    from ..contamination import levels as known
    from ..formats._spreadsheet import to_csv

    files.check(os.path.join(output, "levels.csv"))
    benchmark, there = load_with(bench, ("scans", "reference"), flags)
    if not there.get("scans"):
        raise BadInput("--scans", "give what `hansproof scan` found")
    reference = there.get("reference", ())
    found = known.findings(benchmark, there["scans"], reference, known.Rules())
    every = [(split, one) for split, some in found.items() for one in some]
    lists = {
        "clean": (known.CLEAN,), "dirty": known.DIRTY, "near": (known.NEAR,),
        "common": (known.COMMON,), "unsearchable": (known.SHORT,),
    }  # fmt: skip
    for name, some in lists.items():
        ids = [one.item.id for _, one in every if one.level in some]
        path = os.path.join(output, f"{name}.txt")
        files.write(path, "".join(f"{id}\n" for id in ids).encode())
        click.echo(f"{path}: {len(ids):,} items")
    rows = [{"id": one.item.id, "split": split, "level": one.level} for split, one in every]
    files.write(os.path.join(output, "levels.csv"), to_csv(("id", "split", "level"), rows))


def _told(result: Found) -> str:
    from ..contamination.near import NEAR
    from ..corpus.text import said

    corpus = result.corpus
    grams = [gram for gram in result.grams if any(part != NEAR for _, part in gram.items)]
    items = {item for gram in grams for item, part in gram.items if part != NEAR}
    hits = sum(gram.count for gram in grams)
    lines = [
        f"{corpus.words:,} words in {corpus.documents:,} documents, {corpus.bytes:,} bytes of text,"
        f" {len(corpus.sources):,} files: {hits:,} hits of {len(grams):,} different N-grams"
        f" of {len(items):,} items"
    ]
    for one in result.troubles:
        lost = "not scanned: " if one.lost else ""
        lines.append(lost + said(one.source, one.what, one.at, one.skipped, one.of))
    return "\n".join(lines)
