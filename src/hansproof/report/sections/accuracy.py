"""Accuracy: dots with intervals, best first, against the baselines.

Items that every run gets wrong belong to no single row, so they are listed below the tables.
"""

from __future__ import annotations

from ...probes.accuracy import NO_ANSWER
from ...types import Result
from ..charts.accuracy import accuracy_charts
from ..schema import ResultSchema, share, size, text
from . import CHANCE, INTERVAL, RUN_COUNT, SEED, SHARE_RIGHT, TIE_RATE, Section

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
    "chance": CHANCE,
    "majority": "accuracy of always giving the most frequent position",
    "longest": "accuracy of taking the longest choice",
    "n": "items",
    "tie_rate": TIE_RATE,
    "p": "how often chance alone would beat the best baseline by as much",
    "q": "p after Holm's correction for the number of systems",
    "flag": "systems that are not significantly better than the best baseline",
}
NO_ANSWER_MEANINGS = {
    "accuracy": "share of items it gets right; no answer counts as wrong",
    "by_guessing": "accuracy if the missing answers were guessed",
    "left_out": "accuracy of the answers it gave",
    "n": "items that it was asked",
    "unparsed": "answers that name no choice",
    "ambiguous": "answers that name several choices",
    "refused": "answers that the model or its provider refused to give",
    "error": "answers that an error prevented",
    "cut off": "answers that ended before they named a choice",
    "not asked": "items that it was not asked; they are left out",
}
RUNS = {
    "seed": SEED,
    "accuracy": "share of items this run gets right",
    "view": "the part of an item that the model was shown",
    "protocol": "how training and test items were kept apart",
    "trained_on": "what the model was trained on",
    "train_accuracy": "share of the training items it gets right",
    "tokenizer": "how the model splits texts",
    "device": "the hardware that it ran on",
}


def section(result: Result) -> Section:
    return Section(
        charts=accuracy_charts(result.tables["systems"]),
        show_estimates=False,
        meanings={
            "systems": SYSTEMS,
            "runs": RUNS,
            **({NO_ANSWER: NO_ANSWER_MEANINGS} if NO_ANSWER in result.tables else {}),
        },
    )
