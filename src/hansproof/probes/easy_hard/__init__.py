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

from ...checks import check, check_one
from ...edits.easy_hard import fitting
from ...errors import BadInput
from ...stats import holm
from ...types import Benchmark, Cell, Predictions, Result, Table, Verdict
from .._systems import Counting, System, by_split, systems
from .._words import many
from .gaps import COLUMNS as GAPS
from .gaps import Gap, gap
from .sources import COLUMNS as SETS
from .sources import CROSS, RULES, Source, blind, listed, rules

FEW = 10  # items a part must have for a gap to mean anything


@dataclass(frozen=True, slots=True)
class EasyHard:
    """Accuracy on Easy and on Hard, their gap, and controls."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)

    easy: str | None = None  # file of published ids: JSON {"easy": [...]}, or one id a line
    view: str = "choices"  # the view of the blind runs
    seeds: Counting = "mean"  # count an item once, by its mean over runs, or once for each run
    level: float = 0.05  # of the tests, Holm-corrected
    ngram: int = 2  # longest n-gram of the cue rules that serve as a control
    folds: int = 10  # of their cross-validation
    randomisations: int = 100_000  # where no exact p can be had
    seed: int = 0  # of folds, bootstrap and randomisations

    def __post_init__(self) -> None:
        check_one("seeds", self.seeds, get_args(Counting))
        check("level", self.level, 0, 1)
        check("ngram", self.ngram, 1)
        check("folds", self.folds, 2)
        check("randomisations", self.randomisations, 1)
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Result:
        parts = by_split(systems(benchmark, predictions))
        if all(run.view == self.view for run in predictions):
            what = f"all runs have the view {self.view}: give runs that saw the question, too"
            raise BadInput("--predictions", what)
        sources = self._sources(parts)
        kept = {split: [s for s in some if _parts(s)] for split, some in sources.items()}
        gaps = [
            gap(system, source, self.seeds, self.randomisations, self.seed)
            for split, some in parts.items()
            for source in kept[split]
            for system in some
            if system.runs[0].view != self.view
        ]
        judged = [one for one in gaps if one.counts]
        q = dict(zip(judged, holm([one.tested.p for one in judged]).tolist(), strict=True))
        wide = [one for one in judged if q[one] <= self.level and one.size > 0]
        return Result(
            probe="easy_hard",
            params=asdict(self),
            verdict=_verdict(judged, wide),
            sentence=_sentence(judged, wide),
            estimates=tuple(one.estimate() for one in gaps),
            tables={
                "gaps": Table(
                    GAPS, tuple(g.row(q.get(g), "gap" if g in wide else "") for g in gaps)
                ),
                "sets": Table(SETS, tuple(_rows(sources))),
            },
            evidence={
                f"{split}: easy from {source.name}": source.easy
                for split, some in kept.items()
                for source in some
            },
            notes=tuple(self._notes(sources, gaps)),
        )

    def _sources(self, parts: dict[str, list[System]]) -> dict[str, list[Source]]:
        """For each split, all ways at hand to tell Easy from Hard."""
        named = fitting(self.easy, {split: some[0].items for split, some in parts.items()})
        return {
            split: [
                *([listed(some[0].items, named[split])] if split in named else []),
                *blind(some, self.view),
                rules(some[0].items, self.ngram, self.folds, self.seed),
            ]
            for split, some in parts.items()
        }

    def _notes(self, sources: dict[str, list[Source]], gaps: list[Gap]) -> Iterator[str]:
        for split, some in sources.items():
            for source in some:
                if not _parts(source):
                    fewest = many(min(len(source.easy), source.n - len(source.easy)), "item")
                    yield f"{split}: Easy from {source.name} was left out: one part has {fewest}."
        if not any(one.controlled for one in gaps):
            yield (
                f"Runs of other models that saw only the {self.view} would be a control: give "
                f"them, or mark logs of such runs by `hansproof convert --view {self.view}`."
            )
        if self.seeds == "pooled":
            yield "Runs are pooled: an item counts once for each, so p and intervals are too small."


def _parts(source: Source) -> bool:
    """Whether both parts have enough items."""
    return min(len(source.easy), source.n - len(source.easy)) >= FEW


def _rows(sources: dict[str, list[Source]]) -> Iterator[tuple[Cell, ...]]:
    for split, some in sources.items():
        for source in some:
            yield source.row(split)


def _verdict(judged: list[Gap], wide: list[Gap]) -> Verdict:
    if any(one.controlled for one in wide):
        return "exposed"
    return "caution" if wide or not judged else "clear"


def _sentence(judged: list[Gap], wide: list[Gap]) -> str:
    if not judged:
        return (
            "Whether scores survive on Hard items could not be tested: there are no blind runs, "
            "no published ids, and rules over cues know nothing here."
        )
    tested = len({id(one.system) for one in judged})
    if not wide:
        return (
            f"None of {many(tested, 'score')} is better on Easy than on Hard beyond chance "
            f"({many(len(judged), 'gap')} tested)."
        )
    confirmed = [one for one in wide if one.controlled]
    worst = max(confirmed or wide, key=lambda one: one.size)
    found = len({id(one.system) for one in confirmed or wide})
    said = (
        f"{found} of {many(tested, 'score')} {'is' if found == 1 else 'are'} "
        f"better on Easy than on Hard beyond chance: {worst.system.name} by "
        f"{100 * worst.size:.1f} points in {worst.system.split} ({worst.easy.mean():.1%} "
        f"against {worst.hard.mean():.1%}, Easy from {worst.source.name})"
    )
    return f"{said}; {_meaning(worst, judged)}."


def _meaning(worst: Gap, judged: list[Gap]) -> str:
    """What the gap may be taken for."""
    if worst.source.name == RULES:
        return "these rules read words of the choices alone, so the score leans on them"
    if worst.relation == CROSS:
        return "Easy was cross-validated, so it is more than selection"
    if worst.controlled:
        return "Easy was chosen by another model, so it is more than selection"
    if any(one.controlled for one in judged):
        return "no control confirms it, so selection may be all there is to it"
    return "no other blind model was there as a control, so it may be mere selection"
