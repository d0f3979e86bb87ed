"""Cues: the cue map, and the items of each flagged cue with the cue marked."""

from __future__ import annotations

from typing import Any

from ...cues.significance import ELIMINATING, TELLING, evidence_key
from ...types import Item, Result
from ..charts.cues import cue_map
from ..html.evidence import Marker, TextSpans
from ..html.highlight import ngram_finder
from ..html.tables import to_records
from ..schema import ResultSchema, count, or_none, positive_share, share, size, text
from . import AT_FLOOR, INTERVAL, EvidenceLink, ExampleSource, Section, key_split

SCHEMA = ResultSchema(
    {
        "cues": {
            "split": text, "cue": text, "applicability": count, "hits": count,
            "productivity": share, "low": share, "high": share, "coverage": positive_share,
            "chance": positive_share, "p": share, "q": or_none(share), "flag": text,
        },
        "summary": {"split": text, "n": size},
    },
    {"tokenizer": text},
)  # fmt: skip

CAPTIONS = {
    TELLING: "Only one choice contains “{cue}”, and it is the right one.",
    ELIMINATING: "Only one choice contains “{cue}”, and it is wrong.",
}
ESTIMATES = {"interval": INTERVAL}
CUES = {
    "order": "number of words in the cue",
    "applicability": "items in which exactly one choice has the cue",
    "hits": "those of them in which that choice is right",
    "productivity": "hits / applicability: how often the choice with the cue is right",
    "interval": INTERVAL,
    "coverage": "applicability / items: the share of the split that the cue applies to",
    "chance": "productivity of a cue without any meaning",
    "p": "exact binomial test of productivity against chance, two-sided",
    "q": "p after Benjamini–Hochberg correction over the cues of all orders and all parts",
    "flag": "telling: points to the right choice; eliminating: points to a wrong one",
}
STRENGTH = {
    "order": "number of words in the cues",
    "strength": "sum over cues of applicability × (productivity − chance)² / chance / (1 − chance)",
    "null_mean": "strength expected by chance",
    "null_low": "lower end of the range that holds 95% of chance",
    "null_high": "upper end of that range",
    "ratio": "strength / null mean",
    "p": f"how often chance alone gives so much strength; {AT_FLOOR}",
}
SUMMARY = {
    "cues": "different words and phrases",
    "testable": "cues frequent enough to reach significance at all",
    "least_applicability": "the fewest items a testable cue applies to",
    "perfect_applicability": "the fewest items with which an always right cue is significant",
    "telling": "flagged cues that point to the right choice",
    "eliminating": "flagged cues that point to a wrong one",
    "ceiling_p": "how often chance alone would let rules over cues answer as many items; "
    f"{AT_FLOOR}",
}


def section(result: Result) -> Section:
    mark, notes = _cue_marker(result)
    return Section(
        charts=cue_map(result.tables["cues"], result.tables["summary"]),
        links={"cues": EvidenceLink("cue", _evidence_key)},
        meanings={"estimates": ESTIMATES, "cues": CUES, "strength": STRENGTH, "summary": SUMMARY},
        mark=mark,
        notes=notes,
        examples=_list_examples(result),
    )


def _list_examples(result: Result) -> tuple[ExampleSource, ...]:
    """List the items of the flagged cues, the surest first, in the split of the summary first."""
    flagged = [row for row in to_records(result.tables["cues"]) if row["flag"] in CAPTIONS]
    flagged.sort(key=lambda row: (row["split"] != key_split(result), row["p"]))
    return tuple(
        ExampleSource(key, result.evidence[key], CAPTIONS[row["flag"]].format(cue=row["cue"]))
        for row in flagged
        if (key := _evidence_key(row)) in result.evidence
    )


def _evidence_key(row: dict[str, Any]) -> str:
    return evidence_key(row["split"], row["cue"])


def _cue_marker(result: Result) -> tuple[Marker, tuple[str, ...]]:
    """Return a marker of the cue in an evidence key, found with the tokenizer of the probe."""
    find_ngrams, notes = ngram_finder(result, "Cues")
    cues = {_evidence_key(row): row["cue"] for row in to_records(result.tables["cues"])}

    def mark(key: str, item: Item, choice: int) -> TextSpans:
        return find_ngrams(item.choices[choice], cues[key]) if key in cues else []

    return mark, notes
