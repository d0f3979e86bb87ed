"""Surface tells: accuracy of each rule against chance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...errors import HansproofError
from ...probes.surface import evidence_key
from ...probes.surface.tells import (
    NEGATION,
    PICKED_CHOICES,
    build_tells,
    describe_likelihood_tell,
    list_models,
)
from ...text.tokenizers import get_tokenizer
from ...types import Item, Result, Table
from ..charts.surface import surface_charts
from ..html.evidence import Marker, TextSpans
from ..html.tables import to_records
from ..schema import ResultSchema, number, share, size, text
from . import INTERVAL, EvidenceLink, ExampleSource, Section, no_marks

SCHEMA = ResultSchema(
    {
        "tells": {
            "split": text, "slice": text, "tell": text, "accuracy": share, "low": number,
            "high": number, "chance": share, "n": size, "p": share, "q": share, "flag": text,
        }
    }
)  # fmt: skip

DIGITS = re.compile(r"\d+")
MEANINGS = {
    "slice": "the part of the split that was tested; empty for all of it",
    "tell": "the rule that picks a choice",
    "accuracy": "share of items it gets right; a tie between t choices counts 1/t",
    "interval": INTERVAL,
    "chance": "accuracy of guessing on the same items",
    "applies": "share of items in which the rule does not pick all choices",
    "tie_rate": "share of items in which several choices tie",
    "p": "how often chance alone would do as much",
    "q": "p after correction for the number of rules tested",
}


def section(result: Result) -> Section:
    tells, omitted = _split_off_idle(result.tables["tells"])
    return Section(
        charts=surface_charts(tells),
        links={"tells": EvidenceLink("tell", _evidence_key)},
        show_estimates=False,
        meanings={"tells": MEANINGS},
        mark=_tell_marker(result),
        notes=(f"Left out, since they apply to no item: {', '.join(omitted)}.",) if omitted else (),
        tables={"tells": tells},
        examples=_list_examples(result, tells),
    )


def _split_off_idle(table: Table) -> tuple[Table, list[str]]:
    """Return the rows of rules that apply to some item, and the names of the other rules."""
    if "applies" not in table.columns:
        return table, []
    applies, tell = table.columns.index("applies"), table.columns.index("tell")
    rows = tuple(row for row in table.rows if row[applies] != 0)
    active = {row[tell] for row in rows}
    return Table(table.columns, rows), [
        *dict.fromkeys(str(row[tell]) for row in table.rows if row[tell] not in active)
    ]


def _evidence_key(row: dict[str, Any]) -> str:
    """Return the evidence key of a row; a slice of a split has no evidence."""
    return "" if row["slice"] else evidence_key(row["split"], row["tell"])


def _list_examples(result: Result, tells: Table) -> tuple[ExampleSource, ...]:
    """List the items that rules answer, those of the rule of the summary first.

    A rule below chance is left out: the items it gets right are no example of it.
    """
    rows = [row for row in to_records(tells) if row["accuracy"] > row["chance"]]
    rows.sort(key=lambda row: (_evidence_key(row) != result.key, row["chance"] - row["accuracy"]))
    models = list_models(result)
    return tuple(
        ExampleSource(
            key, result.evidence[key], f"{_picked_choice(row['tell'], models)} is the right one."
        )
        for row in rows
        if (key := _evidence_key(row)) in result.evidence
    )


def _picked_choice(tell: str, models: Sequence[object]) -> str:
    picked = PICKED_CHOICES.get(tell) or describe_likelihood_tell(tell, models)
    picked = picked or f"the choice with the {tell}"
    return picked[:1].upper() + picked[1:]


def _tell_marker(result: Result) -> Marker:
    """Return a marker of what a rule goes by: negations, digits, or all of the choice it picks."""
    try:
        tokenizer = get_tokenizer(str(result.params.get("tokenizer", "word")))
    except HansproofError:
        return no_marks
    tells = {_evidence_key(row): row["tell"] for row in to_records(result.tables["tells"])}

    def mark(key: str, item: Item, choice: int) -> TextSpans:
        tell, text = tells.get(key, ""), item.choices[choice]
        pick = build_tells((item,), tokenizer).get(tell)
        if pick is None or choice not in (picks := pick(item)) or len(picks) == len(item.choices):
            return []
        if tell == "negation":
            return [match.span() for match in NEGATION.finditer(text)]
        if tell == "digit":
            return [match.span() for match in DIGITS.finditer(text)]
        return [(0, len(text))]

    return mark
