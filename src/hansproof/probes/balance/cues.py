"""Cues that are not right exactly as often as chance has it, compared in whole numbers."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ...cues.counts import Counts, Layout, count, layout
from ...text import Tokenizer
from ...types import Cell, Items

COLUMNS = ("split", "order", "cue", "applicability", "hits", "expected", "groups")
WORST = 100  # cues that a table holds
NAMED = 5  # groups that are named for a cue

Whole = NDArray[np.int64] | NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class Unbalanced:
    """How many cues of how many are off, and the worst of them."""

    number: int = 0
    of: int = 0
    rows: tuple[tuple[Cell, ...], ...] = ()


def unbalanced(name: str, items: Items, tokens: Tokenizer, ngram: int) -> Unbalanced:
    """Cues up to that order whose hits are not the sum of 1/m over the items they apply to."""
    where = layout(items)
    unit = math.lcm(*{len(item.choices) for item in items})
    number, of, rows = 0, 0, []
    for one in count(items, tokens, ngram, where):
        over = excess(one, where, unit)
        off = np.flatnonzero(over)
        number, of = number + off.size, of + int((one.applicability > 0).sum())
        worst = off[np.argsort(-np.abs(over[off]), kind="stable")][:WORST]
        rows += [(int(over[cue]), one, int(cue)) for cue in worst]
    rows.sort(key=lambda row: -abs(row[0]))
    return Unbalanced(number, of, tuple(
        (name, one.order, one.name(cue), int(one.applicability[cue]), int(one.hits[cue]),
         int(one.hits[cue]) - over / unit, _breaking(one, cue, where, items, unit))
        for over, one, cue in rows[:WORST]
    ))  # fmt: skip


def excess(counts: Counts, where: Layout, unit: int) -> Whole:
    """By cue, hits less those expected, in parts of 1/unit: exactly 0 where it is balanced."""
    sizes = np.diff(where.first)
    # exact: numbers of any length where 64 bits would not hold the largest sum
    kind = np.int64 if unit * sizes.size < 2**62 else np.object_
    over = counts.hits.astype(kind) * unit
    by_row = sizes[where.item[counts.text]]
    for m in set(sizes.tolist()):
        applies = np.bincount(counts.ngram[by_row == m], minlength=counts.keys.size)
        over = over - applies.astype(kind) * (unit // m)
    return np.asarray(over)


def _breaking(counts: Counts, cue: int, where: Layout, items: Items, unit: int) -> str:
    """The first groups in which a cue is off balance, by name."""
    over: dict[str | None, int] = defaultdict(int)
    for text in counts.text[counts.ngram == cue].tolist():
        item = items[where.item[text]]
        over[item.group] += unit * int(where.right[text]) - unit // len(item.choices)
    off = [str(group) for group, much in over.items() if much]
    more = f" and {len(off) - NAMED} more" if len(off) > NAMED else ""
    return " ".join(islice(off, NAMED)) + more
