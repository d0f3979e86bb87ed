"""Clean and dirty items, and what models earn on them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from hansproof.contamination.levels import LevelRules, classify_items
from hansproof.errors import BadInput
from hansproof.gates.limits import MEASURES
from hansproof.probes.contamination import Contamination
from hansproof.stats import grouped_randomisation_test
from hansproof.types import Benchmark, Item, Result

from ..support.contaminated_sample import BENCHMARK, DIRTY, SCANS
from ..support.probe_factories import records as rows
from ..support.probe_factories import run
from ..support.scan_factories import scan_of


def asked(**flags: Any) -> Result:
    given = {"predictions": flags.pop("predictions", ())}
    return Contamination(**flags)(BENCHMARK, SCANS, **given)


def test_levels_add_up_and_short_items_are_neither() -> None:
    result = asked()
    count = {row["level"]: row["items"] for row in rows(result, "levels")}
    assert count == {
        "match with answer": 0, "match": len(DIRTY), "unsearchable": 20,
        "clean": 180 - len(DIRTY),
    }  # fmt: skip
    (share,) = result.estimates
    assert share.value == len(DIRTY) / 180
    assert share.n == 180
    assert set(result.evidence["test: match"]) == {item.id for item in DIRTY}
    assert result.verdict == "caution"


def test_passages_mark_the_words_that_were_found() -> None:
    row = rows(asked(), "items")[0]
    start, end = map(int, row["passage_marks"].split("-"))
    item = next(item for item in DIRTY if item.id == row["item"])
    assert row["passage"][start:end] == item.fields["question"]
    assert (row["source"], row["parts"]) == ("made.jsonl", "question")
    assert row["document"] == DIRTY.index(item) + 1


def test_a_model_that_knows_dirty_items_is_found_out() -> None:
    every = BENCHMARK.splits["test"]
    known = {item.id for item in DIRTY}
    honest = run(every, "honest", knows=0.5, split="test")
    scores = {
        item.id: tuple(float(at == item.answer) for at in range(2))
        if item.id in known
        else honest.scores[item.id]
        for item in every
    }
    cheat = dataclasses.replace(honest, model="cheat", scores=scores)
    result = asked(predictions=(honest, cheat))
    fair, foul = rows(result, "scores")
    assert foul["dirty"] == 1.0
    assert (foul["n_clean"], foul["n_dirty"], foul["n_unsearchable"]) == (140, 40, 20)
    assert foul["clean"] == fair["clean"]
    assert foul["dirty_delta"] == pytest.approx(1 - foul["all"])
    assert foul["q"] < 0.01 < fair["q"]
    assert 0 < foul["low"] < foul["difference"] < foul["high"]
    found = classify_items(BENCHMARK, SCANS, (), LevelRules())["test"]
    kept = [one for one in found if one.level != "unsearchable"]
    marks = np.array([one.level == "match" for one in kept])
    earned = np.array([float(np.argmax(scores[one.item.id]) == one.item.answer) for one in kept])
    assert foul["p"] == grouped_randomisation_test(earned, marks, [None] * len(kept)).p
    assert "cheat scores" in result.summary


def test_benchmarks_are_held_against_each_other_with_one_n() -> None:
    shared = BENCHMARK.splits["test"][1]
    other = Benchmark("other", {"dev": (dataclasses.replace(shared, id="copy"),)})
    scan = scan_of(BENCHMARK, "nothing", also=(other,))
    (row,) = rows(Contamination()(BENCHMARK, [("f.json", scan)]), "shared")
    assert (row["one"], row["other"], row["example"]) == ("made", "other", f"{shared.id}, copy")
    assert row["common"] > 0


def test_a_gate_can_limit_it() -> None:
    (measured,) = MEASURES["contamination"].extract(asked())
    assert measured.excess.value == len(DIRTY) / 180
    assert measured.excess.high is None


def test_without_a_scan_it_says_so() -> None:
    with pytest.raises(BadInput, match="--scans"):
        Contamination()(BENCHMARK)


def test_where_nothing_stood_in_the_text_there_is_no_difference() -> None:
    every = BENCHMARK.splits["test"]
    scans = [("found.json", scan_of(BENCHMARK, "nothing to be seen here, and no more than that"))]
    result = Contamination()(BENCHMARK, scans, predictions=[run(every, "one", split="test")])
    assert [estimate.name for estimate in result.estimates] == ["test: contaminated"]
    (row,) = rows(result, "scores")
    assert (row["dirty"], row["difference"], row["n_dirty"]) == (None, None, 0)


def test_an_empty_text_shows_nothing() -> None:
    result = Contamination()(BENCHMARK, [("found.json", scan_of(BENCHMARK, ""))])
    assert result.verdict == "skipped"
    assert result.summary == "Skipped: the scanned text is empty."


def test_items_that_are_all_too_short_cannot_be_searched_for() -> None:
    items = tuple(Item(f"{i}", {"q": "why"}, ("a", "b"), 0) for i in range(5))
    short = Benchmark("made", {"test": items})
    scan = scan_of(short, "why a b, or any other text of more than a few words, as it comes")
    result = Contamination()(short, [("found.json", scan)])
    assert result.verdict == "skipped"
    assert result.summary == "Skipped: all items are too short to be searched for."
