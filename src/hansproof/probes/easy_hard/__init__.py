"""Does a model's score hold up on items that cannot be answered without the question?

Kavumba et al. 2019: Easy items are those that a model without the question (a blind model) gets
right in all its runs, Hard items the others; the gap is tested by randomisation, over all items and
among those with the right choice at the same place, as a model that prefers a place may gain on
Easy by that alone. Misleads where the blind model errs like the model tested: so every gap is also
measured with Easy items chosen by other models and by cross-validated rules over cues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, get_args

from ..._infra.validation import check_choice, check_range
from ...edits.easy_hard import read_easy_ids
from ...inputs.systems import SeedCounting, System, build_systems, systems_by_split
from ...inputs.unknown_views import HOW_TO_STATE, drop_unknown_views
from ...types import Benchmark, Cell, Predictions, Result, Subject, Table
from .gaps import COLUMNS as GAPS
from .gaps import EasyHardGap, correct_gaps, measure_gap
from .sources import COLUMNS as SETS
from .sources import EasySource, blind_sources, published_source, rule_source, shares_both_parts
from .verdict import (
    decide_verdict,
    explain_skip,
    find_worst,
    write_notes,
    write_place_notes,
    write_summary,
)


@dataclass(frozen=True, slots=True)
class EasyHard:
    """Accuracy on Easy and Hard items, the gap between them, and controls."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)
    subject: ClassVar[Subject] = "models"

    easy: str | None = None  # file with published ids: JSON {"easy": [...]}, or one id per line
    view: str = "choices"  # the view of the blind runs
    seeds: SeedCounting = "mean"  # count an item once, by its mean over runs, or once for each run
    level: float = 0.05  # significance level, Holm-corrected
    ngram: int = 2  # longest n-gram of the cue rules used as a control, in tokens
    folds: int = 10  # folds of their cross-validation
    randomisations: int = 100_000  # number, where the exact p is too costly
    seed: int = 0  # random seed of folds, bootstrap and randomisations

    def __post_init__(self) -> None:
        check_choice("seeds", self.seeds, get_args(SeedCounting))
        check_range("level", self.level, 0, 1)
        check_range("ngram", self.ngram, 1)
        check_range("folds", self.folds, 2)
        check_range("randomisations", self.randomisations, 1)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Result:
        known_runs, unknown_notes = drop_unknown_views(predictions)
        if unknown_notes and not known_runs:
            reason = f"the logs do not say which parts of the items the model saw; {HOW_TO_STATE}"
            return self._build_skipped_result(reason)
        if known_runs and all(run.view == self.view for run in known_runs):
            reason = f"all runs have the view {self.view}; also give runs that saw the question"
            return self._build_skipped_result(reason, unknown_notes)
        return self._measure_systems(build_systems(benchmark, known_runs), unknown_notes)

    def _build_skipped_result(self, reason: str, notes: tuple[str, ...] = ()) -> Result:
        return Result(
            probe="easy_hard",
            params=asdict(self),
            verdict="skipped",
            summary=f"Skipped: {reason}.",
            subject=self.subject,
            tables={"gaps": Table(GAPS, ()), "sets": Table(SETS, ())},
            notes=notes,
        )

    def _measure_systems(
        self, systems: tuple[System, ...], unknown_notes: tuple[str, ...]
    ) -> Result:
        parts = systems_by_split(systems)
        sources = self._find_sources(parts)
        usable_sources = {
            split: [s for s in split_sources if s.has_both_parts]
            for split, split_sources in sources.items()
        }
        gaps = self._measure_gaps(parts, usable_sources)
        judged = [gap for gap in gaps if gap.is_judged]
        tests = correct_gaps(judged, self.level)
        verdict = decide_verdict(judged, tests.wide, tests.by_place)
        worst = find_worst(tests.wide)
        summary = (
            write_summary(judged, tests.wide, tests.by_place)
            if judged
            else explain_skip(sources, systems, self.view)
        )
        return Result(
            probe="easy_hard",
            params=asdict(self),
            verdict=verdict,
            summary=summary,
            key=worst.build_estimate().name if worst else None,
            subject=self.subject,
            estimates=tuple(gap.build_estimate() for gap in gaps),
            tables={
                "gaps": Table(GAPS, tuple(tests.table_row(gap) for gap in gaps)),
                "sets": Table(SETS, tuple(_source_rows(sources))),
            },
            evidence=_easy_items(usable_sources),
            notes=(
                *unknown_notes,
                *write_place_notes(tests.by_place),
                *write_notes(sources, gaps, self.view, self.seeds),
            ),
        )

    def _measure_gaps(
        self, parts: dict[str, list[System]], sources: dict[str, list[EasySource]]
    ) -> list[EasyHardGap]:
        """Measure the gap of every system that saw more than the blind view, by every source."""
        return [
            measure_gap(system, source, self.seeds, self.randomisations, self.seed)
            for split, split_systems in parts.items()
            for source in sources[split]
            for system in split_systems
            if system.runs[0].view != self.view and shares_both_parts(system, source)
        ]

    def _find_sources(self, parts: dict[str, list[System]]) -> dict[str, list[EasySource]]:
        """Return, for each split, every available way to tell Easy from Hard."""
        published = read_easy_ids(
            self.easy, {split: systems[0].split_items for split, systems in parts.items()}
        )
        return {
            split: [
                *(
                    [published_source(split_systems[0].split_items, published[split])]
                    if split in published
                    else []
                ),
                *blind_sources(split_systems, self.view),
                rule_source(split_systems[0].split_items, self.ngram, self.folds, self.seed),
            ]
            for split, split_systems in parts.items()
        }


def evidence_key(split: str, source: str) -> str:
    """Name the items of a split that are Easy according to a source."""
    return f"{split}: easy from {source}"


def _easy_items(sources: dict[str, list[EasySource]]) -> dict[str, tuple[str, ...]]:
    return {
        evidence_key(split, source.name): source.easy
        for split, split_sources in sources.items()
        for source in split_sources
    }


def _source_rows(sources: dict[str, list[EasySource]]) -> Iterator[tuple[Cell, ...]]:
    for split, split_sources in sources.items():
        for source in split_sources:
            yield source.table_row(split)
