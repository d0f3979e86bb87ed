"""No reader searches, cuts or compares prose: another wording changes words, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from hansproof.gates.judge import judge_audit
from hansproof.gates.limits import MEASURES
from hansproof.gates.limits_file import Limit, Limits
from hansproof.report.card import render_card
from hansproof.report.format_numbers import format_estimate
from hansproof.report.headline import build_headline
from hansproof.report.html.evidence import EvidenceStore
from hansproof.report.html.panels import build_panels, page_data
from hansproof.results import key_estimate
from hansproof.types import Audit, Failure, Result

from ..support.full_audit import everything

LIMITS = Limits("test", (*(Limit(name, 0.05) for name in MEASURES), Limit("*/*", 0.05)))
FAILURE = Failure("transfer", "This probe needs at least one other benchmark.", "models")


def reword(text: str) -> str:
    """Replace every word, and every number."""
    return " ".join("Wort." if at % 5 == 4 else "wort" for at, _ in enumerate(text.split()))


def reword_result(number: int, result: Result) -> Result:
    headline = f"headline {number} wort" if result.headline else ""
    notes = tuple(map(reword, result.notes))
    return replace(result, summary=reword(result.summary), headline=headline, notes=notes)


@cache
def original() -> Audit:
    return replace(everything(), failures=(FAILURE,))


@cache
def reworded() -> Audit:
    results = tuple(reword_result(at, r) for at, r in enumerate(original().results))
    return replace(original(), results=results, failures=(replace(FAILURE, error="wort"),))


def drawn(audit: Audit) -> dict[str, Any]:
    """Charts, tables and evidence as the page embeds them."""
    store = EvidenceStore(audit.items)
    return page_data(build_panels(audit, {}, store), store)


def test_every_probe_is_there_and_every_sentence_is_another() -> None:
    assert len({result.probe for result in original().results}) >= 15
    for before, after in zip(original().results, reworded().results, strict=True):
        assert {*before.summary.split()}.isdisjoint(after.summary.split())


def test_the_key_number_stays() -> None:
    for before, after in zip(original().results, reworded().results, strict=True):
        key, again = key_estimate(before), key_estimate(after)
        assert key == again
        assert (key and format_estimate(key)) == (again and format_estimate(again))


def test_every_key_is_the_name_of_an_estimate() -> None:
    for result in original().results:
        assert result.key is None or result.key in {e.name for e in result.estimates}


def test_charts_tables_and_evidence_stay() -> None:
    assert drawn(reworded()) == drawn(original())


def test_what_a_gate_says_stays() -> None:
    before, after = (judge_audit(audit, LIMITS).outcomes for audit in (original(), reworded()))
    assert [outcome for outcome in before if outcome.measurement] == [
        outcome for outcome in after if outcome.measurement
    ]
    assert [outcome.status for outcome in before] == [outcome.status for outcome in after]


def test_the_card_has_the_same_numbers() -> None:
    before, after = (render_card(audit) for audit in (original(), reworded()))
    rows = [line for line in before.splitlines() if line.startswith("|")]
    assert len(rows) > 5
    assert rows == [line for line in after.splitlines() if line.startswith("|")]
    assert before.partition("```")[2] == after.partition("```")[2]


def test_the_headline_takes_the_sentence_of_the_same_probe() -> None:
    expected = build_headline(original())
    for before, after in zip(original().results, reworded().results, strict=True):
        if before.headline:
            sentence = before.headline.removesuffix(".")
            expected = expected.replace(sentence[:1].lower() + sentence[1:], after.headline)
    assert "headline" in expected
    assert build_headline(reworded()) == expected
