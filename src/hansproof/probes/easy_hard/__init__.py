"""Does the score survive on the items that blind models cannot answer?

Kavumba et al. 2019: Easy is what a model that saw no question gets right in all its runs, Hard the
rest; the gap is tested by randomisation. Misleads where Easy was chosen by a model that errs like
the one tested: so every gap is measured again, with Easy from other models and from cue rules that
were cross-validated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, get_args

from ..._infra.validation import check_choice, check_range
from ...edits.easy_hard import read_easy_ids
from ...errors import BadInput
from ...inputs.systems import SeedCounting, System, build_systems, systems_by_split
from ...stats import holm
from ...types import Benchmark, Cell, Predictions, Result, Table, Verdict
from .._text import plural
from .gaps import COLUMNS as GAPS
from .gaps import EasyHardGap, measure_gap
from .sources import COLUMNS as SETS
from .sources import (
    CROSS_VALIDATED,
    CUE_RULES,
    EasySource,
    blind_sources,
    published_source,
    rule_source,
)

MIN_ITEMS = 10  # items a part must have for a gap to mean anything


@dataclass(frozen=True, slots=True)
class EasyHard:
    """Accuracy on Easy and on Hard, their gap, and controls."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)

    easy: str | None = None  # file of published ids: JSON {"easy": [...]}, or one id a line
    view: str = "choices"  # the view of the blind runs
    seeds: SeedCounting = "mean"  # count an item once, by its mean over runs, or once for each run
    level: float = 0.05  # of the tests, Holm-corrected
    ngram: int = 2  # longest n-gram of the cue rules that serve as a control
    folds: int = 10  # of their cross-validation
    randomisations: int = 100_000  # where no exact p can be had
    seed: int = 0  # of folds, bootstrap and randomisations

    def __post_init__(self) -> None:
        check_choice("seeds", self.seeds, get_args(SeedCounting))
        check_range("level", self.level, 0, 1)
        check_range("ngram", self.ngram, 1)
        check_range("folds", self.folds, 2)
        check_range("randomisations", self.randomisations, 1)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Result:
        parts = systems_by_split(build_systems(benchmark, predictions))
        if all(run.view == self.view for run in predictions):
            message = f"all runs have the view {self.view}: give runs that saw the question, too"
            raise BadInput("--predictions", message)
        sources = self._find_sources(parts)
        usable_sources = {
            split: [s for s in split_sources if _has_both_parts(s)]
            for split, split_sources in sources.items()
        }
        gaps = [
            measure_gap(system, source, self.seeds, self.randomisations, self.seed)
            for split, split_systems in parts.items()
            for source in usable_sources[split]
            for system in split_systems
            if system.runs[0].view != self.view
        ]
        judged = [gap for gap in gaps if gap.is_judged]
        q = dict(zip(judged, holm([gap.test.p for gap in judged]).tolist(), strict=True))
        wide = [gap for gap in judged if q[gap] <= self.level and gap.size > 0]
        return Result(
            probe="easy_hard",
            params=asdict(self),
            verdict=_decide_verdict(judged, wide),
            summary=_write_summary(judged, wide),
            estimates=tuple(gap.build_estimate() for gap in gaps),
            tables={
                "gaps": Table(
                    GAPS, tuple(g.table_row(q.get(g), "gap" if g in wide else "") for g in gaps)
                ),
                "sets": Table(SETS, tuple(_source_rows(sources))),
            },
            evidence={
                f"{split}: easy from {source.name}": source.easy
                for split, split_sources in usable_sources.items()
                for source in split_sources
            },
            notes=tuple(self._write_notes(sources, gaps)),
        )

    def _find_sources(self, parts: dict[str, list[System]]) -> dict[str, list[EasySource]]:
        """For each split, all ways at hand to tell Easy from Hard."""
        published = read_easy_ids(
            self.easy, {split: split_systems[0].items for split, split_systems in parts.items()}
        )
        return {
            split: [
                *(
                    [published_source(split_systems[0].items, published[split])]
                    if split in published
                    else []
                ),
                *blind_sources(split_systems, self.view),
                rule_source(split_systems[0].items, self.ngram, self.folds, self.seed),
            ]
            for split, split_systems in parts.items()
        }

    def _write_notes(
        self, sources: dict[str, list[EasySource]], gaps: list[EasyHardGap]
    ) -> Iterator[str]:
        for split, split_sources in sources.items():
            for source in split_sources:
                if not _has_both_parts(source):
                    fewest = plural(min(len(source.easy), source.n - len(source.easy)), "item")
                    yield f"{split}: Easy from {source.name} was left out: one part has {fewest}."
        if not any(gap.is_controlled for gap in gaps):
            yield (
                f"Runs of other models that saw only the {self.view} would be a control: give "
                f"them, or mark logs of such runs by `hansproof convert --view {self.view}`."
            )
        if self.seeds == "pooled":
            yield "Runs are pooled: an item counts once for each, so p and intervals are too small."


def _has_both_parts(source: EasySource) -> bool:
    """Whether both parts have enough items."""
    return min(len(source.easy), source.n - len(source.easy)) >= MIN_ITEMS


def _source_rows(sources: dict[str, list[EasySource]]) -> Iterator[tuple[Cell, ...]]:
    for split, split_sources in sources.items():
        for source in split_sources:
            yield source.table_row(split)


def _decide_verdict(judged: list[EasyHardGap], wide: list[EasyHardGap]) -> Verdict:
    if any(gap.is_controlled for gap in wide):
        return "exposed"
    return "caution" if wide or not judged else "clear"


def _write_summary(judged: list[EasyHardGap], wide: list[EasyHardGap]) -> str:
    if not judged:
        return (
            "Whether scores survive on Hard items could not be tested: there are no blind runs, "
            "no published ids, and rules over cues know nothing here."
        )
    n_tested = len({id(gap.system) for gap in judged})
    if not wide:
        return (
            f"None of {plural(n_tested, 'score')} is better on Easy than on Hard beyond chance "
            f"({plural(len(judged), 'gap')} tested)."
        )
    confirmed = [gap for gap in wide if gap.is_controlled]
    worst = max(confirmed or wide, key=lambda gap: gap.size)
    n_systems = len({id(gap.system) for gap in confirmed or wide})
    text = (
        f"{n_systems} of {plural(n_tested, 'score')} {'is' if n_systems == 1 else 'are'} "
        f"better on Easy than on Hard beyond chance: {worst.system.name} by "
        f"{100 * worst.size:.1f} points in {worst.system.split} ({worst.easy.mean():.1%} "
        f"against {worst.hard.mean():.1%}, Easy from {worst.source.name})"
    )
    return f"{text}; {_interpret_gap(worst, judged)}."


def _interpret_gap(worst: EasyHardGap, judged: list[EasyHardGap]) -> str:
    """What the gap may be taken for."""
    if worst.source.name == CUE_RULES:
        return "these rules read words of the choices alone, so the score leans on them"
    if worst.relation == CROSS_VALIDATED:
        return "Easy was cross-validated, so it is more than selection"
    if worst.is_controlled:
        return "Easy was chosen by another model, so it is more than selection"
    if any(gap.is_controlled for gap in judged):
        return "no control confirms it, so selection may be all there is to it"
    return "no other blind model was there as a control, so it may be mere selection"
