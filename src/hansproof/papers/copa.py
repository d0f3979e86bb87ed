"""COPA in the papers of Kavumba et al.: scores by training set, on Easy and Hard items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..inputs.systems import System
from ..probes.cues import Cues
from ..stats import summarize_accuracies, two_sample_randomisation_test
from ..types import Benchmark, Cell
from .computed_figures import (
    ComputedCells,
    ComputedFigure,
    ComputeTextFigure,
    data_figure,
    predictions_figure,
    score_figure,
)
from .paper_data import PaperData
from .printed_figures import Paper, PrintedTable
from .retrain import RetrainJob, RetrainRow, describe_runs

RELEASED_SYSTEMS = {"BERT-large-FT": "BERT", "RoBERTa-large-FT": "RoBERTa"}  # trained on COPA
SIGNIFICANT_PERCENT = 5.0
CUES_PROBE = Cues(split="dev", ngram=1, tokenizer="word", randomisations=1)


def compute_scores(table: PrintedTable, data: PaperData) -> ComputedCells:
    """Compute scores of released runs (overall, Easy, Hard): mean and population sd in per cent."""
    cells: dict[tuple[int, str], ComputedFigure] = {}
    systems = data.copa_systems()
    for i, row in enumerate(table.rows):
        if row["model"] in RELEASED_SYSTEMS and row.get("training_data", "COPA") == "COPA":
            system = systems[RELEASED_SYSTEMS[row["model"]]]
            masks = easy_hard_masks(system, data)
            cells |= {(i, c): _score_cell(system, masks[c]) for c in masks if c in table.columns}
            if "p_value_percent" in table.columns:
                cells |= {
                    (i, c): figure
                    for c, figure in _significance_cells(system, masks["easy"]).items()
                }
    return cells


def easy_hard_masks(system: System, data: PaperData) -> dict[str, NDArray[np.bool_]]:
    """Return the items of each score column as masks."""
    easy_ids = data.easy_ids()
    easy = np.array([item.id in easy_ids for item in system.items])
    return {"overall": np.ones_like(easy), "easy": easy, "hard": ~easy}


def _score_cell(system: System, mask: NDArray[np.bool_]) -> ComputedFigure:
    runs = summarize_accuracies((100 * system.credits[:, mask].mean(axis=1)).tolist())
    return score_figure(runs.mean, runs.sd_population)


def _significance_cells(system: System, easy: NDArray[np.bool_]) -> dict[str, ComputedFigure]:
    """Compute p with pooled runs, as the paper must have done; the note has p by item."""
    pooled_p = two_sample_randomisation_test(
        system.credits[:, easy].ravel(), system.credits[:, ~easy].ravel()
    ).p
    item_p = two_sample_randomisation_test(system.scores[easy], system.scores[~easy]).p
    note = (
        "with all runs pooled as if they were different items; counting each item once: "
        f"{100 * item_p:.2g}%"
    )
    return {
        "p_value_percent": predictions_figure(100 * pooled_p, note),
        "significant": predictions_figure(100 * pooled_p < SIGNIFICANT_PERCENT),
    }


@dataclass(frozen=True, slots=True)
class PaperModel:
    """The recipe and the checkpoint of a model of the papers."""

    recipe: str
    checkpoint: str


BERT = PaperModel("kavumba-bert", "bert-large-uncased")
ROBERTA = PaperModel("kavumba-roberta", "roberta-large")
ALBERT = PaperModel("kavumba-albert", "albert-xxlarge-v1")
MODELS = {"BERT-large-FT": BERT, "RoBERTa-large-FT": ROBERTA, "ALBERT-xxlarge-v1-FT": ALBERT}
TRAINING_SETS = {"COPA": "copa", "B-COPA": "balanced_copa", "B-COPA 50%": "balanced_copa/2"}


def finetuned_rows(table: PrintedTable) -> Iterator[RetrainRow]:
    """Yield the rows of fine-tuned models in a table."""
    for i, row in enumerate(table.rows):
        if row["model"] in MODELS:
            model = MODELS[row["model"]]
            job = RetrainJob(TRAINING_SETS[row["training_data"]], model.recipe, model.checkpoint)
            yield RetrainRow(table.id, i, job, run_cells)


def run_cells(system: System, data: PaperData) -> dict[str, ComputedFigure]:
    """Compute overall, Easy and Hard scores of retrained runs."""
    score_cells = {
        c: _score_cell(system, mask) for c, mask in easy_hard_masks(system, data).items()
    }
    return {
        c: replace(figure, source="model", note=describe_runs(system))
        for c, figure in score_cells.items()
    }


def cues_by_word(data: PaperData) -> dict[str, dict[str, Cell]]:
    """Count the words in the choices of COPA's dev split, the highest coverage first."""
    return {str(row["cue"]): row for row in rank_cues(CUES_PROBE, data.benchmark("copa"))}


def rank_cues(probe: Cues, benchmark: Benchmark) -> list[dict[str, Cell]]:
    """List all cues that a probe counts, the highest coverage first."""
    columns = probe.all_rows(benchmark)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _cue_a_percent(column: str, baseline: float = 0.0) -> ComputeTextFigure:
    """Compute a statistic of the word *a*, in per cent above a baseline."""
    return lambda paper, data: data_figure(
        100 * float(cues_by_word(data)["a"][column] or 0) - baseline
    )


def _split_size(name: str, split: str) -> ComputeTextFigure:
    return lambda paper, data: data_figure(len(data.benchmark(name).splits[split]))


def _count_mirrored(paper: Paper, data: PaperData) -> ComputedFigure:
    items = data.benchmark("balanced_copa").splits["dev"]
    return data_figure(sum(bool(item.meta["mirrored"]) for item in items))


def _count_easy(is_easy: bool) -> ComputeTextFigure:
    def compute(paper: Paper, data: PaperData) -> ComputedFigure:
        easy_ids = data.easy_ids()
        items = data.benchmark("copa").splits["test"]
        return data_figure(sum((item.id in easy_ids) is is_easy for item in items))

    return compute


def mean_accuracy(model: str, column: str, data: PaperData) -> float:
    """Compute the accuracy of a model's released runs, in per cent."""
    system = data.copa_systems()[model]
    return float(100 * system.credits[:, easy_hard_masks(system, data)[column]].mean())


def accuracy_figure(model: str, column: str) -> ComputeTextFigure:
    """Compute the accuracy of a model's released runs as a text figure."""
    return lambda paper, data: predictions_figure(mean_accuracy(model, column, data))


def gain_over_sasaki(column: str, table_id: str) -> ComputeTextFigure:
    """Compute by how much BERT beats the older system in the same table."""

    def compute(paper: Paper, data: PaperData) -> ComputedFigure:
        printed = paper.tables[table_id]
        sasaki_score = printed.get_number(
            printed.find_row(model="Sasaki et al. 2017"), column, "mean"
        )
        return predictions_figure(mean_accuracy("BERT", column, data) - sasaki_score)

    return compute


# figures in the running text of both papers
TEXTS: dict[str, ComputeTextFigure] = {
    "easy-size": _count_easy(True),
    "hard-size": _count_easy(False),
    "b-copa-total": _split_size("balanced_copa", "dev"),
    "b-copa-mirrored": _count_mirrored,
    "cue-a-above-chance": _cue_a_percent("productivity", baseline=50),
    "cue-a-coverage": _cue_a_percent("coverage"),
    "cue-a-productivity": _cue_a_percent("productivity"),
    "test-size": _split_size("copa", "test"),
}
