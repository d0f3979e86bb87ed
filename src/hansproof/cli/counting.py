"""The command that counts words in a corpus, for models that go by such counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from ..errors import BadInput
from ._main import cli

MIB = 20  # bits


@cli.command()
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="FILE.npz", help="Where the table goes.")
@click.option("--window", type=int, metavar="N",
              help="How far apart two words of a pair may stand (5); with --connectives, how many"
                   " words count on each side (10).")  # fmt: skip
@click.option("--phrases", is_flag=True, help="Take frequent word pairs for units, too.")
@click.option("--connectives", is_flag=True,
              help="Count pairs on either side of words like `because`, cause first.")  # fmt: skip
@click.option("--least", default=2, show_default=True, metavar="N",
              help="Leave out words that are rarer.")  # fmt: skip
@click.option("--field", default="text", show_default=True, metavar="NAME",
              help="Of JSON lines, Parquet and the hub: where the text stands.")  # fmt: skip
@click.option("--least-pairs", default=1, show_default=True, metavar="N",
              help="Leave out pairs that are rarer.")  # fmt: skip
def count(
    corpus: tuple[str, ...], output: str, window: int | None, connectives: bool, field: str,
    **flags: Any,
) -> None:  # fmt: skip
    """Count which words come before which in a corpus, for `pmi` and its kinds.

    CORPUS is what `hansproof scan` reads: plain text, .jsonl, .parquet, .warc, .wet, also packed,
    and .zip of texts; files, folders, wildcards, addresses, data sets of the hub. A blank line
    ends a document.

    \b
    Examples:
      hansproof count gutenberg/ -o w5.npz
      hansproof count 'wiki/*.txt.bz2' -o causal.npz --connectives --least-pairs 2
    """
    from .. import files
    from ..corpus import Problem, Source, found, pieces
    from ..corpus.text import said
    from ..models.pmi import counting, table

    files.check(output)
    plan = counting.Counting(
        window=(10 if connectives else 5) if window is None else window,
        connectives=connectives, **flags,
    )  # fmt: skip
    sources = found(corpus)
    passed: dict[tuple[str, str], Problem] = {}  # the first of a kind: a corpus may be read twice

    def tell(source: Source, problem: Problem) -> None:
        passed.setdefault((source.address, problem.what), problem)

    size = sum(source.size or 0 for source in sources)
    counted = counting.count(lambda: _watched(pieces.read(sources, tell, field), size), plan)
    for (source, what), first in passed.items():
        click.echo(f"not counted: {said(source, what, first.at, None, first.of)}", err=True)
    if not counted.total:
        raise BadInput(corpus[0], "holds no words")
    table.write(output, counted)
    click.echo(
        f"{output}: {counted.total:,} words, {len(counted.words):,} different ones kept;"
        f" {counted.total_pairs:,} pairs, {len(counted.keys):,} different ones kept"
    )


def _watched(pieces: Iterable[tuple[str, int]], size: int) -> Iterator[str]:
    """The pieces, with a bar over the bytes they were read from."""
    from ..progress import counting

    with counting(size >> MIB, "MiB") as show:
        for piece, read in pieces:
            yield piece
            show(read >> MIB)
