"""How much do scores depend on the random seed, and did every run learn something?

Mean, both standard deviations, median and extremes over runs; the interval of a mean is in
`accuracy`. A run is degenerate if its training accuracy is not above chance (Niven and Kao 2019
drew the line at 80%: `--rule niven2019`). Misleads with few runs: two seeds tell little about a
third.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, get_args

from scipy.special import chdtri

from .._infra.plural import plural
from .._infra.validation import check_choice, check_range
from ..errors import BadInput
from ..inputs.accuracies import SeedAccuracy
from ..inputs.systems import System, build_systems, is_asked
from ..scoring import chance_level
from ..stats import is_degenerate, summarize_accuracies
from ..stats.seeds import DegeneracyRule as Rule
from ..types import Benchmark, Cell, Estimate, Items, Predictions, Result, Subject, Table, Verdict
from ._answer_notes import write_missing_notes

SYSTEM_COLUMNS = (
    "split", "system", "runs", "mean", "sd_population", "sd_sample", "median", "min", "max",
    "degenerate", "mean_without", "sd_without", "sampling_sd", "chance",
)  # fmt: skip
RUN_COLUMNS = ("split", "system", "run", "seed", "accuracy", "train_accuracy", "chance", "flag")
DEGENERATE = "degenerate"
SPREAD = "spread"  # the metric of a standard deviation over runs
LARGEST_DEVIATION = math.sqrt(0.5)  # of two accuracies: 0 and 1

SystemRecord = dict[str, Cell]  # by column of SYSTEM_COLUMNS


@dataclass(frozen=True, slots=True)
class Seeds:
    """The spread over runs of every system, and its degenerate runs."""

    needs: ClassVar[tuple[str, ...]] = ("predictions", "accuracies")
    subject: ClassVar[Subject] = "models"

    margin: float = 0.05  # acceptable difference between the best and the worst run
    rule: Rule = "chance"  # degenerate if training accuracy is not above chance, or below 80%

    def __post_init__(self) -> None:
        check_range("margin", self.margin, 0, 1)
        check_choice("rule", self.rule, get_args(Rule))

    def __call__(
        self,
        benchmark: Benchmark,
        predictions: Sequence[Predictions] = (),
        accuracies: Sequence[SeedAccuracy] = (),
    ) -> Result:
        systems = build_systems(benchmark, predictions) if predictions else ()
        runs = _runs_from_systems(benchmark, systems)
        known_runs = {(run.split, run.system, run.seed) for run in runs if run.seed is not None}
        listed_runs = _runs_from_accuracies(benchmark, accuracies)
        # a run that is here item by item is not counted again from a table
        runs += [run for run in listed_runs if (run.split, run.system, run.seed) not in known_runs]
        if not runs:
            raise BadInput(
                "--predictions", "this probe needs runs: give files of predictions, or --accuracies"
            )
        train = benchmark.labelled_splits().get(benchmark.roles.get("train", ""), ())
        judged = [(run, self._is_degenerate(run, train)) for run in runs]
        runs_by_system: dict[tuple[str, str], list[tuple[SeedRun, bool]]] = defaultdict(list)
        for run, failed in judged:
            runs_by_system[run.split, run.system].append((run, failed))
        records = [_system_record(*key, runs) for key, runs in runs_by_system.items()]
        estimates = [_build_estimate(record) for record in records if record["runs"] != 1]
        widest = _find_widest(records)
        return Result(
            probe="seeds",
            params=asdict(self),
            verdict=self._decide_verdict(records),
            summary=_write_summary(records, widest) if widest else _explain_skip(systems),
            key=_build_estimate(widest).name if widest else None,
            subject=self.subject,
            estimates=tuple(estimates),
            tables={
                "systems": Table(SYSTEM_COLUMNS, tuple(tuple(r.values()) for r in records)),
                "runs": Table(RUN_COLUMNS, tuple(
                    row for judged_runs in runs_by_system.values() for row in _run_rows(judged_runs)
                )),
            },
            notes=(*write_missing_notes(systems), *self._write_notes(runs, train)),
        )  # fmt: skip

    def _decide_verdict(self, records: list[SystemRecord]) -> Verdict:
        if _find_widest(records) is None:
            return "skipped"
        wide = any(_range_width(record) > self.margin for record in records)
        failed = any(record["degenerate"] or record["runs"] == 1 for record in records)
        return "caution" if wide or failed else "clear"

    def _is_degenerate(self, run: SeedRun, train: Items) -> bool:
        if run.train_accuracy is None or run.trained_elsewhere:
            return False
        if math.isnan(run.train_accuracy) or self.rule == "niven2019":
            return is_degenerate(run.train_accuracy, 1, 0.5, "niven2019")
        return bool(train) and is_degenerate(run.train_accuracy, len(train), chance_level(train))

    def _write_notes(self, runs: list[SeedRun], train: Items) -> tuple[str, ...]:
        notes = []
        unknown = sum(run.train_accuracy is None for run in runs)
        if unknown:
            notes.append(_write_unknown_note(unknown, len(runs)))
        elsewhere = sum(run.trained_elsewhere and run.train_accuracy is not None for run in runs)
        if elsewhere:
            count = f"{elsewhere} of {plural(len(runs), 'run')}"
            reason = "trained on something other than this benchmark's training split"
            notes.append(f"Degenerate runs cannot be detected among {count}: {reason}.")
        if unknown + elsewhere < len(runs) and not train and self.rule == "chance":
            notes.append("Degenerate runs cannot be detected without the training split.")
        return tuple(notes)


@dataclass(frozen=True, slots=True)
class SeedRun:
    """The accuracy of one run."""

    split: str
    system: str
    seed: int | None
    accuracy: float
    train_accuracy: float | None
    chance: float | None
    n: int | None
    trained_elsewhere: bool = False


def _runs_from_systems(benchmark: Benchmark, systems: Sequence[System]) -> list[SeedRun]:
    return [
        SeedRun(
            system.split, system.name, run.seed, float(earned.mean()), run.train_accuracy,
            system.chance, len(system.items), _is_trained_elsewhere(benchmark, run.trained_on),
        )
        for system in systems
        for run, earned in zip(system.runs, system.credits, strict=True)
    ]  # fmt: skip


def _runs_from_accuracies(
    benchmark: Benchmark, accuracies: Sequence[SeedAccuracy]
) -> list[SeedRun]:
    labelled = benchmark.labelled_splits()
    return [
        SeedRun(
            split, row.model, row.seed, accuracy, row.train,
            chance_level(labelled[split]) if split in labelled else None,
            len(labelled[split]) if split in labelled else None,
        )
        for row in accuracies
        for split, accuracy in row.accuracy.items()
    ]  # fmt: skip


def _is_trained_elsewhere(benchmark: Benchmark, trained_on: str | None) -> bool:
    """Whether a run was trained on something else than the training split of the benchmark."""
    train = benchmark.roles.get("train", "train")
    return trained_on not in (None, train, benchmark.name, f"{benchmark.name}:{train}")


def _system_record(split: str, system: str, judged: list[tuple[SeedRun, bool]]) -> SystemRecord:
    """Return the spread of a system's runs by column (see SYSTEM_COLUMNS)."""
    stats = summarize_accuracies([run.accuracy for run, _ in judged])
    sound = [run.accuracy for run, failed in judged if not failed]
    sound_stats = summarize_accuracies(sound) if sound else None
    first = judged[0][0]
    sampling_sd = math.sqrt(stats.mean * (1 - stats.mean) / first.n) if first.n else None
    cells = (
        split, system, stats.n, stats.mean, stats.sd_population, stats.sd_sample,
        stats.median, stats.min, stats.max, stats.n - len(sound),
        sound_stats.mean if sound_stats else None,
        sound_stats.sd_population if sound_stats else None,
        sampling_sd, first.chance,
    )  # fmt: skip
    return dict(zip(SYSTEM_COLUMNS, cells, strict=True))


def _range_width(record: SystemRecord) -> float:
    """Return the distance of the best run from the worst."""
    return float(record["max"] or 0) - float(record["min"] or 0)


def _find_widest(records: list[SystemRecord]) -> SystemRecord | None:
    """Return the system whose runs are farthest apart; None where each has one run."""
    several = [record for record in records if record["runs"] != 1]
    return max(several, key=_range_width, default=None)


def _run_rows(judged: list[tuple[SeedRun, bool]]) -> list[tuple[Cell, ...]]:
    return [
        (
            run.split, run.system, number, run.seed, run.accuracy, _nan_to_none(run.train_accuracy),
            run.chance, DEGENERATE if failed else "",
        )
        for number, (run, failed) in enumerate(judged, 1)
    ]  # fmt: skip


def _nan_to_none(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _build_estimate(record: SystemRecord) -> Estimate:
    """Return the standard deviation over runs; the mean is an estimate of `accuracy`."""
    split, n, deviation = str(record["split"]), int(record["runs"] or 0), _deviation(record)
    return Estimate(
        f"{split}: {record['system']}, standard deviation over runs", deviation,
        *_deviation_interval(deviation, n), n, kind="difference", split=split,
        metric=SPREAD,
    )  # fmt: skip


def _deviation(record: SystemRecord) -> float:
    return float(record["sd_sample"] or 0)


def _deviation_interval(deviation: float, n: int) -> tuple[float, float]:
    """Return the interval of a standard deviation, for accuracies that are normal over seeds."""
    low, high = (deviation * math.sqrt((n - 1) / chdtri(n - 1, p)) for p in (0.025, 0.975))
    return float(low), max(deviation, min(float(high), LARGEST_DEVIATION))


def _write_unknown_note(n_unknown: int, n_runs: int) -> str:
    if n_unknown < n_runs:
        return (
            f"Training accuracy is unknown for {n_unknown} of {n_runs} runs, so failed runs among "
            "them cannot be detected."
        )
    unknown_runs = "the only run" if n_runs == 1 else f"all {n_runs} runs"
    return f"Training accuracy is unknown for {unknown_runs}, so failed runs cannot be detected."


def _describe_spread(widest: SystemRecord) -> str:
    """Describe how far the runs of a system are apart, or say that they score the same."""
    if not _range_width(widest):
        return (
            f"All {widest['runs']} runs of {widest['system']} score {widest['mean']:.1%} in "
            f"{widest['split']}, so the model may not depend on the seed"
        )
    return (
        f"Over {widest['runs']} runs, {widest['system']} scores between {widest['min']:.1%} and "
        f"{widest['max']:.1%} in {widest['split']} (mean {widest['mean']:.1%}, standard deviation "
        f"{100 * _deviation(widest):.1f} points)"
    )


def _explain_skip(systems: Sequence[System]) -> str:
    """Say why no spread can be computed, and what helps; `systems` have one run each."""
    reason = "Skipped: every system has only one run"
    n_fixed = sum(_is_fixed(system.runs[0]) for system in systems)
    hint = "seeds change nothing for models that are asked at temperature 0"
    if systems and n_fixed == len(systems):
        return f"{reason}; {hint}."
    remedy = "give runs with several seeds"
    return f"{reason}; {remedy} ({hint})." if n_fixed else f"{reason}; {remedy}."


def _is_fixed(run: Predictions) -> bool:
    """Whether a language model was asked at temperature 0, so that its answers have no seed."""
    return is_asked(run) and run.params.get("temperature") == 0


def _write_summary(records: list[SystemRecord], widest: SystemRecord) -> str:
    # a run that was scored on several splits is one run
    by_system: dict[Cell, int] = defaultdict(int)
    for row in records:
        by_system[row["system"]] = max(by_system[row["system"]], int(row["degenerate"] or 0))
    failed = sum(by_system.values())
    text = _describe_spread(widest)
    failures = f"; {plural(failed, 'run')} learnt nothing" if failed else ""
    lone = sum(record["runs"] == 1 for record in records)
    alone = (
        f"; {lone} of {len(records)} systems {'has' if lone == 1 else 'have'} only one run"
        if lone
        else ""
    )
    return f"{text}{failures}{alone}."
