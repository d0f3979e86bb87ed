"""Swaps words for synonyms until a trained model leaves the right answer.

TextFooler (Jin et al. 2020) for any number of choices, with the thresholds of Branco et al. 2021:
words in the order in which the score hangs on them, each for the synonym that leads away farthest,
as long as it is near in meaning and of the same part of speech. Items whose answer does not flip
stay as they are. That a synonym asks the same is assumed, not known: read what it made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ..attack import Outcome, attacked
from ..attack.outcomes import State
from ..attack.setting import Setting
from ..errors import BadInput
from ..predict import Trained
from ..types import Account, Benchmark, Cell, Edited, Item, Items, Table
from ._parts import chosen, with_splits

STATES: tuple[State, ...] = ("flipped", "held", "wrong", "skipped")
COLUMNS = ("split", "items", "attacked", *STATES)
SWAPS = ("item", "part", "from", "to", "cosine", "similarity")


@dataclass(frozen=True, slots=True)
class Textfooler(Setting):
    """The same items, some of them with other words; answers, ids and groups stay."""

    needs: ClassVar[tuple[str, ...]] = ("trained",)

    def __call__(self, benchmark: Benchmark, trained: Sequence[Trained] = ()) -> Edited:
        if len(trained) != 1:
            raise BadInput("--trained", f"names {len(trained)} models, must be one to attack")
        test = benchmark.roles.get("test")
        split = test if self.split is None and test in benchmark.labelled() else self.split
        before = {name: self.drawn(items) for name, items in chosen(benchmark, split).items()}
        means = self.means()
        found = {
            name: self.run(items, trained[0].model.score, trained[0].key, means)
            for name, items in before.items()
        }
        after = {
            name: tuple(_changed(item, some.get(item.id)) for item in benchmark.splits[name])
            for name, some in found.items()
        }
        return Edited(with_splits(benchmark, after), _account(before, found, self.told(means)))


def _changed(item: Item, outcome: Outcome | None) -> Item:
    if outcome is None or outcome.state != "flipped":
        return item
    swaps = "; ".join(f"{swap.part}: {swap.old} > {swap.new}" for swap in outcome.swaps)
    return replace(
        attacked(item, outcome), meta={**item.meta, "edit": "textfooler", "swaps": swaps}
    )


def _account(
    before: Mapping[str, Items], found: Mapping[str, Mapping[str, Outcome]], told: tuple[str, ...]
) -> Account:
    every = [one for some in found.values() for one in some.values()]
    states = Counter(one.state for one in every)
    right = states["flipped"] + states["held"]
    rows: list[tuple[Cell, ...]] = []
    for name, some in found.items():
        of = Counter(one.state for one in some.values())
        tried = of["flipped"] + of["held"]
        rows.append((name, len(before[name]), tried, *(of[state] for state in STATES)))
    swaps = tuple(
        (one.id, swap.part, swap.old, swap.new, swap.cosine, swap.similarity)
        for one in every
        for swap in one.swaps
    )
    reasons = Counter(one.reason for one in every if one.state == "skipped")
    skipped = tuple(f"{count} items were skipped: {why}." for why, count in reasons.items())
    return Account(
        f"{states['flipped']:,} of {right:,} items attacked have other words now, and the model "
        "has them wrong.",
        tables={"splits": Table(COLUMNS, tuple(rows)), "swaps": Table(SWAPS, swaps)},
        notes=(*told, *skipped),
    )
