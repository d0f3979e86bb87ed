"""Tables of Niven and Kao 2019: accuracies of the released runs, and the word *not*."""

from __future__ import annotations

import numpy as np

from ...stats import SeedSummary, summarize_accuracies
from ...text.tokenizers import get_tokenizer
from ..arct import select_items, word_statistics
from ..computed_figures import (
    ComputedCells,
    ComputedFigure,
    ComputeTable,
    ComputeTextFigure,
    data_figure,
    predictions_figure,
    score_figure,
)
from ..paper_data import PaperData
from ..printed_figures import Paper, PrintedTable

MODELS = {"BERT-large": "bert_large", "BERT-base": "bert_base", "BoV": "bov", "BiLSTM": "bilstm"}
INPUTS = {"full": "", "W": "_w", "R,W": "_rw", "C,W": "_cw"}
DEGENERATE_BELOW = 0.8  # the paper calls runs with a lower training accuracy degenerate


def _summarise_runs(data: PaperData, experiment: str, *splits: str) -> SeedSummary:
    """Summarise the runs' mean accuracies on these splits."""
    runs = data.seed_accuracies(experiment)
    return summarize_accuracies(
        [float(np.mean([run.accuracy[split] for split in splits])) for run in runs]
    )


def _summary_cell(column: str, runs: SeedSummary) -> ComputedFigure:
    note = f"{runs.n} runs"
    if column.endswith("_mean"):
        return score_figure(runs.mean, runs.sd_sample or 0.0, note)
    return predictions_figure(runs.median if column.endswith("_median") else runs.max, note)


def _compute_seed_table(table: PrintedTable, data: PaperData) -> ComputedCells:
    """Compute the rows of the authors' own models in tables 1 and 3."""
    cells: dict[tuple[int, str], ComputedFigure] = {}
    for i, row in enumerate(table.rows):
        if row["model"] in MODELS:
            experiment = MODELS[row["model"]] + INPUTS[row.get("input", "full")]
            for column in table.columns:
                split = column.partition("_")[0]
                cells[i, column] = _summary_cell(column, _summarise_runs(data, experiment, split))
    return cells


def _compute_table_4(table: PrintedTable, data: PaperData) -> ComputedCells:
    """Compute means over the two halves of the adversarial test split."""
    cells: dict[tuple[int, str], ComputedFigure] = {}
    for i, row in enumerate(table.rows):
        experiment = f"{MODELS[row['model']]}_adv{INPUTS[row['input']]}"
        runs = _summarise_runs(data, experiment, "test", "test_adv")
        cells |= {(i, column): _summary_cell(column, runs) for column in table.columns}
    return cells


def _compute_table_2(table: PrintedTable, data: PaperData) -> ComputedCells:
    cells: dict[tuple[int, str], ComputedFigure] = {}
    for i, row in enumerate(table.rows):
        statistics = word_statistics(select_items(data, row["split"]), get_tokenizer("word"))
        cells[i, "productivity"], cells[i, "coverage"] = (
            data_figure(value, "tokenizer word") for value in statistics
        )
    return cells


TABLES: dict[str, ComputeTable] = {
    "table-1": _compute_seed_table,
    "table-2": _compute_table_2,
    "table-3": _compute_seed_table,
    "table-4": _compute_table_4,
}


def _nondegenerate_accuracies(data: PaperData) -> list[float]:
    """Return the test accuracies of BERT-large without degenerate runs."""
    runs = data.seed_accuracies("bert_large")
    return [run.accuracy["test"] for run in runs if (run.train or 0) >= DEGENERATE_BELOW]


def _count_degenerate(paper: Paper, data: PaperData) -> ComputedFigure:
    runs = len(data.seed_accuracies("bert_large"))
    return ComputedFigure(
        {"degenerate": runs - len(_nondegenerate_accuracies(data)), "runs": runs}, "predictions"
    )


def _degenerate_threshold(paper: Paper, data: PaperData) -> ComputedFigure:
    """Return the printed threshold if it separates the printed number of failed runs."""
    threshold = float(paper.text_figure("degenerate-threshold").parts["value"])
    n_failed = int(paper.text_figure("degenerate-runs").parts["degenerate"])
    train_accuracies = sorted(100 * (run.train or 0) for run in data.seed_accuracies("bert_large"))
    low, high = train_accuracies[n_failed - 1], train_accuracies[n_failed]
    note = f"any threshold between {low:.1f} and {high:.1f} excludes {n_failed} runs"
    return predictions_figure(threshold if low < threshold <= high else (low + high) / 2, note)


def _nondegenerate_mean(paper: Paper, data: PaperData) -> ComputedFigure:
    runs = summarize_accuracies(_nondegenerate_accuracies(data))
    return score_figure(runs.mean, runs.sd_sample, f"{runs.n} runs")


def _make_percent(experiment: str, statistic: str, *splits: str) -> ComputeTextFigure:
    def compute(paper: Paper, data: PaperData) -> ComputedFigure:
        runs = _summarise_runs(data, experiment, *splits)
        return predictions_figure(100 * float(getattr(runs, statistic)))

    return compute


TEXTS: dict[str, ComputeTextFigure] = {
    "bert-peak": _make_percent("bert_large", "max", "test"),
    "bert-adversarial-peak": _make_percent("bert_large_adv", "max", "test", "test_adv"),
    "bert-adversarial-centre": _make_percent("bert_large_adv", "median", "test", "test_adv"),
    "warrant-only-peak": _make_percent("bert_large_w", "max", "test"),
    "degenerate-runs": _count_degenerate,
    "degenerate-threshold": _degenerate_threshold,
    "bert-large-nondegenerate": _nondegenerate_mean,
    "bert-large-median-percent": _make_percent("bert_large", "median", "test"),
    "train-size": lambda paper, data: data_figure(len(select_items(data, "train"))),
}
