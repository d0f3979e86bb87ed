"""Removes the items that scans found in training text.

Removes matches, with or without the answer, and near-duplicates; also items too short to be
searched for, as nothing is known about them. Splits that were not searched for do not change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

from .._infra.validation import check_choice, check_range
from ..contamination.levels import (
    ANSWER,
    LEVELS,
    MATCH,
    NEAR,
    SHORT,
    LevelRules,
    NamedScan,
    classify_items,
)
from ..errors import BadInput
from ..types import Benchmark, EditReport, EditResult, Table
from ._parts import replace_splits

Unsearchable = Literal["drop", "keep"]


@dataclass(frozen=True, slots=True)
class Clean:
    """Keeps the items that no scan found in the text."""

    needs: ClassVar[tuple[str, ...]] = ("scans",)
    uses: ClassVar[tuple[str, ...]] = ("reference",)

    unsearchable: Unsearchable = "drop"  # drop or keep items too short to be searched for
    often: int = 10  # a single N-gram found more often than this is a common phrase
    template: int = 3  # an N-gram in this many items is a template; a group counts once
    expected: float = 1.0  # an N-gram expected this often from the reference is common
    near: float = 0.3  # share of an item's shingles that makes a passage a near-duplicate

    def __post_init__(self) -> None:
        check_choice("unsearchable", self.unsearchable, get_args(Unsearchable))
        check_range("often", self.often, 1)
        check_range("template", self.template, 2)
        check_range("near", self.near, 0, 1)

    def __call__(
        self,
        benchmark: Benchmark,
        scans: Sequence[NamedScan] = (),
        reference: Sequence[NamedScan] = (),
    ) -> EditResult:
        if not scans:
            raise BadInput(
                "--scans", "this edit needs results of `hansproof scan`: give their files"
            )
        rules = LevelRules(self.often, self.template, self.expected, self.near)
        findings_by_split = classify_items(benchmark, scans, reference, rules)
        dropped_levels = {ANSWER, MATCH, NEAR} | ({SHORT} if self.unsearchable == "drop" else set())
        levels_by_split = {
            split: {finding.item.id: finding.level for finding in split_findings}
            for split, split_findings in findings_by_split.items()
        }
        kept_splits = {
            split: tuple(
                replace(item, meta={**item.meta, "contamination": item_levels[item.id]})
                for item in benchmark.splits[split]
                if item_levels[item.id] not in dropped_levels
            )
            for split, item_levels in levels_by_split.items()
        }
        return EditResult(
            replace_splits(benchmark, kept_splits),
            _build_report(levels_by_split, dropped_levels, sum(map(len, kept_splits.values()))),
        )


def _build_report(
    levels_by_split: Mapping[str, Mapping[str, str]], dropped_levels: Container[str], n_kept: int
) -> EditReport:
    n_items = sum(map(len, levels_by_split.values()))
    counts = {split: Counter(levels.values()) for split, levels in levels_by_split.items()}
    rows = [
        (split, name, counts[split][name], name not in dropped_levels)
        for split in counts
        for name in LEVELS
    ]
    return EditReport(
        f"Kept {n_kept:,} of {n_items:,} items.",
        tables={"levels": Table(("split", "level", "items", "kept"), tuple(rows))},
        evidence={
            f"{split}: {name}": tuple(item_id for item_id, level in levels.items() if level == name)
            for split, levels in levels_by_split.items()
            for name in LEVELS
            if name in dropped_levels and counts[split][name]
        },
    )
