"""`hansproof count`: count words and word pairs in a corpus, for models such as pmi."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from .._infra.plural import plural
from ..errors import BadInput
from ._main import cli
from ._outputs import check_generated, force_option
from ._printing import echo_note, print_lines


@cli.command()
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="FILE.npz", help="File to write.")
@click.option("--window", type=int, metavar="N",
              help="Largest distance between the words of a pair (default 5); with --connectives,"
                   " how many words count on each side (default 10).")  # fmt: skip
@click.option("--phrases", is_flag=True, help="Also treat frequent word pairs as units.")
@click.option("--connectives", is_flag=True,
              help="Count pairs across words like `because`, with the cause first.")  # fmt: skip
@click.option("--least", default=2, show_default=True, metavar="N",
              help="Leave out words that occur less often.")  # fmt: skip
@click.option("--field", default="text", show_default=True, metavar="NAME",
              help="Field with the text, in JSON lines, Parquet and data sets on the hub.",
              )  # fmt: skip
@click.option("--least-pairs", default=1, show_default=True, metavar="N",
              help="Leave out pairs that occur less often.")  # fmt: skip
@force_option
def count(
    corpus: tuple[str, ...], output: str, window: int | None, connectives: bool, field: str,
    **flags: Any,
) -> None:  # fmt: skip
    """Count word pairs in a corpus, for the model `pmi`.

    CORPUS is anything that `hansproof scan` reads: files, folders, wildcards, addresses and data
    sets on the hub, with plain text, .jsonl, .parquet, .warc or .wet, compressed or not, or .zip
    of texts. An empty line ends a document.

    \b
    Examples:
      hansproof count gutenberg/ -o w5.npz
      hansproof count 'wiki/*.txt.bz2' -o causal.npz --connectives --least-pairs 2
    """
    from ..corpus import CorpusSource, ReadIssue, resolve_sources, text_stream
    from ..corpus.chunks import format_issue
    from ..models.pmi import counting, table

    check_generated(output)
    plan = counting.CountOptions(
        window=(10 if connectives else 5) if window is None else window,
        connectives=connectives, **flags,
    )  # fmt: skip
    sources = resolve_sources(corpus)
    # only the first problem of a kind in a source: the corpus may be read twice
    problems: dict[tuple[str, str], ReadIssue] = {}

    def record_problem(source: CorpusSource, problem: ReadIssue) -> None:
        problems.setdefault((source.address, problem.message), problem)

    total_bytes = sum(source.size or 0 for source in sources)
    counts = counting.count_corpus(
        lambda: _track_bytes(text_stream.read_text(sources, record_problem, field), total_bytes),
        plan,
    )
    for (source, message), problem in problems.items():
        issue = format_issue(source, message, problem.position, None, problem.unit_name)
        echo_note(f"not counted: {issue}")
    if not counts.total:
        raise BadInput(corpus[0], "contains no words")
    table.write_table(output, counts)
    data = {
        "file": output, "words": counts.total, "words_kept": len(counts.words),
        "pairs": counts.total_pairs, "pairs_kept": len(counts.keys),
    }  # fmt: skip
    print_lines(
        data,
        f"{output}: {plural(counts.total, 'word')}, {len(counts.words):,} different ones kept;"
        f" {plural(counts.total_pairs, 'pair')}, {len(counts.keys):,} different ones kept",
    )


def _track_bytes(pieces: Iterable[tuple[str, int]], total_bytes: int) -> Iterator[str]:
    """Yield the texts, with a bar over the bytes that were read."""
    from .._infra.progress import MIB_BITS, count_bar

    with count_bar(total_bytes >> MIB_BITS, "MiB") as show_progress:
        for piece, bytes_read in pieces:
            yield piece
            show_progress(bytes_read >> MIB_BITS)
