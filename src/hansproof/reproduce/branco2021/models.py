"""Rows of Branco et al. 2021 that take a pretrained model.

Not COMET(BART), whose weights are on no hub under a name of its authors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ...predict import all_trained, plan
from ...probes._systems import System, systems
from ...probes.robustness import Robustness
from ...stats import summary
from ...types import FULL, Benchmark
from ..figures import Paper, Printed
from ..ours import Cells, Ours
from ..released import Released
from ..rerun import Asked, Job, More, Row, RunCells, about, best
from .tables import BLANK, TASKS

MODEL = "RoBERTa-large"  # a model of the user's stands where this does
# recipe and checkpoint
MODELS = {
    MODEL: ("branco", "roberta-large"), "GPT2-medium": ("branco-gpt2", "gpt2-medium"),
    "T5-large": ("branco-t5", "t5-large"), "BART-large": ("branco", "facebook/bart-large"),
}  # fmt: skip
VIEWS = {
    "C+R+W": "full", "Q+A": "full", "G+Sol": "full", "C+W": "claim+choices",
    "R+W": "reason+choices", "A": "choices", "Sol": "choices",
}  # fmt: skip
ATTACK = Robustness()
# of table 3 -> of the probe, and times what
LOST = {"before": ("before", 1), "delta": ("difference", 1), "drop_percent": ("drop", 100)}
ATTACKED = {"ARC": "dev"}  # where their code did not attack the items that they test on


def _job(model: str, task: str, view: str = FULL) -> Job:
    return Job(TASKS[task][0], *MODELS[model], view, own=model != MODEL)


def rows(paper: Paper) -> Iterator[Row]:
    """Means over runs in table 1, the best run in table 2."""
    first = paper.tables["table-1"]
    for model in MODELS:
        for task in TASKS:
            yield Row(first.id, first.find(model=model), _job(model, task), _mean(task))
    second = paper.tables["table-2"]
    for at, row in enumerate(second.rows):
        if row["input"] in VIEWS and (row["task"], row["input"]) not in BLANK:
            job = _job(MODEL, row["task"], VIEWS[row["input"]])
            yield Row(second.id, at, job, _best)


def _mean(task: str) -> RunCells:
    def cells(system: System, released: Released) -> Mapping[str, Ours]:
        runs = summary(system.credits.mean(axis=1).tolist())
        parts = {"mean": runs.mean, "spread": runs.sd_sample or 0.0}
        return {task: Ours({**parts}, "model", about(system))}

    return cells


def _best(system: System, released: Released) -> Mapping[str, Ours]:
    runs = summary(system.credits.mean(axis=1).tolist())
    note = f"best of {about(system)}; mean {runs.mean:.3f}"
    return {MODEL: Ours({"mean": runs.max}, "model", note)}


def _attacked(table: Printed, asked: Asked, released: Released) -> Cells:
    """The best run of every task, under their thresholds."""
    ATTACK.means()  # says what is missing before anything is trained
    found: dict[tuple[int, str], Ours] = {}
    for task, (name, tested) in TASKS.items():
        job = _job(MODEL, task)
        folder = best(job, asked, released)
        if folder is not None:
            at, split = table.find(task=task, model=MODEL), ATTACKED.get(task, tested)
            lost = _lost(released.benchmark(name), split, folder)
            found |= {(at, column): replace(one, by=asked.by(job)) for column, one in lost.items()}
    return found


def _lost(benchmark: Benchmark, split: str, folder: str) -> dict[str, Ours]:
    """By column, what an attack leaves of a kept model."""
    result = replace(ATTACK, split=split)(benchmark, all_trained(benchmark, [folder]))
    attacks = result.tables["attacks"]
    (one,) = (dict(zip(attacks.columns, row, strict=True)) for row in attacks.rows)
    note = f"best run, {one['n']} items of {split}"
    return {
        column: Ours({"value": times * float(value)}, "model", note)
        for column, (name, times) in LOST.items()
        if (value := one[name]) is not None
    }


def _transfer(table: Printed, asked: Asked, released: Released) -> Cells:
    """The best run of every task, on all four."""
    found: dict[tuple[int, str], Ours] = {}
    for source in TASKS:
        job = _job(MODEL, source)
        folder = best(job, asked, released)
        for target, (name, split) in TASKS.items() if folder else ():
            benchmark = released.benchmark(name)
            runs = plan(benchmark, [f"kept:{folder}"], [FULL], [0], split=split)
            (one,) = systems(benchmark, asked.sweep(benchmark, runs, None))
            note = f"the run that is best at home, n = {len(one.items)}"
            ours = Ours({"value": float(one.credits.mean())}, "model", note, asked.by(job))
            found[table.find(trained_on=source), target] = ours
    return found


MORE: dict[str, More] = {"table-3": _attacked, "table-7": _transfer}
