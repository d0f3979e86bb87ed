"""Cue tables of the papers, computed from the data and compared with what was printed."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

import pytest

from hansproof import load
from hansproof.probes.class_balance import ClassBalance
from hansproof.probes.cues import Cues
from hansproof.probes.integrity import Integrity
from hansproof.types import Result

from ..needs import needs_data, needs_nltk

pytestmark = needs_data

BENCHMARKS = {
    "ARCT": "arct_adversarial", "ARC": "arc_challenge", "PIQA": "piqa", "CSQA": "csqa",
}  # fmt: skip
TABLES = {"table-11": "ARCT", "table-12": "ARC", "table-13": "PIQA", "table-14": "CSQA"}


def table(paper: str, id: str) -> list[dict[str, Any]]:
    text = resources.files("hansproof").joinpath(f"papers/{paper}.json").read_text()
    (found,) = (t for t in json.loads(text)["tables"] if t["id"] == id)
    return list(found["rows"])


def rows(result: Result, order: int) -> list[dict[str, Any]]:
    found = result.tables["cues"]
    every = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    return [row for row in every if row["order"] == order]


@cache
def pooled(name: str) -> Result:
    return Cues(split="pooled", tokenizer="nltk", randomisations=1)(load(name))


def test_kavumba_2019_table_2() -> None:
    result = Cues(split="dev", ngram=1, tokenizer="word", randomisations=1)(load("copa"))
    printed = table("kavumba2019", "table-2")
    assert len(printed) == 5
    # the five of widest coverage, which the paper lists from narrow to wide
    for expected, row in zip(printed, reversed(rows(result, 1)[:5]), strict=True):
        assert row["cue"] == expected["cue"]
        assert row["applicability"] == expected["applicability"]
        assert round(100 * row["productivity"], 1) == expected["productivity"]
        assert round(100 * row["coverage"], 1) == expected["coverage"]


@needs_nltk
@pytest.mark.parametrize("id", TABLES)
def test_branco_2021_tables_11_to_14(id: str) -> None:
    result = pooled(BENCHMARKS[TABLES[id]])
    printed = table("branco2021", id)
    assert len(printed) == 11
    values = 0
    for order, kind in enumerate(("unigram", "bigram"), 1):
        top = rows(result, order)[:11]
        assert [row["cue"] for row in top] == [row[kind] for row in printed]
        for row, expected in zip(top, printed, strict=True):
            assert round(row["coverage"], 2) == expected[f"{kind}_coverage"]
            assert round(row["productivity"], 2) == expected[f"{kind}_productivity"]
            values += 2
    assert values == 44  # 176 in the four tables


def test_branco_2021_table_10() -> None:
    printed = table("branco2021", "table-10")
    assert len(printed) == 33
    found = {
        (task, *row[:2]): row
        for task, name in BENCHMARKS.items()
        for row in ClassBalance()(load(name)).tables["positions"].rows
    }
    for expected in printed:
        row = found[expected["task"], expected["split"], expected["choice"]]
        assert row[2] == expected["occurrences"]
        assert row[4] == pytest.approx(expected["relative_frequency"], abs=0.0005)


@pytest.mark.parametrize("tokens", ["word", pytest.param("nltk", marks=needs_nltk)])
@pytest.mark.parametrize(
    ("name", "part", "half"),
    [
        ("balanced_copa", "dev", "mirrored"),
        ("arct_adversarial", "train", "adversarial"),
        ("arct_adversarial", "dev", "adversarial"),
        ("arct_adversarial", "test", "adversarial"),
    ],
)
def test_balancing_makes_every_cue_right_half_of_the_time(
    name: str, part: str, half: str, tokens: str
) -> None:
    from dataclasses import replace

    whole = load(f"{name}:{part}")
    items = tuple(item for item in whole.splits[part] if not item.meta[half])
    probe = Cues(tokenizer=tokens, randomisations=1)
    balanced, unbalanced = (
        probe.every(benchmark) for benchmark in (whole, replace(whole, splits={part: items}))
    )
    assert set(balanced["productivity"]) == {0.5}
    assert len(set(unbalanced["productivity"])) > 1
    coverage = [dict(zip(c["cue"], c["coverage"], strict=True)) for c in (balanced, unbalanced)]
    assert coverage[0] == pytest.approx(coverage[1])


def test_contradictory_pairs_of_adversarial_arct() -> None:
    result = Integrity()(load("arct_adversarial"))
    found = {row[1]: row[2] for row in result.tables["findings"].rows if "different" in str(row[0])}
    assert found == {"train": 12, "test": 28}


def test_csqa_has_eliminating_cues() -> None:
    result = Cues(split="pooled", ngram=1, randomisations=1)(load("csqa"))
    found = {row["cue"]: row for row in rows(result, 1) if row["flag"] == "eliminating"}
    assert (found["the"]["hits"], found["the"]["applicability"]) == (0, 292)
    assert (found["a"]["hits"], found["a"]["applicability"]) == (0, 276)


def test_no_single_cue_of_copa_survives_correction() -> None:
    result = Cues()(load("copa"))
    assert not [row for row in result.tables["cues"].rows if row[-1]]
    assert "No single word or phrase" in result.sentence
    assert "together say more than chance" in result.sentence
