"""How much does the seed matter, and did every run learn something?

Mean, both standard deviations, median and extremes over runs; a run is degenerate when its training
accuracy is not above chance (Niven and Kao 2019 drew the line at 80 %: `--rule niven2019`).
Misleads with few runs: two seeds say next to nothing about a third.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, get_args

from scipy.special import stdtrit

from ..accuracies import SeedAccuracy
from ..checks import check, check_one
from ..errors import BadInput
from ..stats import degenerate, summary
from ..stats.seeds import Rule
from ..types import Benchmark, Cell, Estimate, Items, Predictions, Result, Table, Verdict
from ._baselines import chance
from ._systems import systems
from ._words import many

SYSTEMS = (
    "split", "system", "runs", "mean", "low", "high", "sd_population", "sd_sample", "median", "min",
    "max", "degenerate", "mean_without", "sd_without", "sampling_sd", "chance",
)  # fmt: skip
RUNS = ("split", "system", "run", "seed", "accuracy", "train_accuracy", "chance", "flag")
DEGENERATE = "degenerate"


@dataclass(frozen=True, slots=True)
class Seeds:
    """The spread over runs of every system, and its degenerate runs."""

    needs: ClassVar[tuple[str, ...]] = ("predictions", "accuracies")

    margin: float = 0.05  # distance of the best run from the worst that calls for care
    rule: Rule = "chance"  # degenerate: training accuracy not above chance; niven2019: below 80 %

    def __post_init__(self) -> None:
        check("margin", self.margin, 0, 1)
        check_one("rule", self.rule, get_args(Rule))

    def __call__(
        self,
        benchmark: Benchmark,
        predictions: Sequence[Predictions] = (),
        accuracies: Sequence[SeedAccuracy] = (),
    ) -> Result:
        ran = _from_predictions(benchmark, predictions)
        known = {(run.split, run.system, run.seed) for run in ran if run.seed is not None}
        told = _from_accuracies(benchmark, accuracies)
        # a run that is here item by item is not counted again from a table
        ran += [run for run in told if (run.split, run.system, run.seed) not in known]
        if not ran:
            raise BadInput("--predictions", "this probe needs runs: give it files, or --accuracies")
        train = benchmark.labelled().get(benchmark.roles.get("train", ""), ())
        judged = [(run, self._degenerate(run, train)) for run in ran]
        together: dict[tuple[str, str], list[tuple[Ran, bool]]] = defaultdict(list)
        for run, failed in judged:
            together[run.split, run.system].append((run, failed))
        rows = tuple(_row(*key, runs) for key, runs in together.items())
        return Result(
            probe="seeds",
            params=asdict(self),
            verdict=self._verdict(rows),
            sentence=_sentence(rows),
            estimates=tuple(_estimate(row) for row in rows if row[2] != 1),
            tables={
                "systems": Table(SYSTEMS, rows),
                "runs": Table(RUNS, tuple(
                    row for runs in together.values() for row in _runs(runs)
                )),
            },
            notes=self._notes(ran, train),
        )  # fmt: skip

    def _verdict(self, rows: tuple[tuple[Cell, ...], ...]) -> Verdict:
        named = [dict(zip(SYSTEMS, row, strict=True)) for row in rows]
        wide = any(float(r["max"] or 0) - float(r["min"] or 0) > self.margin for r in named)
        failed = any(row["degenerate"] or row["runs"] == 1 for row in named)
        return "caution" if wide or failed else "clear"

    def _degenerate(self, run: Ran, train: Items) -> bool:
        if run.train_accuracy is None or run.trained_elsewhere:
            return False
        if math.isnan(run.train_accuracy) or self.rule == "niven2019":
            return degenerate(run.train_accuracy, 1, 0.5, "niven2019")
        return bool(train) and degenerate(run.train_accuracy, len(train), chance(train))

    def _notes(self, ran: list[Ran], train: Items) -> tuple[str, ...]:
        notes = []
        unknown = sum(run.train_accuracy is None for run in ran)
        if unknown:
            what = "without a word on their training accuracy"
            notes.append(f"{unknown} of {many(len(ran), 'run')} {what}.")
        elsewhere = sum(run.trained_elsewhere for run in ran)
        if elsewhere:
            what = "trained on something else than the training split here, and not judged"
            notes.append(f"{elsewhere} of {many(len(ran), 'run')} {what}.")
        if unknown + elsewhere < len(ran) and not train and self.rule == "chance":
            notes.append("The training split is not here: degenerate runs were not looked for.")
        return tuple(notes)


@dataclass(frozen=True, slots=True)
class Ran:
    """The accuracy of one run."""

    split: str
    system: str
    seed: int | None
    accuracy: float
    train_accuracy: float | None
    chance: float | None
    n: int | None
    trained_elsewhere: bool = False


def _from_predictions(benchmark: Benchmark, predictions: Sequence[Predictions]) -> list[Ran]:
    if not predictions:
        return []
    return [
        Ran(
            system.split, system.name, run.seed, float(earned.mean()), run.train_accuracy,
            system.chance, len(system.items), _elsewhere(benchmark, run.trained_on),
        )
        for system in systems(benchmark, predictions)
        for run, earned in zip(system.runs, system.credits, strict=True)
    ]  # fmt: skip


def _from_accuracies(benchmark: Benchmark, accuracies: Sequence[SeedAccuracy]) -> list[Ran]:
    known = benchmark.labelled()
    return [
        Ran(
            split, row.model, row.seed, accuracy, row.train,
            chance(known[split]) if split in known else None,
            len(known[split]) if split in known else None,
        )
        for row in accuracies
        for split, accuracy in row.accuracy.items()
    ]  # fmt: skip


def _elsewhere(benchmark: Benchmark, trained_on: str | None) -> bool:
    """Whether a run says that it was trained on something else than the training split here."""
    train = benchmark.roles.get("train", "train")
    return trained_on not in (None, train, benchmark.name, f"{benchmark.name}:{train}")


def _row(split: str, system: str, judged: list[tuple[Ran, bool]]) -> tuple[Cell, ...]:
    found = summary([run.accuracy for run, _ in judged])
    sound = [run.accuracy for run, failed in judged if not failed]
    without = summary(sound) if sound else None
    first = judged[0][0]
    low, high = _interval(found.mean, found.sd_sample, found.n)
    sampling = math.sqrt(found.mean * (1 - found.mean) / first.n) if first.n else None
    return (
        split, system, found.n, found.mean, low, high, found.sd_population, found.sd_sample,
        found.median, found.min, found.max, found.n - len(sound),
        without.mean if without else None, without.sd_population if without else None,
        sampling, first.chance,
    )  # fmt: skip


def _interval(mean: float, sd: float | None, n: int) -> tuple[float | None, float | None]:
    """Student's interval of the mean over seeds; none for a single run."""
    if sd is None:
        return None, None
    half = float(stdtrit(n - 1, 0.975)) * sd / math.sqrt(n)
    return max(0.0, mean - half), min(1.0, mean + half)


def _runs(judged: list[tuple[Ran, bool]]) -> list[tuple[Cell, ...]]:
    return [
        (
            run.split, run.system, number, run.seed, run.accuracy, _finite(run.train_accuracy),
            run.chance, DEGENERATE if failed else "",
        )
        for number, (run, failed) in enumerate(judged, 1)
    ]  # fmt: skip


def _finite(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _estimate(row: tuple[Cell, ...]) -> Estimate:
    named = dict(zip(SYSTEMS, row, strict=True))
    mean, low, high = (float(named[key] or 0) for key in ("mean", "low", "high"))
    chance = named["chance"]
    return Estimate(
        f"{named['split']}: {named['system']}, mean over runs", mean, low, high,
        int(named["runs"] or 0), None if chance is None else float(chance),
    )  # fmt: skip


def _sentence(rows: tuple[tuple[Cell, ...], ...]) -> str:
    named = [dict(zip(SYSTEMS, row, strict=True)) for row in rows]
    several = [row for row in named if row["runs"] != 1]
    if not several:
        return "Every system has one run only: nothing is known of how much the seed matters."
    widest = max(several, key=lambda row: float(row["max"] or 0) - float(row["min"] or 0))
    # a run that was scored on several splits is one run
    by_system: dict[Cell, int] = defaultdict(int)
    for row in named:
        by_system[row["system"]] = max(by_system[row["system"]], int(row["degenerate"] or 0))
    failed = sum(by_system.values())
    said = (
        f"Over {widest['runs']} runs {widest['system']} lies between {widest['min']:.1%} and "
        f"{widest['max']:.1%} in {widest['split']} (mean {widest['mean']:.1%})"
    )
    failures = f"; {many(failed, 'run')} learnt nothing" if failed else ""
    lone = len(named) - len(several)
    alone = f"; {lone} of {len(named)} systems have one run only" if lone else ""
    return f"{said}{failures}{alone}."
