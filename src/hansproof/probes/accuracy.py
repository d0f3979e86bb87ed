"""How accurate are the models, and do they beat guessing, one label or the longest choice?

Every accuracy is compared with three baselines that need no model. Ties get their expected credit,
missing answers count as wrong, and runs with several seeds are averaged on each item. Intervals are
over items. The p-value is of a one-sided paired randomisation test against the best of the three
baselines, Holm-corrected. Misleads where the benchmark itself has shortcuts: run the other probes
first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, get_args

from .._infra.plural import plural
from .._infra.validation import check_range
from ..inputs.systems import System, build_systems, systems_by_split
from ..scoring import baseline_credits, majority_split
from ..stats import (
    Floats,
    holm,
    mean_interval,
    p_above_chance,
    paired_randomisation_test,
)
from ..types import Benchmark, Cell, Estimate, NoAnswer, Predictions, Result, Subject, Table
from ._answer_notes import (
    write_control_note,
    write_identical_notes,
    write_mismatch_notes,
    write_missing_notes,
    write_place_notes,
)

SYSTEM_COLUMNS = (
    "split", "system", "runs", "accuracy", "low", "high", "chance", "majority", "longest", "n",
    "tie_rate", "p", "q", "flag",
)  # fmt: skip
REASONS = get_args(NoAnswer)  # "not asked" is counted in items, the others in answers of all runs
NO_ANSWER_COLUMNS = ("split", "system", "accuracy", "by_guessing", "left_out", "n", *REASONS)
RUN_COLUMNS = (
    "split", "system", "seed", "accuracy", "view", "protocol", "trained_on", "train_accuracy",
    "tokenizer", "device",
)  # fmt: skip
CHANCE = "chance"
BASELINES = (CHANCE, "majority", "longest")  # columns of the table
BELOW_BASELINE = "no better than a baseline"
NO_ANSWER = "no_answer"  # the table of systems with missing answers
INTERVAL_NOTE = (
    "Intervals are over items, for these runs; the probe `seeds` shows the spread over runs."
)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy of every system, compared with chance, majority label and longest choice."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)
    subject: ClassVar[Subject] = "models"

    level: float = 0.05  # significance level against the best baseline, Holm-corrected

    def __post_init__(self) -> None:
        check_range("level", self.level, 0, 1)

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Result:
        systems = build_systems(benchmark, predictions)
        baselines = [baseline_credits(benchmark, s.split, s.items) for s in systems]
        p_values = [_p_against_best(*pair) for pair in zip(systems, baselines, strict=True)]
        q = holm(p_values)
        rows = tuple(
            self._system_row(system, system_baselines, p, float(q_value))
            for system, system_baselines, p, q_value in zip(
                systems, baselines, p_values, q, strict=True
            )
        )
        n_below = sum(float(q_value) > self.level for q_value in q)
        perfect = [_estimate_name(s) for s in systems if s.scores.min() == 1]
        best_systems = [_find_best(group) for group in systems_by_split(systems).values()]
        return Result(
            probe="accuracy",
            params=asdict(self),
            verdict="caution" if n_below or perfect else "clear",
            summary=_write_summary(systems, best_systems, n_below),
            key=_estimate_name(best_systems[0]),
            subject=self.subject,
            estimates=tuple(_build_estimate(system) for system in systems),
            tables={
                "systems": Table(SYSTEM_COLUMNS, rows),
                "runs": Table(
                    RUN_COLUMNS, tuple(row for system in systems for row in _run_rows(system))
                ),
                **_no_answer_table(systems),
            },
            evidence=_missed_items(systems),
            notes=(
                *_write_notes(benchmark, systems, perfect),
                *write_control_note(predictions),
            ),
        )

    def _system_row(
        self, system: System, baselines: dict[str, Floats], p: float, q: float
    ) -> tuple[Cell, ...]:
        return (
            system.split, system.name, len(system.runs), system.accuracy,
            *mean_interval(system.scores, system.groups),
            *(float(baselines[name].mean()) for name in BASELINES),
            len(system.items), system.tie_rate(), p, q, BELOW_BASELINE if q > self.level else "",
        )  # fmt: skip


def _p_against_best(system: System, baselines: dict[str, Floats]) -> float:
    """Return the p of a system against the best baseline."""
    name, best = max(baselines.items(), key=lambda pair: float(pair[1].mean()))
    if name == CHANCE:
        return p_above_chance(system.scores, best, system.groups)
    return paired_randomisation_test(system.scores, best, system.groups, alternative="greater").p


def _run_rows(system: System) -> list[tuple[Cell, ...]]:
    return [
        (
            system.split, system.name, run.seed, float(earned.mean()), run.view, run.protocol,
            run.trained_on, run.train_accuracy, run.tokenizer, run.device,
        )
        for run, earned in zip(system.runs, system.credits, strict=True)
    ]  # fmt: skip


def _no_answer_table(systems: Sequence[System]) -> dict[str, Table]:
    """Return a table of the systems that have no answer to some items, if there are any."""
    rows = []
    for system in systems:
        n_not_asked = len(system.split_items) - len(system.items)
        counts = {**system.count_reasons(), "not asked": n_not_asked}
        if any(counts.values()):
            row: tuple[Cell, ...] = (
                system.split, system.name, system.accuracy, system.accuracy_by_guessing,
                system.accuracy_left_out, len(system.items),
                *(counts.get(reason, 0) for reason in REASONS),
            )  # fmt: skip
            rows.append(row)
    return {NO_ANSWER: Table(NO_ANSWER_COLUMNS, tuple(rows))} if rows else {}


def _find_best(systems: Sequence[System]) -> System:
    return max(systems, key=lambda system: system.accuracy)


def _estimate_name(system: System) -> str:
    return f"{system.split}: {system.name}"


def _build_estimate(system: System) -> Estimate:
    low, high = mean_interval(system.scores, system.groups)
    return Estimate(
        _estimate_name(system), system.accuracy, low, high, len(system.items),
        system.chance, split=system.split,
    )  # fmt: skip


def _missed_items(systems: Sequence[System]) -> dict[str, tuple[str, ...]]:
    """Return the items that got two or more answers, all wrong: hard, or with a wrong key."""
    missed = {}
    for split, split_systems in systems_by_split(systems).items():
        credits_by_id: dict[str, list[float]] = defaultdict(list)
        for system in split_systems:
            for index, item in enumerate(system.items):
                credits_by_id[item.id] += system.credits[system.answered[:, index], index].tolist()
        ids = tuple(
            item.id
            for item in split_systems[0].split_items
            if len(credits_by_id[item.id]) > 1 and max(credits_by_id[item.id]) == 0
        )
        if ids:
            missed[f"{split}: wrong in every run"] = ids
    return missed


def _write_summary(systems: Sequence[System], best_systems: Sequence[System], n_below: int) -> str:
    """Name the best system of every split, and how many are no better than a baseline."""
    by_split = systems_by_split(systems)
    clauses = []
    for best in best_systems:
        rivals = by_split[best.split]
        subject = f"the best of {len(rivals)} systems, {best.name}," if rivals[1:] else best.name
        share = (
            f"{best.accuracy:.1%} of the time"
            if all(system.items == best.items for system in rivals)
            else f"on {best.accuracy:.1%} of the {plural(len(best.items), 'item')} it was given"
        )
        clauses.append(f"in {best.split} {subject} is right {share}")
    text = "; ".join(clauses) + f" (chance {best_systems[0].chance:.1%})"
    if not n_below:
        comparison = "every score beats the best trivial baseline"
    else:
        comparison = (
            f"{n_below} of {plural(len(systems), 'score')} {'is' if n_below == 1 else 'are'} not "
            "significantly above the best trivial baseline"
        )
    return f"{text[0].upper()}{text[1:]}; {comparison}."


def _write_notes(
    benchmark: Benchmark, systems: Sequence[System], perfect: Sequence[str]
) -> Iterator[str]:
    yield from write_missing_notes(systems)
    yield from write_place_notes(systems)
    yield from write_mismatch_notes(systems)
    yield from write_identical_notes(systems)
    for name in perfect:
        yield f"{name} is right on every item: check that it is not the answer key itself."
    for split in systems_by_split(systems):
        yield _majority_note(benchmark, split)
    if any(len(system.runs) > 1 for system in systems):
        yield INTERVAL_NOTE


def _majority_note(benchmark: Benchmark, split: str) -> str:
    source = majority_split(benchmark, split)
    caveat = " itself, which favours that baseline" if source == split else ""
    return f"{split}: the majority label was counted on {source}{caveat}."
