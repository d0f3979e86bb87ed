"""Seeds: each run as a dot, which shows what mean and deviation hide."""

from __future__ import annotations

from ...types import Result
from ..charts.seeds import seed_charts
from ..schema import ResultSchema, count, or_none, share, text
from . import CHANCE, RUN_COUNT, SEED, Section

SCHEMA = ResultSchema(
    {
        "runs": {
            "split": text, "system": text, "run": count, "accuracy": share,
            "train_accuracy": or_none(share), "chance": or_none(share), "flag": text,
        }
    }
)  # fmt: skip

SYSTEMS = {
    "runs": RUN_COUNT,
    "mean": "mean accuracy over runs",
    "sd_population": "standard deviation of these runs (divided by their number)",
    "sd_sample": "standard deviation expected over more runs (divided by their number minus one)",
    "median": "half of the runs are better",
    "min": "the worst run",
    "max": "the best run",
    "degenerate": "runs that learnt nothing",
    "mean_without": "mean accuracy of the other runs",
    "sd_without": "standard deviation of the other runs",
    "sampling_sd": "standard deviation that the number of items alone would cause",
    "chance": CHANCE,
}
RUNS = {
    "run": "counted from 1 in each system",
    "seed": SEED,
    "accuracy": "share of items this run gets right",
    "train_accuracy": "share of the training items it gets right",
    "chance": CHANCE,
    "flag": "degenerate: the run learnt nothing, as its training accuracy shows",
}


def section(result: Result) -> Section:
    return Section(
        charts=seed_charts(result.tables["runs"]),
        show_estimates=False,
        meanings={"systems": SYSTEMS, "runs": RUNS},
    )
