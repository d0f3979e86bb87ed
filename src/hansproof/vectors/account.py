"""What counter-fitting did to vectors: how near pairs of words are, before and after."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..types import Account, Cell
from ..types import Table as Rows
from .constraints import Constraints
from .simlex import Rated, spearman
from .table import Ints, Table, dots

RANDOM = 10_000  # pairs


def account(before: Table, after: Table, held: Constraints, rated: list[Rated]) -> Account:
    """Which pairs of the lists were used, mean cosines, and the order of SimLex-999's pairs."""
    used = {"synonyms": held.synonyms, "antonyms": held.antonyms}
    pairs = used | {"random": _random(len(before.words))}
    rows: list[tuple[Cell, ...]] = [
        (f"mean cosine, {kind}", len(some), _mean(before, some), _mean(after, some))
        for kind, some in pairs.items()
    ]
    rows += _simlex(before, after, held, rated)
    lists = [
        (kind, held.listed[kind], len(some), held.unknown[kind]) for kind, some in used.items()
    ]
    note = f"pairs that are in lists of both kinds, and count as antonyms: {held.both}"
    return Account(
        f"{len(after.words):,} words counter-fitted with {len(held.synonyms):,} pairs of synonyms"
        f" and {len(held.antonyms):,} of antonyms.",
        tables={
            "lists": Rows(("kind", "pairs", "used", "without vectors"), tuple(lists)),
            "before and after": Rows(("measure", "pairs", "before", "after"), tuple(rows)),
        },
        notes=(note,) if held.both else (),
    )


def _simlex(
    before: Table, after: Table, held: Constraints, rated: list[Rated]
) -> Iterator[tuple[Cell, ...]]:
    """Rank correlations, of all pairs and of those that the vectors were not fitted to."""
    named = {
        frozenset((before.words[one], before.words[other]))
        for one, other in np.concatenate((held.synonyms, held.antonyms)).tolist()
    }
    unnamed = [each for each in rated if frozenset(each[0]) not in named]
    for name, some in (("all", rated), ("not listed", unnamed)):
        (first, count), (second, _) = spearman(before, some), spearman(after, some)
        if count:
            yield f"SimLex-999 Spearman, {name}", count, first, second


def _random(size: int) -> Ints:
    """Pairs of different rows, always the same."""
    first, second = np.random.default_rng(0).integers(size, size=(2, RANDOM))
    other = first != second
    return np.stack((first[other], second[other]), 1)


def _mean(table: Table, pairs: Ints) -> float | None:
    return float(dots(table.units, *pairs.T).mean()) if len(pairs) else None
