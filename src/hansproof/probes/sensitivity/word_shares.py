"""Texts with the share of every word in a model's score."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...capabilities import Attributions
from ...types import Cell, Items
from .attribution import ModelAttributions
from .cue_attributions import CueFinder, all_finite, sum_by_cue
from .cue_shares import CueSensitivity

WORD_COLUMNS = ("item", "model", "choice", "text", "marks", "score")
ITEMS_PER_CUE = 4  # items of every cue
WORD_UNIT = re.compile(r"\w+|[^\w\s]")


def falling_cues(rows: Sequence[CueSensitivity]) -> list[str]:
    """Return the cues whose share falls; without a second group, all cues."""
    return [cue.name for cue in rows if cue.difference is None or cue.difference < 0]


def word_rows(
    items: Items, models: Sequence[ModelAttributions], cues: Sequence[str], finder: CueFinder
) -> tuple[tuple[Cell, ...], ...]:
    """Return rows for some items of each cue, by the first model of each group."""
    rows: list[tuple[Cell, ...]] = []
    for index in _choose_items(models, cues, finder):
        for model in models:
            for choice, shares in enumerate(model.item_shares[index]):
                text, marks = mark_words(shares)
                score = model.scores[index][choice]
                rows.append((items[index].id, model.name, choice + 1, text, marks, score))
    return tuple(rows)


def _choose_items(
    models: Sequence[ModelAttributions], cues: Sequence[str], finder: CueFinder
) -> list[int]:
    """Return the first items of each cue for which all models have shares, without repeats."""
    if not models:
        return []
    indices_by_cue: dict[str, list[int]] = {cue: [] for cue in cues}
    for index, sequences in enumerate(models[0].item_shares):
        if not all(all_finite(model.item_shares[index]) for model in models):
            continue
        item_cues = set().union(*(sum_by_cue(shares, finder) for shares in sequences))
        for cue in item_cues & indices_by_cue.keys():
            indices_by_cue[cue].append(index)
    return list(
        dict.fromkeys(
            index for indices in indices_by_cue.values() for index in indices[:ITEMS_PER_CUE]
        )
    )


def mark_words(shares: Attributions) -> tuple[str, str]:
    """Return the joined segments, and `start-end:share` for every word that was read.

    A token counts for the word that it overlaps most, so that no share counts twice.
    """
    text = " ".join(shares.texts)
    sums: dict[tuple[int, int], float] = {}
    firsts = [
        sum(len(segment_text) + 1 for segment_text in shares.texts[:index])
        for index in range(len(shares.texts))
    ]
    units = [match.span() for match in WORD_UNIT.finditer(text)]
    for (segment, start, end), share in zip(shares.tokens, shares.shares, strict=True):
        if segment < 0:
            continue
        token_start_end = start + firsts[segment], end + firsts[segment]
        overlaps = [
            (min(unit[1], token_start_end[1]) - max(unit[0], token_start_end[0]), unit)
            for unit in units
        ]
        overlap, unit = max(overlaps, key=lambda entry: entry[0], default=(0, (0, 0)))
        if overlap > 0:
            sums[unit] = sums.get(unit, 0.0) + share
    return text, " ".join(f"{a}-{b}:{share:.4f}" for (a, b), share in sorted(sums.items()))
