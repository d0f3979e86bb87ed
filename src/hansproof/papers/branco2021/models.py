"""Rows of Branco et al. 2021 that need a pretrained model.

COMET(BART) is left out: its authors have not put its weights on the hub.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ...inputs.systems import System, build_systems
from ...probes.robustness import Robustness
from ...stats import summarize_accuracies
from ...sweeps import load_trained_models, plan_runs
from ...types import FULL, Benchmark
from ..computed_figures import ComputedCells, ComputedFigure
from ..paper_data import PaperData
from ..printed_figures import Paper, PrintedTable
from ..retrain import (
    ComputeRunCells,
    RetrainJob,
    RetrainRequest,
    RetrainRow,
    RetrainTable,
    best_model_folder,
    describe_runs,
)
from .tables import TASKS, VIEWS_WITHOUT_CHOICE

REPLACEABLE_MODEL = "RoBERTa-large"  # the model that a user's own model replaces
# model -> recipe and checkpoint
MODELS = {
    REPLACEABLE_MODEL: ("branco", "roberta-large"), "GPT2-medium": ("branco-gpt2", "gpt2-medium"),
    "T5-large": ("branco-t5", "t5-large"), "BART-large": ("branco", "facebook/bart-large"),
}  # fmt: skip
VIEWS = {
    "C+R+W": "full", "Q+A": "full", "G+Sol": "full", "C+W": "claim+choices",
    "R+W": "reason+choices", "A": "choices", "Sol": "choices",
}  # fmt: skip
ATTACK = Robustness()
# column of table 3 -> column of the probe, and a factor
ATTACK_COLUMNS = {
    "before": ("before", 1),
    "delta": ("difference", 1),
    "drop_percent": ("drop", 100),
}
ATTACKED_SPLITS = {
    "ARC": "dev"
}  # tasks for which their code attacks another split than the test split


def _make_job(model: str, task: str, view: str = FULL) -> RetrainJob:
    return RetrainJob(TASKS[task][0], *MODELS[model], view, paper_only=model != REPLACEABLE_MODEL)


def model_rows(paper: Paper) -> Iterator[RetrainRow]:
    """Yield the rows of table 1 (means over runs) and of table 2 (best runs)."""
    first = paper.tables["table-1"]
    for model in MODELS:
        for task in TASKS:
            yield RetrainRow(
                first.id,
                first.find_row(model=model),
                _make_job(model, task),
                _make_mean_cells(task),
            )
    second = paper.tables["table-2"]
    for i, row in enumerate(second.rows):
        if row["input"] in VIEWS and (row["task"], row["input"]) not in VIEWS_WITHOUT_CHOICE:
            job = _make_job(REPLACEABLE_MODEL, row["task"], VIEWS[row["input"]])
            yield RetrainRow(second.id, i, job, _best_cells)


def _make_mean_cells(task: str) -> ComputeRunCells:
    def compute_cells(system: System, data: PaperData) -> Mapping[str, ComputedFigure]:
        runs = summarize_accuracies(system.credits.mean(axis=1).tolist())
        parts = {"mean": runs.mean, "spread": runs.sd_sample or 0.0}
        return {task: ComputedFigure({**parts}, "model", describe_runs(system))}

    return compute_cells


def _best_cells(system: System, data: PaperData) -> Mapping[str, ComputedFigure]:
    runs = summarize_accuracies(system.credits.mean(axis=1).tolist())
    note = f"best of {describe_runs(system)}; mean {runs.mean:.3f}"
    return {REPLACEABLE_MODEL: ComputedFigure({"mean": runs.max}, "model", note)}


def _attack_cells(table: PrintedTable, request: RetrainRequest, data: PaperData) -> ComputedCells:
    """Attack the best run of every task with the paper's thresholds."""
    ATTACK.load_resources()  # fails before training if a resource is missing
    cells: dict[tuple[int, str], ComputedFigure] = {}
    for task, (name, test_split) in TASKS.items():
        job = _make_job(REPLACEABLE_MODEL, task)
        folder = best_model_folder(job, request, data)
        if folder is not None:
            i = table.find_row(task=task, model=REPLACEABLE_MODEL)
            split = ATTACKED_SPLITS.get(task, test_split)
            figures = _attack_figures(data.benchmark(name), split, folder)
            cells |= {
                (i, column): replace(figure, model=request.model_name(job))
                for column, figure in figures.items()
            }
    return cells


def _attack_figures(benchmark: Benchmark, split: str, folder: str) -> dict[str, ComputedFigure]:
    """Attack a saved model and return its figures by column."""
    result = replace(ATTACK, split=split)(benchmark, load_trained_models(benchmark, [folder]))
    attacks = result.tables["attacks"]
    (attack_row,) = (dict(zip(attacks.columns, row, strict=True)) for row in attacks.rows)
    note = f"best run, {attack_row['n']} items of {split}"
    return {
        column: ComputedFigure({"value": factor * float(value)}, "model", note)
        for column, (name, factor) in ATTACK_COLUMNS.items()
        if (value := attack_row[name]) is not None
    }


def _transfer_cells(table: PrintedTable, request: RetrainRequest, data: PaperData) -> ComputedCells:
    """Score the best run of every task on all four tasks."""
    cells: dict[tuple[int, str], ComputedFigure] = {}
    for source in TASKS:
        job = _make_job(REPLACEABLE_MODEL, source)
        folder = best_model_folder(job, request, data)
        for target, (name, split) in TASKS.items() if folder else ():
            benchmark = data.benchmark(name)
            runs = plan_runs(benchmark, [f"saved:{folder}"], [FULL], [0], split=split)
            (system,) = build_systems(benchmark, request.sweep(benchmark, runs, None))
            note = f"the run that is best on its own benchmark, n = {len(system.items)}"
            figure = ComputedFigure(
                {"value": float(system.credits.mean())}, "model", note, request.model_name(job)
            )
            cells[table.find_row(trained_on=source), target] = figure
    return cells


MODEL_TABLES: dict[str, RetrainTable] = {"table-3": _attack_cells, "table-7": _transfer_cells}
