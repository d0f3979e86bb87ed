"""Which items occur in the training text, and are models more accurate on these?

Branco et al. 2021, following GPT-3: an item is dirty if one of its N-grams occurs in the text.
Here, N-grams that many items share or that are common in other text do not count, and items too
short to be searched for are not called clean. Misleads where the text is only part of what a model
was trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal, get_args

from ..._infra.validation import check_choice, check_range
from ...contamination.levels import (
    COMMON,
    DIRTY,
    NEAR,
    SHORT,
    ItemFinding,
    LevelRules,
    NamedScan,
    classify_items,
)
from ...errors import BadInput
from ...inputs.systems import build_systems
from ...stats import holm, mean_interval
from ...types import Benchmark, Estimate, Predictions, Result, Table
from .accuracy_gap import COLUMNS as SCORES
from .accuracy_gap import CleanDirtyGap, measure_gap
from .tables import (
    CORPORA,
    ITEMS,
    LEVELS,
    SHARED,
    UNREAD,
    VARIANTS,
    corpus_rows,
    finding_order,
    item_rows,
    level_rows,
    shared_ngram_rows,
    unread_rows,
    variant_rows,
)
from .verdict import decide_verdict, explain_skip, find_worst, write_notes, write_summary

DirtyRule = Literal["match", "any"]
CONTAMINATED = "contaminated"  # the metric of the share of items that match


@dataclass(frozen=True, slots=True)
class Contamination:
    """The contamination level of every item from scans, and accuracy on clean and dirty items."""

    needs: ClassVar[tuple[str, ...]] = ("scans",)
    uses: ClassVar[tuple[str, ...]] = ("reference", "predictions")

    dirty: DirtyRule = "match"  # any: every item with an N-gram in the text, as in the paper
    often: int = 10  # a single N-gram found more often than this is a common phrase
    template: int = 3  # an N-gram in this many items is a template; a group counts once
    expected: float = 1.0  # an N-gram expected this often from the reference is common
    near: float = 0.3  # share of an item's shingles that makes a passage a near-duplicate
    level: float = 0.05  # significance level of the accuracy tests, Holm-corrected
    randomisations: int = 100_000  # number, where the exact p is too costly
    seed: int = 0  # random seed of bootstrap and randomisations

    def __post_init__(self) -> None:
        check_choice("dirty", self.dirty, get_args(DirtyRule))
        check_range("often", self.often, 1)
        check_range("template", self.template, 2)
        check_range("expected", self.expected, 0)
        check_range("near", self.near, 0, 1)
        check_range("level", self.level, 0, 1)
        check_range("randomisations", self.randomisations, 1)
        check_range("seed", self.seed, 0)

    def __call__(
        self,
        benchmark: Benchmark,
        scans: Sequence[NamedScan] = (),
        reference: Sequence[NamedScan] = (),
        predictions: Sequence[Predictions] = (),
    ) -> Result:
        if not scans:
            raise BadInput(
                "--scans", "this probe needs results of `hansproof scan`: give their files"
            )
        rules = LevelRules(self.often, self.template, self.expected, self.near)
        findings = classify_items(benchmark, scans, reference, rules)
        gaps = self._measure_gaps(benchmark, findings, predictions)
        tested_gaps = [gap for gap in gaps if gap.test is not None]
        q = dict(zip(tested_gaps, holm([gap.p for gap in tested_gaps]).tolist(), strict=True))
        shares = [_contaminated_share(*split_findings) for split_findings in findings.items()]
        worst = find_worst([gap for gap in tested_gaps if q[gap] <= self.level])
        summary = explain_skip(findings, scans) or write_summary(findings, worst)
        key = worst.build_estimate() if worst and worst.size > 0 else next(iter(shares), None)
        return Result(
            probe="contamination",
            params=asdict(self),
            verdict=decide_verdict(findings, scans),
            summary=summary,
            key=key.name if key else None,
            estimates=(*shares, *(gap.build_estimate() for gap in gaps if gap.has_both)),
            tables={
                "levels": Table(LEVELS, level_rows(findings)),
                "items": Table(ITEMS, item_rows(findings)),
                "variants": Table(VARIANTS, variant_rows(findings, rules)),
                "scores": Table(SCORES, tuple(gap.table_row(q.get(gap)) for gap in gaps)),
                "shared": Table(SHARED, shared_ngram_rows(scans)),
                "corpora": Table(CORPORA, corpus_rows(scans, reference)),
                "unread": Table(UNREAD, unread_rows(scans)),
            },
            evidence=_evidence_by_level(findings),
            notes=tuple(write_notes(benchmark, findings, scans, reference)),
        )

    def _measure_gaps(
        self,
        benchmark: Benchmark,
        findings: dict[str, list[ItemFinding]],
        predictions: Sequence[Predictions],
    ) -> list[CleanDirtyGap]:
        """Measure the accuracy of every system on clean and on dirty items."""
        if not predictions:
            return []
        levels = (*DIRTY, COMMON) if self.dirty == "any" else DIRTY
        return [
            measure_gap(system, findings[system.split], levels, self.randomisations, self.seed)
            for system in build_systems(benchmark, predictions)
            if system.split in findings
        ]


def _contaminated_share(split: str, findings: Sequence[ItemFinding]) -> Estimate:
    """Return the share of items that match, among those that could be searched for."""
    name = f"{split}: contaminated"
    searchable = [finding for finding in findings if finding.level != SHORT]
    hits = [float(finding.level in DIRTY) for finding in searchable]
    if not searchable:
        return Estimate(name, 0.0, 0.0, 1.0, 0, split=split, metric=CONTAMINATED)
    low, high = mean_interval(hits, [finding.item.group for finding in searchable])
    share, n = sum(hits) / len(hits), len(hits)
    return Estimate(name, share, low, high, n, split=split, metric=CONTAMINATED)


def _evidence_by_level(findings: dict[str, list[ItemFinding]]) -> dict[str, tuple[str, ...]]:
    """Return item ids by level, in the order of the table: reports keep the first texts."""
    return {
        f"{split}: {level}": ids
        for split, split_findings in findings.items()
        for level in (*DIRTY, NEAR, COMMON, SHORT)
        if (
            ids := tuple(
                finding.item.id
                for finding in sorted(split_findings, key=finding_order)
                if finding.level == level
            )
        )
    }
