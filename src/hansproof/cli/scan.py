"""`hansproof scan`: look in a corpus for the N-grams of an index."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from .._infra.plural import plural
from ._main import cli
from ._outputs import check_generated, force_option
from ._printing import echo_note, print_lines

if TYPE_CHECKING:
    from ..contamination.result import ScanResult


@cli.command()
@click.argument("index_npz", metavar="INDEX")
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="FILE.json", help="File to write.")
@click.option("--field", default="text", show_default=True, metavar="NAME",
              help="Field with the text, in JSON lines, Parquet and data sets on the hub.",
              )  # fmt: skip
@click.option("--continued", is_flag=True,
              help="Treat files of plain text as pieces of one text, as `split` writes them.",
              )  # fmt: skip
@click.option("--threads", type=int, metavar="N", help="Number of threads. Default: all cores.")
@click.option("--engine", type=click.Choice(["threads", "ray"]), default="threads",
              show_default=True, help="Run in threads on this machine, or as Ray tasks.",
              )  # fmt: skip
@click.option("--checkpoint", default=3.0, show_default=True, metavar="SECONDS",
              help="How often progress is saved.")  # fmt: skip
@force_option
def scan(
    index_npz: str, corpus: tuple[str, ...], output: str, field: str, continued: bool,
    threads: int | None, engine: str, checkpoint: float,
) -> None:  # fmt: skip
    """Search a corpus for the N-grams of an index.

    CORPUS is one or more files, folders, wildcards, addresses (s3://bucket/*.jsonl.zst,
    https://host/a.txt) or data sets on the hub (hf:org/name:train). The formats are plain text,
    .jsonl, .parquet, .warc and .wet, also compressed with .gz, .zst, .bz2 or .xz, and .zip of
    texts. A scan that is interrupted continues when the same command is given again. Exits with 1
    if some of the text could not be read.

    \b
    Examples:
      hansproof scan piqa.npz openwebtext/ -o found.json
      hansproof scan four.npz 'cc/*.warc.wet.gz' -o found.json --threads 8
      hansproof scan piqa.npz s3://corpora/c4/ -o found.json --engine ray
      hansproof run contamination piqa:dev --scans found.json
    """
    from .._infra.validation import check_range
    from ..contamination import index as indexes
    from ..contamination.coordinator import scan_in_threads
    from ..contamination.scan import ScanPlan
    from ..corpus import resolve_sources
    from ..corpus.shards import CorpusReader

    check_generated(output)
    check_range("checkpoint", checkpoint, 0.1)
    n_threads = threads if threads is not None else os.cpu_count() or 1
    check_range("threads", n_threads, 1)
    corpus_sources = [
        source for source in resolve_sources(corpus) if not _is_own_output(source.address, output)
    ]
    plan = ScanPlan.for_sources(
        indexes.read_index(index_npz), corpus_sources, CorpusReader(field, continued)
    )
    run_scan: Any = scan_in_threads
    if engine == "ray":
        from ..contamination.ray_scan import scan_on_ray as run_scan
    from .._infra.progress import MIB_BITS, bar

    total_bytes = sum(source.size or 0 for source in plan.sources)
    with bar(total_bytes >> MIB_BITS, "MiB") as progress_bar:
        result = run_scan(
            plan, output, n_threads, checkpoint,
            lambda n_bytes, hits: progress_bar.update(
                n_bytes >> MIB_BITS, f"MiB, {plural(hits, 'hit')}"
            ),
        )  # fmt: skip
    data = {"corpus": result.corpus, "issues": result.issues, "ngrams": len(result.ngrams)}
    print_lines(data, _describe_result(result))
    echo_note(f"result: {output}")
    sys.exit(1 if result.lost_text_issues() else 0)


def _is_own_output(address: str, output: str) -> bool:
    """Tell whether a file in the corpus is the scan's own result or checkpoint."""
    path, output_path = os.path.abspath(address), os.path.abspath(output)
    return path == output_path or (path.startswith(f"{output_path}.") and path.endswith(".part"))


def _describe_result(result: ScanResult) -> str:
    from ..contamination.shingles import SHINGLE_PART
    from ..corpus.chunks import format_issue

    corpus = result.corpus
    ngrams = [
        ngram for ngram in result.ngrams if any(part != SHINGLE_PART for _, part in ngram.items)
    ]
    items = {item for ngram in ngrams for item, part in ngram.items if part != SHINGLE_PART}
    hits = sum(ngram.count for ngram in ngrams)
    lines = [
        f"{plural(corpus.words, 'word')} in {plural(corpus.documents, 'document')},"
        f" {plural(corpus.bytes, 'byte')} of text, {plural(len(corpus.sources), 'file')}:"
        f" {plural(hits, 'hit')} of {plural(len(ngrams), 'different N-gram')}"
        f" of {plural(len(items), 'item')}"
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
