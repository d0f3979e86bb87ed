"""Sensitivity: productivity against sensitivity of cues, and texts shaded by attribution."""

from __future__ import annotations

from ...types import Result
from ..charts.sensitivity import sensitivity_charts
from ..schema import ResultSchema, count, number, or_none, share, text
from . import INTERVAL, EvidenceLink, Section

SCHEMA = ResultSchema(
    {
        "cues": {
            "cue": text, "applicability": count, "productivity": share, "items": count,
            "sensitivity": or_none(number), "against": or_none(number),
            "difference": or_none(number), "difference_low": or_none(number),
            "difference_high": or_none(number),
        }
    }
)  # fmt: skip
WORDS_SCHEMA = ResultSchema({"words": {"item": text}})

CUES = {
    "cue": "the word or phrase",
    "applicability": "training items in which exactly one choice has the cue",
    "productivity": "of these, the share in which that choice is right",
    "items": "tested items that contain the cue",
    "sensitivity": "share of a score that depends on the cue, mean over the items that contain it",
    "against": "the same in the second group of models",
    "difference": "against − sensitivity; below 0, the second group looks less at the cue",
    "difference interval": "95% interval of the difference",
    "sensitivity_all": "as published: the sum of the shares over the number of all items, with the "
    "cue or without",
    "against_all": "the same in the second group of models",
    "difference_all": "against all − sensitivity all",
}
LINE = {
    "of": "the column of cues that the line is fitted to",
    "slope": "how much that changes from a productivity of 0 to one of 1, by least squares",
    "interval": f"of the slope: {INTERVAL}",
    "intercept": "value of the line at a productivity of 0",
    "r": "correlation with productivity, over cues",
    "cues": "number of cues",
    "seeds": "models, or pairs of models, each trained from its own seed",
    "slope_seeds_low": "lower end of the slope's interval over models, not over cues",
    "slope_seeds_high": "upper end of the slope's interval over models, not over cues",
}
RUNS = {
    "group": "trained: the first group of models; against: the second",
    "items": "items it answered",
    "skipped": "items without shares",
    "accuracy": "share of items it gets right",
    "mean_tokens": "tokens of an input, on average",
    "reads": "how it splits texts into tokens",
    "device": "the hardware that it ran on",
}
TEXTS = {
    "item": "the id; click it to read the item",
    "choice": "the choice that was scored, counted from 1",
    "text": "what the model read; the darker a word, the more of the score depends on it",
    "score": "what the model gave it",
}


def section(result: Result) -> Section:
    item_link = EvidenceLink("item", lambda row: "", lambda row: (row["item"],))
    return Section(
        charts=sensitivity_charts(result.tables["cues"]),
        links={"words": item_link} if WORDS_SCHEMA.matches(result) else {},
        meanings={"cues": CUES, "falls": CUES, "line": LINE, "runs": RUNS, "words": TEXTS},
    )
