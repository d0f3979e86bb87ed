"""Texts with the share of every word, for those who want to read where a model looks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...models._shares import Finder, finite, of_cues
from ...types import Cell, Items, Shares
from .cues import Cue
from .looked import Looked

WORDS = ("item", "model", "choice", "text", "marks", "score")
EACH = 4  # items of every cue
UNIT = re.compile(r"\w+|[^\w\s]")


def telling(rows: Sequence[Cue]) -> list[str]:
    """The cues that fall most; where nothing is compared, those with the largest share."""
    return [cue.name for cue in rows if cue.difference is None or cue.difference < 0]


def shown(
    items: Items, first: Sequence[Looked], cues: Sequence[str], finder: Finder
) -> tuple[tuple[Cell, ...], ...]:
    """Some items of each cue, by the first model of each group."""
    rows: list[tuple[Cell, ...]] = []
    for at in _chosen(first, cues, finder):
        for model in first:
            for choice, shares in enumerate(model.each[at]):
                text, marks = marked(shares)
                score = model.scores[at][choice]
                rows.append((items[at].id, model.name, choice + 1, text, marks, score))
    return tuple(rows)


def _chosen(first: Sequence[Looked], cues: Sequence[str], finder: Finder) -> list[int]:
    """The first items of each cue that all models have shares of, each once."""
    if not first:
        return []
    having: dict[str, list[int]] = {cue: [] for cue in cues}
    for at, sequences in enumerate(first[0].each):
        if not all(finite(model.each[at]) for model in first):
            continue
        there = set().union(*(of_cues(one, finder) for one in sequences))
        for cue in there & having.keys():
            having[cue].append(at)
    return list(dict.fromkeys(at for some in having.values() for at in some[:EACH]))


def marked(shares: Shares) -> tuple[str, str]:
    """The segments in a row, and `start-end:share` of every word in it that was read.

    A token counts for the word where most of it is, so that no share counts twice.
    """
    text = " ".join(shares.texts)
    sums: dict[tuple[int, int], float] = {}
    firsts = [sum(len(one) + 1 for one in shares.texts[:at]) for at in range(len(shares.texts))]
    units = [match.span() for match in UNIT.finditer(text)]
    for (segment, start, end), share in zip(shares.tokens, shares.shares, strict=True):
        if segment < 0:
            continue
        here = start + firsts[segment], end + firsts[segment]
        shared = [(min(unit[1], here[1]) - max(unit[0], here[0]), unit) for unit in units]
        most, unit = max(shared, key=lambda one: one[0], default=(0, (0, 0)))
        if most > 0:
            sums[unit] = sums.get(unit, 0.0) + share
    return text, " ".join(f"{a}-{b}:{share:.4f}" for (a, b), share in sorted(sums.items()))
