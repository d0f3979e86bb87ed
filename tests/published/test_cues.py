"""What the papers say of cues beyond their tables, which `tests/papers` compares."""

from __future__ import annotations

from typing import Any

import pytest

from hansproof import load
from hansproof.probes.cues import Cues
from hansproof.types import Result

from ..support.markers import needs_data, needs_nltk

pytestmark = needs_data


def rows(result: Result, order: int) -> list[dict[str, Any]]:
    found = result.tables["cues"]
    every = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    return [row for row in every if row["order"] == order]


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
        probe.all_rows(benchmark) for benchmark in (whole, replace(whole, splits={part: items}))
    )
    assert set(balanced["productivity"]) == {0.5}
    assert len(set(unbalanced["productivity"])) > 1
    coverage = [dict(zip(c["cue"], c["coverage"], strict=True)) for c in (balanced, unbalanced)]
    assert coverage[0] == pytest.approx(coverage[1])


def test_csqa_has_eliminating_cues() -> None:
    result = Cues(split="pooled", ngram=1, randomisations=1)(load("csqa"))
    found = {row["cue"]: row for row in rows(result, 1) if row["flag"] == "eliminating"}
    assert (found["the"]["hits"], found["the"]["applicability"]) == (0, 292)
    assert (found["a"]["hits"], found["a"]["applicability"]) == (0, 276)


def test_no_single_cue_of_copa_survives_correction() -> None:
    result = Cues()(load("copa"))
    assert not [row for row in result.tables["cues"].rows if row[-1]]
    assert "No single word or phrase" in result.summary
    # all words together are beyond chance at .05, but not as one of two tests
    strength_p = min(float(row[-1] or 0) for row in result.tables["strength"].rows)
    assert strength_p <= 0.05 < (result.p or 0)
    assert "do not predict the answer significantly" in result.summary
