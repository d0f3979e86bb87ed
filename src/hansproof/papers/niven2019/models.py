"""Rows of Niven and Kao 2019 that need a pretrained model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...inputs.systems import System
from ...stats import summarize_accuracies
from ..computed_figures import ComputedFigure
from ..paper_data import PaperData
from ..printed_figures import Paper
from ..retrain import RetrainJob, RetrainRow, RetrainTable, describe_runs
from .tables import MODELS

MODEL_TABLES: dict[str, RetrainTable] = {}
RECIPE = "niven-bert"
CHECKPOINTS = {"BERT-large": "bert-large-uncased", "BERT-base": "bert-base-uncased"}
VIEWS = {
    "full": "full", "W": "choices", "R,W": "reason+choices", "C,W": "claim+choices",
}  # fmt: skip
BENCHMARKS = {"table-1": "arct", "table-3": "arct", "table-4": "arct_adversarial"}


def model_rows(paper: Paper) -> Iterator[RetrainRow]:
    """Yield BERT's rows of tables 1, 3 and 4; in table 4 trained on the adversarial set."""
    for table_id, benchmark in BENCHMARKS.items():
        for i, row in enumerate(paper.tables[table_id].rows):
            if row["model"] in MODELS and row["model"] in CHECKPOINTS:
                view = VIEWS[row.get("input", "full")]
                job = RetrainJob(benchmark, RECIPE, CHECKPOINTS[row["model"]], view)
                yield RetrainRow(table_id, i, job, _run_cells)


def _run_cells(system: System, data: PaperData) -> Mapping[str, ComputedFigure]:
    runs, note = summarize_accuracies(system.credits.mean(axis=1).tolist()), describe_runs(system)
    return {
        "test_mean": ComputedFigure(
            {"mean": runs.mean, "spread": runs.sd_sample or 0.0}, "model", note
        ),
        "test_median": ComputedFigure({"value": runs.median}, "model", note),
        "test_max": ComputedFigure({"value": runs.max}, "model", note),
    }
