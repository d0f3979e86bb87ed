"""Rows of Branco et al. 2021 that take a pretrained model: an encoder that ranks the choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...probes._systems import System
from ...probes.transfer import Transfer
from ...stats import summary
from ..figures import Paper, Printed
from ..ours import Ours
from ..released import Released
from ..rerun import Asked, Cells, Job, More, Row, about, spec_of
from .tables import BLANK, TASKS

MODEL, RECIPE, CHECKPOINT = "RoBERTa-large", "branco", "roberta-large"
VIEWS = {
    "C+R+W": "full", "Q+A": "full", "G+Sol": "full", "C+W": "claim+choices",
    "R+W": "reason+choices", "A": "choices", "Sol": "choices",
}  # fmt: skip


def rows(paper: Paper) -> Iterator[Row]:
    """Means over runs in table 1, the best run in table 2."""
    first = paper.tables["table-1"]
    for task, (name, _) in TASKS.items():
        yield Row(first.id, first.find(model=MODEL), Job(name, RECIPE, CHECKPOINT), _mean(task))
    second = paper.tables["table-2"]
    for at, row in enumerate(second.rows):
        if row["input"] in VIEWS and (row["task"], row["input"]) not in BLANK:
            job = Job(TASKS[row["task"]][0], RECIPE, CHECKPOINT, VIEWS[row["input"]])
            yield Row(second.id, at, job, _best)


def _mean(task: str) -> Cells:
    def cells(system: System, released: Released) -> Mapping[str, Ours]:
        runs = summary(system.credits.mean(axis=1).tolist())
        parts = {"mean": runs.mean, "spread": runs.sd_sample or 0.0}
        return {task: Ours({**parts}, "model", about(system))}

    return cells


def _best(system: System, released: Released) -> Mapping[str, Ours]:
    runs = summary(system.credits.mean(axis=1).tolist())
    note = f"best of {about(system)}; mean {runs.mean:.3f}"
    return {MODEL: Ours({"mean": runs.max}, "model", note)}


def _transfer(table: Printed, asked: Asked, released: Released) -> Mapping[tuple[int, str], Ours]:
    """The best run of every task, on all four."""
    spec = spec_of(Job("", RECIPE, CHECKPOINT), asked.model) or ""
    names = {name: task for task, (name, _) in TASKS.items()}
    first, *others = (released.benchmark(name) for name in names)
    seeds = len(asked.times(RECIPE))
    probe = Transfer(model=spec, seeds=seeds, over="best", keep=asked.keep)
    result = probe(first, others).tables["matrix"]
    found = {}
    for row in result.rows:
        one = dict(zip(result.columns, row, strict=True))
        at = table.find(trained_on=names[str(one["trained_on"])])
        ours = Ours({"value": float(one["accuracy"] or 0)}, "model",
                    f"best of {seeds} runs", asked.model or CHECKPOINT)  # fmt: skip
        found[at, names[str(one["tested_on"])]] = ours
    return found


MORE: dict[str, More] = {"table-7": _transfer}
