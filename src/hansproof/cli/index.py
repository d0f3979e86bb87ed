"""`hansproof index`: build an index of benchmarks' N-grams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .._infra.plural import plural
from ._completion import complete_benchmarks
from ._main import cli
from ._options import BENCH_HELP, item_options, load_benchmarks
from ._outputs import check_generated, force_option
from ._printing import echo_note, print_lines

if TYPE_CHECKING:
    from ..contamination.index import NgramIndex


@cli.command(epilog=BENCH_HELP)
@click.argument("bench", nargs=-1, required=True, shell_complete=complete_benchmarks)
@click.option("-o", "--output", required=True, metavar="FILE.npz", help="File to write.")
@click.option("--tokenizer", default="word", show_default=True, metavar="NAME",
              help="How texts are split into words. Scans are fast with word and whitespace; "
                   "nltk, chars and others also work.")  # fmt: skip
@click.option("--n", type=int, metavar="N",
              help="Number of words in an N-gram. Default: for each benchmark, the number that 95%"
                   " of its sequences reach, but at least 8 and at most 13.")  # fmt: skip
@click.option("--near", "near_duplicates", is_flag=True,
              help="Also find near-duplicates; scans take longer.",
              )  # fmt: skip
@item_options
@force_option
def index(
    bench: tuple[str, ...], output: str, tokenizer: str, n: int | None, near_duplicates: bool,
    **flags: Any,
) -> None:  # fmt: skip
    """Index the N-grams of benchmarks, to search a corpus for them.

    An N-gram is a sequence of N words. `hansproof scan` searches a corpus for those of an index.

    \b
    Examples:
      hansproof index piqa:dev -o piqa.npz
      hansproof index arct_adversarial:test csqa:dev piqa:dev -o three.npz
      hansproof index csqa:dev piqa:dev --n 8 -o same.npz    what do they share?
    """
    from ..contamination import index as indexes
    from ..contamination.build_index import build_index

    check_generated(output)
    ngram_index = build_index(load_benchmarks(bench, flags), tokenizer, n, near_duplicates)
    indexes.write_index(output, ngram_index)
    data = {"file": output, "ngrams": ngram_index.count_ngrams(), "header": ngram_index.header}
    print_lines(data, _describe_index(ngram_index))
    echo_note(f"index: {output}")


def _describe_index(ngram_index: NgramIndex) -> str:
    lines = []
    for member, (low, high) in zip(
        ngram_index.header.members,
        zip(ngram_index.item_offsets, ngram_index.item_offsets[1:], strict=False),
        strict=True,
    ):
        n_too_short = sum(count == 0 for count in member.ngram_counts)
        verb = "is" if n_too_short == 1 else "are"
        n_ngrams = ngram_index.count_ngrams(low, high)
        lines.append(
            f"{member.name} ({', '.join(member.splits)}): N = {member.n} ({member.n_rule}),"
            f" {plural(n_ngrams, 'N-gram')} of {plural(len(member.ids), 'item')}; {n_too_short:,}"
            f" {verb} too short to search for"
        )
    lines += [
        f"{pair.first} and {pair.second}: {plural(pair.n_ngrams, 'N-gram')} in common"
        f" at N = {pair.n}"
        + (f" ({pair.item_pairs[0][0]} and {pair.item_pairs[0][1]})" if pair.item_pairs else "")
        for pair in ngram_index.header.overlaps
    ]
    lines.append(
        f"{plural(ngram_index.count_ngrams(), 'N-gram')}, tokenizer {ngram_index.header.tokenizer}"
    )
    return "\n".join(lines)
