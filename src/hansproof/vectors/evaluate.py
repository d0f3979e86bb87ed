"""Evaluates counter-fitting: cosines of pairs of words, before and after."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._infra.plural import plural
from ..types import Cell, EditReport
from ..types import Table as Rows
from .constraints import PairConstraints
from .simlex import RatedPair, simlex_correlation
from .table import Ints, VectorTable, pair_dots

N_RANDOM_PAIRS = 10_000


def evaluate_counterfitting(
    before: VectorTable,
    after: VectorTable,
    constraints: PairConstraints,
    rated_pairs: list[RatedPair],
) -> EditReport:
    """Report which pairs were used, mean cosines, and the correlation with SimLex-999."""
    used = {"synonyms": constraints.synonyms, "antonyms": constraints.antonyms}
    pairs = used | {"random": _random_pairs(len(before.words))}
    rows: list[tuple[Cell, ...]] = [
        (
            f"mean cosine, {kind}",
            len(kind_pairs),
            _mean_cosine(before, kind_pairs),
            _mean_cosine(after, kind_pairs),
        )
        for kind, kind_pairs in pairs.items()
    ]
    rows += _simlex_rows(before, after, constraints, rated_pairs)
    lists = [
        (kind, constraints.n_listed[kind], len(kind_pairs), constraints.n_unknown[kind])
        for kind, kind_pairs in used.items()
    ]
    note = (
        "pairs listed both as synonyms and as antonyms count as antonyms: "
        f"{constraints.n_conflicting}"
    )
    return EditReport(
        f"Counter-fitted {plural(len(after.words), 'word')} with "
        f"{plural(len(constraints.synonyms), 'synonym pair')} and "
        f"{plural(len(constraints.antonyms), 'antonym pair')}.",
        tables={
            "lists": Rows(("kind", "pairs", "used", "without vectors"), tuple(lists)),
            "before and after": Rows(("measure", "pairs", "before", "after"), tuple(rows)),
        },
        notes=(note,) if constraints.n_conflicting else (),
    )


def _simlex_rows(
    before: VectorTable,
    after: VectorTable,
    constraints: PairConstraints,
    rated_pairs: list[RatedPair],
) -> Iterator[tuple[Cell, ...]]:
    """Yield rank correlations, for all pairs and for those that the vectors were not fitted to."""
    fitted_pairs = {
        frozenset((before.words[i], before.words[j]))
        for i, j in np.concatenate((constraints.synonyms, constraints.antonyms)).tolist()
    }
    unfitted_pairs = [rating for rating in rated_pairs if frozenset(rating[0]) not in fitted_pairs]
    for name, ratings in (("all", rated_pairs), ("not listed", unfitted_pairs)):
        (before_rho, count), (after_rho, _) = (
            simlex_correlation(before, ratings),
            simlex_correlation(after, ratings),
        )
        if count:
            yield f"SimLex-999 Spearman, {name}", count, before_rho, after_rho


def _random_pairs(size: int) -> Ints:
    """Return random pairs of different rows, always the same ones."""
    first, second = np.random.default_rng(0).integers(size, size=(2, N_RANDOM_PAIRS))
    distinct = first != second
    return np.stack((first[distinct], second[distinct]), 1)


def _mean_cosine(table: VectorTable, pairs: Ints) -> float | None:
    return float(pair_dots(table.unit_vectors, *pairs.T).mean()) if len(pairs) else None
