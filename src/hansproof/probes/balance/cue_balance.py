"""Cues that are not right exactly as often as chance predicts, compared in whole numbers."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ...cues.counts import ChoiceLayout, CueCounts, build_layout, count_cues
from ...text.tokenizers import Tokenizer
from ...types import Cell, Items

COLUMNS = ("split", "order", "cue", "applicability", "hits", "expected", "groups")
MAX_CUES = 100  # cues that a table holds
MAX_GROUPS_NAMED = 5  # groups that are named for a cue

WholeNumbers = NDArray[np.int64] | NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class UnbalancedCues:
    """The number of unbalanced cues, the number of all cues, and rows for the worst."""

    n_unbalanced: int = 0
    n_cues: int = 0
    rows: tuple[tuple[Cell, ...], ...] = ()


def find_unbalanced(name: str, items: Items, tokens: Tokenizer, ngram: int) -> UnbalancedCues:
    """Find cues of up to `ngram` words whose hits are not the sum of 1/m over their items."""
    item_layout = build_layout(items)
    unit = math.lcm(*{len(item.choices) for item in items})
    n_unbalanced, n_cues, rows = 0, 0, []
    for counts in count_cues(items, tokens, ngram, item_layout):
        over = excess_hits(counts, item_layout, unit)
        off = np.flatnonzero(over)
        n_unbalanced, n_cues = (
            n_unbalanced + off.size,
            n_cues + int((counts.applicability > 0).sum()),
        )
        worst = off[np.argsort(-np.abs(over[off]), kind="stable")][:MAX_CUES]
        rows += [(int(over[cue]), counts, int(cue)) for cue in worst]
    rows.sort(key=lambda row: -abs(row[0]))
    return UnbalancedCues(n_unbalanced, n_cues, tuple(
        (name, counts.order, counts.cue_text(cue), int(counts.applicability[cue]),
         int(counts.hits[cue]), int(counts.hits[cue]) - over / unit,
         _broken_group_names(counts, cue, item_layout, items, unit))
        for over, counts, cue in rows[:MAX_CUES]
    ))  # fmt: skip


def excess_hits(counts: CueCounts, layout: ChoiceLayout, unit: int) -> WholeNumbers:
    """Return, for each cue, hits minus expected hits in units of 1/unit: 0 if it is balanced."""
    sizes = np.diff(layout.first)
    # exact: numbers of any length where 64 bits would not hold the largest sum
    dtype = np.int64 if unit * sizes.size < 2**62 else np.object_
    over = counts.hits.astype(dtype) * unit
    by_row = sizes[layout.item[counts.text]]
    for m in set(sizes.tolist()):
        applies = np.bincount(counts.ngram[by_row == m], minlength=counts.keys.size)
        over = over - applies.astype(dtype) * (unit // m)
    return np.asarray(over)


def _broken_group_names(
    counts: CueCounts, cue: int, layout: ChoiceLayout, items: Items, unit: int
) -> str:
    """Return the names of the first groups in which a cue is unbalanced."""
    over: dict[str | None, int] = defaultdict(int)
    for text in counts.text[counts.ngram == cue].tolist():
        item = items[layout.item[text]]
        over[item.group] += unit * int(layout.is_answer[text]) - unit // len(item.choices)
    off = [str(group) for group, excess in over.items() if excess]
    more = f" and {len(off) - MAX_GROUPS_NAMED} more" if len(off) > MAX_GROUPS_NAMED else ""
    return " ".join(islice(off, MAX_GROUPS_NAMED)) + more
