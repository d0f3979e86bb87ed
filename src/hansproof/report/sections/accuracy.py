"""Accuracy: dots with intervals, best first, against the baselines.

Items that every run gets wrong belong to no single row, so they are listed below the tables.
"""

from __future__ import annotations

from ...types import Result
from ..charts.accuracy import accuracy_charts
from ..schema import ResultSchema, share, size, text
from . import CHANCE, INTERVAL, RUN_COUNT, SHARE_RIGHT, Section

SCHEMA = ResultSchema(
    {
        "systems": {
            "split": text, "system": text, "runs": size, "accuracy": share, "low": share,
            "high": share, "chance": share, "majority": share, "longest": share, "n": size,
            "q": share, "flag": text,
        }
    }
)  # fmt: skip

SYSTEMS = {
    "runs": RUN_COUNT,
    "accuracy": SHARE_RIGHT,
    "interval": INTERVAL,
    "bootstrap_low": "lower end of the interval when items are drawn anew",
    "bootstrap_high": "upper end of the interval when items are drawn anew",
    "chance": CHANCE,
    "majority": "accuracy of always giving the most frequent position",
    "longest": "accuracy of taking the longest choice",
    "n": "items",
    "tie_rate": "share of items in which several choices are ahead",
    "p": "how often chance alone would beat the best baseline by as much",
    "q": "p after Holm's correction for the number of systems",
    "flag": "systems that cannot be told from the best baseline",
}
RUNS = {
    "seed": "what the run started from",
    "accuracy": "share of items this run gets right",
    "view": "what the model saw of an item",
    "protocol": "how training and test items were kept apart",
    "trained_on": "what the model learnt from",
    "train_accuracy": "share of the training items it gets right",
    "tokenizer": "how the model cuts texts into pieces",
    "device": "what the run was computed on",
}


def section(result: Result) -> Section:
    return Section(
        charts=accuracy_charts(result.tables["systems"]),
        show_estimates=False,
        meanings={"systems": SYSTEMS, "runs": RUNS},
    )
