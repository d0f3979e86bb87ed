"""Transfer: the matrix as a chart, and the tested items that are also in training splits."""

from __future__ import annotations

from typing import Any

from ...probes.transfer.matrix import evidence_key
from ...types import Result
from ..charts.transfer import transfer_charts
from ..schema import ResultSchema, count, number, or_none, share, size, text
from . import CHANCE, INTERVAL, SEED, SHARE_RIGHT, EvidenceLink, Section

SCHEMA = ResultSchema(
    {
        "matrix": {
            "trained_on": text, "tested_on": text, "seeds": size, "accuracy": share, "low": share,
            "high": share, "sd": or_none(number), "chance": share, "n": size, "q": or_none(share),
            "shared": count, "flag": text,
        }
    }
)  # fmt: skip

ACCURACY = {
    "trained on": "the benchmark that models were trained on; the columns are those tested on"
}
MATRIX = {
    "trained_on": "the benchmark whose training split was used; click it, where it is a "
    "link, to read the tested items that are also in that split",
    "trained_split": "the split that models were trained on",
    "tested_on": "the benchmark that was answered, in its own format",
    "split": "the split that was answered",
    "model": "what was trained",
    "seeds": "how many times it was trained, each with its own seed",
    "over": "mean: of all runs on each item; best: the run that is best on its own benchmark",
    "accuracy": f"{SHARE_RIGHT}, or of the best run",
    "interval": INTERVAL,
    "sd": "standard deviation of the runs' accuracies",
    "chance": f"{CHANCE} among the choices that each item has",
    "n": "items",
    "p": "how often guessing alone would do as well",
    "q": "p after Holm's correction for all pairs of two benchmarks",
    "shared": "tested items whose texts and choices are also in the training split",
    "flag": "carries over: significantly above chance on a benchmark not trained on",
}
RUNS = {
    "trained_on": "the benchmark that models were trained on",
    "tested_on": "the benchmark that was answered",
    "seed": SEED,
    "accuracy": "share of items this run gets right",
    "train_accuracy": "share of the training items it gets right",
}


def section(result: Result) -> Section:
    return Section(
        charts=transfer_charts(result.tables["matrix"]),
        links={"matrix": EvidenceLink("trained_on", _evidence_key)},
        show_estimates=False,
        meanings={"accuracy": ACCURACY, "matrix": MATRIX, "runs": RUNS},
    )


def _evidence_key(row: dict[str, Any]) -> str:
    return evidence_key(row["trained_on"], row["tested_on"])
