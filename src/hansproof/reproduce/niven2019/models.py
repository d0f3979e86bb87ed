"""Rows of Niven and Kao 2019 that take a pretrained model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...probes._systems import System
from ...stats import summary
from ..figures import Paper
from ..ours import Ours
from ..released import Released
from ..rerun import Job, More, Row, about
from .tables import MODELS

MORE: dict[str, More] = {}
RECIPE = "niven-bert"
CHECKPOINTS = {"BERT-large": "bert-large-uncased", "BERT-base": "bert-base-uncased"}
VIEWS = {
    "full": "full", "W": "choices", "R,W": "reason+choices", "C,W": "claim+choices",
}  # fmt: skip
BENCHMARKS = {"table-1": "arct", "table-3": "arct", "table-4": "arct_adversarial"}


def rows(paper: Paper) -> Iterator[Row]:
    """BERT in tables 1 and 3; in table 4 trained on the adversarial set, as it is described."""
    for id, benchmark in BENCHMARKS.items():
        for at, row in enumerate(paper.tables[id].rows):
            if row["model"] in MODELS and row["model"] in CHECKPOINTS:
                view = VIEWS[row.get("input", "full")]
                job = Job(benchmark, RECIPE, CHECKPOINTS[row["model"]], view)
                yield Row(id, at, job, _cells)


def _cells(system: System, released: Released) -> Mapping[str, Ours]:
    runs, note = summary(system.credits.mean(axis=1).tolist()), about(system)
    return {
        "test_mean": Ours({"mean": runs.mean, "spread": runs.sd_sample or 0.0}, "model", note),
        "test_median": Ours({"value": runs.median}, "model", note),
        "test_max": Ours({"value": runs.max}, "model", note),
    }
