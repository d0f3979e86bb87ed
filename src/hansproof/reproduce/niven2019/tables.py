"""Accuracies over seeds, from the released runs, and what the word *not* tells."""

from __future__ import annotations

import numpy as np

from ...stats import Summary, summary
from ...text import tokenizer
from ..arct import items_of, word
from ..figures import Paper, Printed
from ..ours import Cells, Ours, Table, Text, counted, scored, told
from ..released import Released

MODELS = {"BERT-large": "bert_large", "BERT-base": "bert_base", "BoV": "bov", "BiLSTM": "bilstm"}
INPUTS = {"full": "", "W": "_w", "R,W": "_rw", "C,W": "_cw"}
DEGENERATE = 0.8  # training accuracy, below which a run is called so in the paper


def _spread(released: Released, experiment: str, *splits: str) -> Summary:
    """Over runs, of the mean accuracy on these splits."""
    runs = released.accuracies(experiment)
    return summary([float(np.mean([run.accuracy[split] for split in splits])) for run in runs])


def _cell(column: str, runs: Summary) -> Ours:
    note = f"{runs.n} runs"
    if column.endswith("_mean"):
        return scored(runs.mean, runs.sd_sample or 0.0, note)
    return told(runs.median if column.endswith("_median") else runs.max, note)


def _by_seed(table: Printed, released: Released) -> Cells:
    """Tables 1 and 3: every row of the authors' own models."""
    found: dict[tuple[int, str], Ours] = {}
    for at, row in enumerate(table.rows):
        if row["model"] in MODELS:
            experiment = MODELS[row["model"]] + INPUTS[row.get("input", "full")]
            for column in table.columns:
                split = column.partition("_")[0]
                found[at, column] = _cell(column, _spread(released, experiment, split))
    return found


def _table_4(table: Printed, released: Released) -> Cells:
    """The mean of what was recorded for the two halves."""
    found: dict[tuple[int, str], Ours] = {}
    for at, row in enumerate(table.rows):
        experiment = f"{MODELS[row['model']]}_adv{INPUTS[row['input']]}"
        runs = _spread(released, experiment, "test", "test_adv")
        found |= {(at, column): _cell(column, runs) for column in table.columns}
    return found


def _table_2(table: Printed, released: Released) -> Cells:
    found: dict[tuple[int, str], Ours] = {}
    for at, row in enumerate(table.rows):
        both = word(items_of(released, row["split"]), tokenizer("word"))
        found[at, "productivity"], found[at, "coverage"] = (
            counted(value, "tokenizer word") for value in both
        )
    return found


TABLES: dict[str, Table] = {
    "table-1": _by_seed,
    "table-2": _table_2,
    "table-3": _by_seed,
    "table-4": _table_4,
}


def _sound(released: Released) -> list[float]:
    """BERT-large without the runs that are called degenerate."""
    runs = released.accuracies("bert_large")
    return [run.accuracy["test"] for run in runs if (run.train or 0) >= DEGENERATE]


def _degenerate(paper: Paper, released: Released) -> Ours:
    runs = len(released.accuracies("bert_large"))
    return Ours({"degenerate": runs - len(_sound(released)), "runs": runs}, "predictions")


def _threshold(paper: Paper, released: Released) -> Ours:
    """The printed line, if it lies where as many runs as are said to have failed are below it."""
    line = float(paper.text("degenerate-threshold").parts["value"])
    failed = int(paper.text("degenerate-runs").parts["degenerate"])
    trained = sorted(100 * (run.train or 0) for run in released.accuracies("bert_large"))
    low, high = trained[failed - 1], trained[failed]
    note = f"any line between {low:.1f} and {high:.1f} parts off {failed} runs"
    return told(line if low < line <= high else (low + high) / 2, note)


def _without(paper: Paper, released: Released) -> Ours:
    runs = summary(_sound(released))
    return scored(runs.mean, runs.sd_sample, f"{runs.n} runs")


def _percent(experiment: str, what: str, *splits: str) -> Text:
    def found(paper: Paper, released: Released) -> Ours:
        runs = _spread(released, experiment, *splits)
        return told(100 * float(getattr(runs, what)))

    return found


TEXTS: dict[str, Text] = {
    "bert-peak": _percent("bert_large", "max", "test"),
    "bert-adversarial-peak": _percent("bert_large_adv", "max", "test", "test_adv"),
    "bert-adversarial-centre": _percent("bert_large_adv", "median", "test", "test_adv"),
    "warrant-only-peak": _percent("bert_large_w", "max", "test"),
    "degenerate-runs": _degenerate,
    "degenerate-threshold": _threshold,
    "bert-large-nondegenerate": _without,
    "bert-large-median-percent": _percent("bert_large", "median", "test"),
    "train-size": lambda paper, released: counted(len(items_of(released, "train"))),
}
