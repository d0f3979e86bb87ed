"""Does the score survive on the items that blind models cannot answer?

Kavumba et al. 2019: Easy is what a model that saw no question gets right in all its runs, Hard the
rest; the gap is tested by randomisation. Misleads where Easy was chosen by a model that errs like
the one tested: so every gap is measured again, with Easy from other models and from cue rules that
were cross-validated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, get_args

import numpy as np

from ..edits.easy_hard import published, right_in_all
from ..errors import BadInput
from ..stats import Floats, Tested, between_items, bootstrap_difference, holm, mean_interval, wilson
from ..types import Benchmark, Cell, Estimate, Items, Predictions, Result, Table
from ._checks import check, check_one
from ._splits import one_by_one
from ._systems import Seeds, System, by_split, systems
from .cues.blind import REPEATS, blind_credit

GAPS = (
    "split", "system", "easy_from", "relation", "runs", "easy", "easy_sd", "hard", "hard_sd", "gap",
    "low", "high", "p", "q", "method", "n_easy", "n_hard", "flag",
)  # fmt: skip
SETS = (
    "split", "easy_from", "runs", "accuracy", "low", "high", "chance", "n_easy", "n_hard", "flag",
)  # fmt: skip
PUBLISHED, SAME, OTHER, CROSS = "published ids", "same model", "other model", "cross-validated"
CONTROLS = (OTHER, CROSS)  # what can tell reliance from selection
AT_CHANCE = "at chance"  # blind models that know nothing choose an Easy that means nothing
RULES = "cue rules"
FEW = 10  # items a part must have for a gap to mean anything


@dataclass(frozen=True, slots=True)
class EasyHard:
    """Accuracy on Easy and on Hard, their gap, and controls."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)

    ids: str | None = None  # file of published ids: JSON {"easy": [...]}, or one id a line
    view: str = "choices"  # the view of the blind runs
    seeds: Seeds = "mean"  # count an item once, by its mean over runs, or once for each run
    level: float = 0.05  # of the tests, Holm-corrected
    ngram: int = 2  # longest n-gram of the cue rules that serve as a control
    folds: int = 10  # of their cross-validation
    randomisations: int = 100_000  # where no exact p can be had
    seed: int = 0  # of folds, bootstrap and randomisations

    def __post_init__(self) -> None:
        check_one("seeds", self.seeds, get_args(Seeds))
        check("level", self.level, 0, 1)
        check("ngram", self.ngram, 1)
        check("folds", self.folds, 2)
        check("randomisations", self.randomisations, 1)
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Result:
        parts = by_split(systems(benchmark, predictions))
        gaps: list[Gap] = []
        sets: list[tuple[Cell, ...]] = []
        notes: list[str] = []
        evidence = {}
        for split, some in parts.items():
            tested = [system for system in some if system.runs[0].view != self.view]
            for source in self._sources(split, some, list(parts)):
                items = some[0].items
                sets.append((split, *source.row(items)))
                fewest = min(len(source.easy), len(items) - len(source.easy))
                if fewest < FEW:
                    why = f"one part has {fewest} items"
                    notes.append(f"{split}: Easy from {source.name} was left out: {why}.")
                    continue
                evidence[f"{split}: easy from {source.name}"] = source.ids(items)
                gaps += [self._gap(system, source) for system in tested]
        if not any(run.view != self.view for run in predictions):
            what = f"all runs have the view {self.view}: give runs that saw the question, too"
            raise BadInput("--predictions", what)
        return self._result(gaps, tuple(sets), evidence, tuple(notes), parts)

    def _sources(self, split: str, some: list[System], splits: list[str]) -> list[Source]:
        items, found = some[0].items, []
        if self.ids is not None and (len(splits) == 1 or _fits(self.ids, items)):
            found.append(Source(PUBLISHED, None, 0, published(self.ids, items), PUBLISHED, None))
        for system in some:
            run = system.runs[0]
            if run.view == self.view:
                kind = CROSS if run.protocol == "cv" else ""
                easy = right_in_all(items, system.runs)
                found.append(
                    Source(system.name, run.model, len(system.runs), easy, kind, system.scores)
                )
        earned = blind_credit(items, self.ngram, self.folds, self.seed)
        easy = frozenset(i.id for i, much in zip(items, earned, strict=True) if much == 1)
        return [*found, Source(RULES, RULES, REPEATS, easy, CROSS, earned)]

    def _gap(self, system: System, source: Source) -> Gap:
        in_easy = np.array([item.id in source.easy for item in system.items])
        easy, hard = system.credits[:, in_easy], system.credits[:, ~in_easy]
        one, other = (
            (easy.ravel(), hard.ravel())
            if self.seeds == "pooled"
            else (easy.mean(axis=0), hard.mean(axis=0))
        )
        tested = between_items(one, other, rounds=self.randomisations, seed=self.seed)
        interval = bootstrap_difference(one, other, seed=self.seed)
        return Gap(system, source, easy.mean(axis=1), hard.mean(axis=1), tested, interval)

    def _result(
        self,
        gaps: list[Gap],
        sets: tuple[tuple[Cell, ...], ...],
        evidence: dict[str, tuple[str, ...]],
        notes: tuple[str, ...],
        parts: dict[str, list[System]],
    ) -> Result:
        q = holm([gap.tested.p for gap in gaps])
        wide = [g for g, value in zip(gaps, q, strict=True) if value <= self.level and g.size > 0]
        confirmed = [gap for gap in wide if gap.relation in CONTROLS]
        items = {split: some[0].items for split, some in parts.items()}
        return Result(
            probe="easy_hard",
            params=asdict(self),
            verdict="exposed" if confirmed else "caution" if wide else "clear",
            sentence=_sentence(gaps, wide, confirmed),
            estimates=tuple(gap.estimate() for gap in gaps),
            tables={
                "gaps": Table(GAPS, tuple(
                    gap.row(float(value), "gap" if gap in wide else "")
                    for gap, value in zip(gaps, q, strict=True)
                )),
                "sets": Table(SETS, sets),
            },
            evidence={key: ids for key, ids in evidence.items() if ids},
            notes=(*notes, *_pooled(self.seeds), *one_by_one(items)),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A way to say which items are Easy."""

    name: str
    model: str | None
    runs: int
    easy: frozenset[str]
    kind: str  # published ids, cross-validated; "" where it depends on the system tested
    earned: Floats | None  # by item; None where only the ids are known

    def row(self, items: Items) -> tuple[Cell, ...]:
        """The row of the table, after the split."""
        n, n_easy = len(items), len(self.easy)
        sizes = (n_easy, n - n_easy)
        chance = float(np.mean([1 / len(item.choices) for item in items]))
        if self.earned is None:
            return self.name, None, None, None, None, chance, *sizes, ""
        mean = float(self.earned.mean())
        low, high = _cautious(mean, mean_interval(self.earned, [item.group for item in items]), n)
        flag = "" if low > chance else AT_CHANCE
        return self.name, self.runs, mean, low, high, chance, *sizes, flag

    def ids(self, items: Items) -> tuple[str, ...]:
        """The Easy items in the order of the benchmark."""
        return tuple(item.id for item in items if item.id in self.easy)


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """How one system does on Easy and on Hard, by run."""

    system: System
    source: Source
    easy: Floats
    hard: Floats
    tested: Tested
    interval: tuple[float, float]

    @property
    def size(self) -> float:
        """Easy minus Hard."""
        return self.tested.difference

    @property
    def relation(self) -> str:
        """What the model that chose Easy is to the model tested."""
        if self.source.row(self.system.items)[-1] == AT_CHANCE:
            return AT_CHANCE
        same = self.source.model == self.system.runs[0].model
        return self.source.kind or (SAME if same else OTHER)

    def row(self, q: float, flag: str) -> tuple[Cell, ...]:
        """The row of the table."""
        n_easy = len(self.source.easy)
        return (
            self.system.split, self.system.name, self.source.name, self.relation,
            len(self.system.runs), float(self.easy.mean()), float(self.easy.std()),
            float(self.hard.mean()), float(self.hard.std()), self.size, *self.interval,
            self.tested.p, q, self.tested.method, n_easy, len(self.system.items) - n_easy, flag,
        )  # fmt: skip

    def estimate(self) -> Estimate:
        """The gap with its company."""
        name = f"{self.system.split}: {self.system.name}, gap with Easy from {self.source.name}"
        low, high = self.interval
        return Estimate(name, self.size, low, high, len(self.system.items), 0.0)


def _cautious(mean: float, ends: tuple[float, float], n: int) -> tuple[float, float]:
    """The interval, but no narrower than that of n right or wrong answers.

    Rules that are silent on most items, or hang together through their folds, look too sure.
    """
    low, high = wilson(mean * n, n)
    return min(ends[0], float(low)), max(ends[1], float(high))


def _fits(path: str, items: Items) -> bool:
    """Whether a list of ids is about these items."""
    try:
        published(path, items)
    except BadInput:
        return False
    return True


def _pooled(seeds: str) -> tuple[str, ...]:
    if seeds == "mean":
        return ()
    return ("Runs are pooled: an item counts once for each, so p and intervals are too small.",)


def _sentence(gaps: list[Gap], wide: list[Gap], confirmed: list[Gap]) -> str:
    tested = len({id(gap.system) for gap in gaps})
    if not wide:
        return (
            f"No system of {tested} is better on Easy than on Hard beyond chance "
            f"({len(gaps)} gaps tested)."
        )
    worst = max(confirmed or wide, key=lambda gap: gap.size)
    many = len({id(gap.system) for gap in wide})
    said = (
        f"{many} of {tested} systems do better on Easy than on Hard beyond chance, "
        f"{worst.system.name} by {100 * worst.size:.1f} points in {worst.system.split} "
        f"({worst.easy.mean():.1%} against {worst.hard.mean():.1%}, Easy from {worst.source.name})"
    )
    if confirmed:
        return f"{said}; the model that chose Easy is not the one tested."
    if any(gap.relation in CONTROLS for gap in gaps):
        return f"{said}; no control confirms it, so selection may be all there is to it."
    return f"{said}; no other blind model was there as a control, so it may be mere selection."
