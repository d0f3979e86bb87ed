"""Priority: the curves, and the order of the items."""

from __future__ import annotations

from ...types import Result
from ..charts.priority import TARGET_WORDS, priority_charts
from ..schema import ResultSchema, count, number, or_none, share, size, text
from . import CHANCE, INTERVAL, EvidenceLink, Section

SCHEMA = ResultSchema(
    {
        "curve": {
            "order": size, "way": text, "mirrored": count, "mark": text, "ratio": number,
            "ratio_low": number, "ratio_high": number, "band_low": number, "band_high": number,
        },
        "left": {
            "way": text, "mirrored": count, "mark": text, "significant": number,
            "accuracy": share, "low": share, "high": share, "chance": share,
            "strongest": or_none(text),
        },
        "order": {"item": text},
    }
)  # fmt: skip

MARK = (
    "null: all strengths are within what chance gives; significant: no cue or rule is significant"
)
ORDER = {
    "rank": "the order in which to mirror; items of a group share a rank",
}
STRENGTHENED = {  # by target, the last column of the order
    "cues": {"words": "the cues by which the item adds most to the strength"},
    "rules": {"rules": "the rules by which the item adds most to the strength"},
}
CURVE = {
    "order": "number of words in the cues; of rules always 1",
    "way": "priority: in the order of the table; random: the mean over random orders",
    "mirrored": "items that are mirrored",
    "mark": MARK,
    "strength": "sum over cues of applicability × (productivity − chance)² / chance / (1 − chance)",
    "ratio": "strength / null mean",
    "ratio_low": "the lowest of the random orders",
    "ratio_high": "the highest of the random orders",
    "band_low": "lower end of the range that holds 95% of chance, as a multiple of its mean",
    "band_high": "upper end of that range",
}
LEFT = {
    "mark": MARK,
    "significant": "{cues} that are significant after correction; at random, the mean",
    "strongest": "the {cue} that is farthest from chance",
    "accuracy": "accuracy of {blind_model}, cross-validated",
    "interval": f"{INTERVAL}; at random, from the lowest order to the highest",
    "chance": CHANCE,
}
UNTIL = {
    "until": MARK,
    "items": "items that must be mirrored; at random, the median",
    "interval": "from the lowest random order to the highest",
    "orders": "number of orders",
}


def section(result: Result) -> Section:
    item_link = EvidenceLink("item", lambda row: "", lambda row: (str(row["item"]),))
    target = "rules" if result.params.get("target") == "rules" else "cues"
    words = TARGET_WORDS[target]
    remaining = {column: meaning.format(**words) for column, meaning in LEFT.items()}
    return Section(
        charts=priority_charts(result.tables["curve"], result.tables["left"], words),
        links={"order": item_link},
        meanings={
            "order": ORDER | STRENGTHENED[target],
            "curve": CURVE,
            "left": remaining,
            "until": UNTIL,
        },
    )
