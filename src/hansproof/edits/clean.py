"""Takes out the items that stood in training text, as scans found them.

What goes are matches, with or without answer, and near-duplicates; and items that could not be
searched for, of which nobody knows. Splits that were not scanned for stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

from ..checks import check, check_one
from ..contamination.levels import ANSWER, LEVELS, MATCH, NEAR, SHORT, Rules, Scan, findings
from ..errors import BadInput
from ..types import Account, Benchmark, Edited, Table
from ._parts import with_splits

Unsearchable = Literal["drop", "keep"]


@dataclass(frozen=True, slots=True)
class Clean:
    """The items of which no scan found anything that tells of them."""

    needs: ClassVar[tuple[str, ...]] = ("scans",)
    uses: ClassVar[tuple[str, ...]] = ("reference",)

    unsearchable: Unsearchable = "drop"  # or keep: items too short to be searched for
    often: int = 10  # an N-gram that stands in the text more often, alone, is a common phrase
    template: int = 3  # an N-gram that so many items have is a template; a group counts once
    expected: float = 1.0  # so is one that a reference leads one to expect so often
    near: float = 0.3  # share of an item's shingles in a passage that makes a near-duplicate

    def __post_init__(self) -> None:
        check_one("unsearchable", self.unsearchable, get_args(Unsearchable))
        check("often", self.often, 1)
        check("template", self.template, 2)
        check("near", self.near, 0, 1)

    def __call__(
        self, benchmark: Benchmark, scans: Sequence[Scan] = (), reference: Sequence[Scan] = ()
    ) -> Edited:
        if not scans:
            raise BadInput("--scans", "this edit needs what `hansproof scan` found")
        rules = Rules(self.often, self.template, self.expected, self.near)
        found = findings(benchmark, scans, reference, rules)
        gone = {ANSWER, MATCH, NEAR} | ({SHORT} if self.unsearchable == "drop" else set())
        level = {split: {one.item.id: one.level for one in some} for split, some in found.items()}
        kept = {
            split: tuple(
                replace(item, meta={**item.meta, "contamination": known[item.id]})
                for item in benchmark.splits[split]
                if known[item.id] not in gone
            )
            for split, known in level.items()
        }
        before, after = sum(map(len, level.values())), sum(map(len, kept.values()))
        rows = [
            (split, name, sum(one == name for one in known.values()), name not in gone)
            for split, known in level.items()
            for name in LEVELS
        ]
        return Edited(
            with_splits(benchmark, kept),
            Account(
                f"Kept {after:,} of {before:,} items.",
                tables={"levels": Table(("split", "level", "items", "kept"), tuple(rows))},
                evidence={
                    f"{split}: {name}": tuple(id for id, one in known.items() if one == name)
                    for split, known in level.items()
                    for name in LEVELS
                    if name in gone and name in known.values()
                },
            ),
        )
