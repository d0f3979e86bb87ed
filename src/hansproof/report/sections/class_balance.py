"""Class balance: the frequency of each position beside an even distribution."""

from __future__ import annotations

from ...types import Result
from ..charts.class_balance import class_balance_charts
from ..schema import ResultSchema, count, number, share, size, text
from . import INTERVAL, Section

SCHEMA = ResultSchema(
    {
        "positions": {
            "split": text, "position": count, "count": count, "expected": number,
            "frequency": share, "low": share, "high": share, "n": size,
        }
    }
)  # fmt: skip


def section(result: Result) -> Section:
    return Section(
        charts=class_balance_charts(result.tables["positions"]),
        show_estimates=False,
        meanings={
            "positions": {
                "position": "the place of the right choice, counted from 1",
                "count": "items whose right choice is at this position",
                "expected": "items expected if right answers were spread evenly",
                "frequency": "share of items whose right choice is at this position",
                "interval": INTERVAL,
            },
            "tests": {
                "chi2": "χ² of the counts against an even spread",
                "df": "degrees of freedom",
                "p": "how often chance alone would be this uneven",
            },
        },
    )
