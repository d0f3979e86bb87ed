"""Parts: a table of the parts, the worst first, and one picture per probe."""

from __future__ import annotations

from ...types import Result
from ..charts.parts import part_charts
from ..schema import ResultSchema, number, or_none, share, size, text
from . import CHANCE, INTERVAL, Section

SCHEMA = ResultSchema(
    {
        "parts": {
            "part": text, "n": size, "verdict": text, "probe": text,
            "value": or_none(number), "chance": or_none(share), "gain": or_none(number),
            "q": or_none(share), "finding": text,
        },
        "tests": {
            "part": text, "probe": text, "verdict": text, "measure": text, "value": or_none(number),
            "low": or_none(number), "high": or_none(number), "chance": or_none(share), "n": size,
            "p": or_none(share), "q": or_none(share), "flag": text,
        },
    }
)  # fmt: skip

NUMBERS = {
    "value": "the number that the finding is about, mostly an accuracy without the question",
    "chance": CHANCE,
    "q": "p after correction for the number of parts, for this probe",
}


def section(result: Result) -> Section:
    return Section(
        charts=part_charts(result.tables["parts"], result.tables["tests"]),
        show_estimates=False,
        meanings={
            "parts": {
                "part": "the items that share a value",
                "n": "items of the part",
                "verdict": "the worst verdict of any probe on this part",
                "probe": "the probe that has this verdict",
                "gain": "accuracy over chance that the shortcut is worth",
                **NUMBERS,
            },
            "tests": {
                "measure": "what the value measures",
                "n": "items of the part",
                "flag": "the verdict, if the probe found something",
                "interval": INTERVAL,
                "p": "how often chance alone would do as much",
                **NUMBERS,
            },
        },
    )
