"""Agreement: raters and their vote as dots, kappa and alpha as text.

Disputed items belong to a split, not to a rater, so they are listed below the tables.
"""

from __future__ import annotations

from typing import Any

from ..._infra.plural import plural
from ...types import Result
from ..charts.agreement import rater_charts
from ..html.tables import to_records
from ..schema import ResultSchema, count, number, or_none, share, size, text
from . import CHANCE, INTERVAL, Section

SCHEMA = ResultSchema(
    {
        "overall": {
            "split": text, "items": size, "raters": size, "kappa": or_none(number),
            "low": or_none(number), "high": or_none(number), "alpha": or_none(number),
            "vote_accuracy": share, "vote_low": share, "vote_high": share, "no_majority": count,
        },
        "raters": {
            "split": text, "rater": text, "accuracy": share, "low": share, "high": share,
            "chance": share, "n": size,
        },
    }
)  # fmt: skip

OVERALL = {
    "items": "items that were rated",
    "raters": "people who rated at least one of them",
    "ratings": "answers they gave",
    "kappa": "Fleiss' kappa: agreement beyond chance; 1 is full agreement, 0 what chance gives",
    "interval": "of kappa, with 95% confidence",
    "alpha": "Krippendorff's alpha: the same, also where some items have fewer ratings",
    "vote_accuracy": "share of items whose majority vote is the answer of the key",
    "vote_low": "lower end of its interval",
    "vote_high": "upper end of its interval",
    "chance": CHANCE,
    "no_majority": "items on which two choices have as many votes",
}
RATERS = {
    "accuracy": "share of the items they rated on which they give the answer of the key",
    "interval": INTERVAL,
    "chance": CHANCE,
    "n": "items they rated",
}


def section(result: Result) -> Section:
    overall = result.tables["overall"]
    return Section(
        charts=rater_charts(result.tables["raters"], overall),
        show_estimates=False,
        meanings={"overall": OVERALL, "raters": RATERS},
        notes=tuple(_describe_agreement(row) for row in to_records(overall)),
    )


def _describe_agreement(row: dict[str, Any]) -> str:
    people = "1 person" if row["raters"] == 1 else f"{row['raters']:,} people"
    subject = f"{row['split']}: {people} on {plural(row['items'], 'item')}"
    if row["kappa"] is None:
        return f"{subject}; kappa is undefined, since all ratings are the same choice."
    ends = f" ({row['low']:.2f} to {row['high']:.2f})" if row["high"] is not None else ""
    alpha = "undefined" if row["alpha"] is None else f"{row['alpha']:.2f}"
    return (
        f"{subject}; Fleiss' kappa {row['kappa']:.2f}{ends}, Krippendorff's alpha {alpha}, where "
        "1 is full agreement and 0 agreement by chance."
    )
