"""Which items stood in the training text, and do models do better on these?

Branco et al. 2021 after GPT-3: an item is dirty if an N-gram of it stands in the text. Here one
that many items share, or that is common in other text, is not enough, and an item too short to be
searched for is not clean. Misleads where the text is only part of what a model was trained on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal, get_args

from ..._infra.validation import check_choice, check_range
from ...contamination.levels import (
    ANSWER,
    COMMON,
    DIRTY,
    NEAR,
    SHORT,
    ItemFinding,
    LevelRules,
    NamedScan,
)
from ...contamination.levels import classify_items as all_findings
from ...errors import BadInput
from ...inputs.systems import build_systems
from ...stats import holm, mean_interval
from ...types import Benchmark, Estimate, Predictions, Result, Table, Verdict
from .._text import plural
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

DirtyRule = Literal["match", "any"]
EXPOSED_SHARE = 0.01  # of the items, matched with their answers: more than a few leaks


@dataclass(frozen=True, slots=True)
class Contamination:
    """Levels of all items by what scans found, and accuracy on clean and dirty ones."""

    needs: ClassVar[tuple[str, ...]] = ("scans",)
    uses: ClassVar[tuple[str, ...]] = ("reference", "predictions")

    dirty: DirtyRule = "match"  # or any: every item of which an N-gram was found, as in the paper
    often: int = 10  # an N-gram that stands in the text more often, alone, is a common phrase
    template: int = 3  # an N-gram that so many items have is a template; a group counts once
    expected: float = 1.0  # so is one that a reference leads one to expect so often
    near: float = 0.3  # share of an item's shingles in a passage that makes a near-duplicate
    level: float = 0.05  # of the tests of accuracy, Holm-corrected
    randomisations: int = 100_000  # where no exact p can be had
    seed: int = 0  # of bootstrap and randomisations

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
            raise BadInput("--scans", "this probe needs what `hansproof scan` found: give it files")
        rules = LevelRules(self.often, self.template, self.expected, self.near)
        findings = all_findings(benchmark, scans, reference, rules)
        gaps = self._measure_gaps(benchmark, findings, predictions)
        tested_gaps = [gap for gap in gaps if gap.test is not None]
        q = dict(zip(tested_gaps, holm([gap.p for gap in tested_gaps]).tolist(), strict=True))
        return Result(
            probe="contamination",
            params=asdict(self),
            verdict=_decide_verdict(findings, scans),
            summary=_write_summary(findings, [gap for gap in tested_gaps if q[gap] <= self.level]),
            estimates=(
                *(
                    _contaminated_share(split, split_findings)
                    for split, split_findings in findings.items()
                ),
                *(gap.build_estimate() for gap in gaps if gap.has_both),
            ),
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
            notes=tuple(self._write_notes(benchmark, findings, scans, reference)),
        )

    def _measure_gaps(
        self,
        benchmark: Benchmark,
        findings: dict[str, list[ItemFinding]],
        predictions: Sequence[Predictions],
    ) -> list[CleanDirtyGap]:
        """What every system earns on clean and on dirty items."""
        if not predictions:
            return []
        levels = (*DIRTY, COMMON) if self.dirty == "any" else DIRTY
        return [
            measure_gap(system, findings[system.split], levels, self.randomisations, self.seed)
            for system in build_systems(benchmark, predictions)
            if system.split in findings
        ]

    def _write_notes(
        self,
        benchmark: Benchmark,
        findings: dict[str, list[ItemFinding]],
        scans: Sequence[NamedScan],
        reference: Sequence[NamedScan],
    ) -> Iterator[str]:
        for split in benchmark.splits:
            if split not in findings:
                yield f"{split}: was not scanned for."
        if not reference:
            yield (
                "No reference: whether an N-gram is common elsewhere is not known. Scan text that "
                "cannot hold the items with the same index, and give the result as --reference."
            )
        if not any(scan.index_header.has_sketches for _, scan in scans):
            yield "Near-duplicates were not looked for: `hansproof index --near` does."
        lost = sum(len(scan.lost_text_issues()) for _, scan in scans)
        if lost:
            yield f"Some text could not be scanned ({plural(lost, 'case')}, see the table)."
        one_word_matches = [
            finding
            for split_findings in findings.values()
            for finding in split_findings
            if finding.level == ANSWER
            and finding.right_nearby
            and len(_right_choice(finding).split()) == 1
        ]
        if one_word_matches:
            yield (
                f"{plural(len(one_word_matches), 'match')} with answer rest on a choice of one word, which "
                "may stand near by chance: compare wrong_near."
            )


def _right_choice(finding: ItemFinding) -> str:
    return finding.item.choices[finding.item.answer or 0]


def _decide_verdict(findings: dict[str, list[ItemFinding]], scans: Sequence[NamedScan]) -> Verdict:
    flat_findings = [finding for split_findings in findings.values() for finding in split_findings]
    if (
        sum(finding.level == ANSWER for finding in flat_findings)
        >= EXPOSED_SHARE * len(flat_findings)
        > 0
    ):
        return "exposed"
    any_dirty = any(finding.level in (*DIRTY, NEAR) for finding in flat_findings)
    mostly_unknown = (
        sum(finding.level == SHORT for finding in flat_findings) > len(flat_findings) / 2
    )
    return (
        "caution"
        if any_dirty or mostly_unknown or any(scan.lost_text_issues() for _, scan in scans)
        else "clear"
    )


def _contaminated_share(split: str, findings: Sequence[ItemFinding]) -> Estimate:
    """The share of items that match, of those that could be searched for."""
    searchable = [finding for finding in findings if finding.level != SHORT]
    hits = [float(finding.level in DIRTY) for finding in searchable]
    if not searchable:
        return Estimate(f"{split}: contaminated", 0.0, 0.0, 1.0, 0)
    low, high = mean_interval(hits, [finding.item.group for finding in searchable])
    return Estimate(f"{split}: contaminated", sum(hits) / len(hits), low, high, len(hits))


def _evidence_by_level(findings: dict[str, list[ItemFinding]]) -> dict[str, tuple[str, ...]]:
    """Ids by level, in the order of the table: a report keeps the texts of the first ones."""
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


def _write_summary(findings: dict[str, list[ItemFinding]], gains: list[CleanDirtyGap]) -> str:
    clauses = []
    for split, split_findings in findings.items():
        count = {
            level: sum(finding.level == level for finding in split_findings)
            for level in (*DIRTY, NEAR, SHORT)
        }
        n_searchable = len(split_findings) - count[SHORT]
        n_dirty = sum(count[level] for level in DIRTY)
        text = f"{n_dirty} of {plural(n_searchable, 'item')} of {split} stood in the text"
        text += f", {count[ANSWER]} with the right choice near" if n_dirty else ""
        text += f"; {count[NEAR]} more in other words" if count[NEAR] else ""
        text += f"; {count[SHORT]} could not be searched for" if count[SHORT] else ""
        clauses.append(text)
    if gains:
        worst = max(gains, key=lambda gain: abs(gain.size))
        direction = "better" if worst.size > 0 else "worse"
        clauses.append(
            f"{worst.system.name} does {100 * abs(worst.size):.1f} points {direction} on dirty items"
            f" than on clean ones in {worst.system.split}"
        )
    return ". ".join(clauses) + "."
