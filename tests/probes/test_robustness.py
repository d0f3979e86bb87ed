from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hansproof.attack.item_words import ItemWords
from hansproof.errors import BadInput
from hansproof.probes.robustness import Robustness
from hansproof.scoring import expected_credit
from hansproof.stats import mean_interval
from hansproof.sweeps import TrainedModel
from hansproof.types import Benchmark, Items, Result

from ..support import attack_factories as made
from ..support.attack_factories import MODEL, make_textfooler, near_vectors

ITEMS = made.some(80, choices=3)
BENCHMARK = Benchmark("made", {"test": ITEMS}, {"test": "test"})


def result(folder: Path, **flags: Any) -> Result:
    usual = {"encoder": "none", "sentence": 0, "tagger": "none", "journal": str(folder)}
    probe = Robustness(vectors=near_vectors(folder), **{**usual, **flags})
    return probe(BENCHMARK, trained=[MODEL])


def earned(items: Items) -> list[float]:
    rows = made.Weighing().score(items)
    return [expected_credit(row, item.answer or 0) for row, item in zip(rows, items, strict=True)]


def row(found: Result) -> dict[str, Any]:
    table = found.tables["attacks"]
    return dict(zip(table.columns, table.rows[0], strict=True))


def test_accuracies_are_those_of_the_items_before_and_of_the_edit(tmp_path: Path) -> None:
    found = row(result(tmp_path))
    after = make_textfooler(tmp_path)(BENCHMARK, trained=[MODEL]).benchmark.splits["test"]
    assert found["before"] == pytest.approx(sum(earned(ITEMS)) / 80)
    assert found["after"] == pytest.approx(sum(earned(after)) / 80)
    assert found["difference"] == pytest.approx(found["after"] - found["before"])
    assert found["drop"] == pytest.approx(-found["difference"] / found["before"])
    lost = [a - b for a, b in zip(earned(ITEMS), earned(after), strict=True)]
    low, high = mean_interval(lost, [None] * 80)
    assert (found["difference_low"], found["difference_high"]) == pytest.approx((-high, -low))
    assert found["attacked"] == sum(one > 0 for one in earned(ITEMS))
    assert found["flipped"] == sum(one > 0 for one in lost)
    assert found["n"] == 80


def test_changes_show_both_texts_with_the_swapped_words(tmp_path: Path) -> None:
    found = result(tmp_path)
    table = found.tables["changes"]
    by_id = {item.id: item for item in ITEMS}
    assert len(table.rows) > 10
    for cells in table.rows:
        one = dict(zip(table.columns, map(str, cells), strict=True))
        reading = ItemWords.from_item(by_id[one["item"]])
        parts = {reading.part_name(at): text.text for at, text in enumerate(reading.texts)}
        assert one["before"] == parts[one["part"]]
        old = _marked(one["before"], one["before_marks"])
        new = _marked(one["after"], one["after_marks"])
        assert len(old) == len(new) > 0
        assert all(a != b for a, b in zip(old, new, strict=True))
        assert _without(one["before"], one["before_marks"]) == _without(
            one["after"], one["after_marks"]
        )
    swaps = found.tables["swaps"]
    times = sum(int(str(cells[3])) for cells in swaps.rows)
    assert times == pytest.approx(row(found)["words"] * row(found)["flipped"])


def _spans(marks: str) -> list[tuple[int, int]]:
    return [tuple(map(int, mark.split("-"))) for mark in marks.split()]  # type: ignore[misc]


def _marked(text: str, marks: str) -> list[str]:
    return [text[start:end] for start, end in _spans(marks)]


def _without(text: str, marks: str) -> str:
    for start, end in reversed(_spans(marks)):
        text = text[:start] + "_" + text[end:]
    return text


def test_the_result_names_what_is_not_as_in_the_paper(tmp_path: Path) -> None:
    (note, *_) = result(tmp_path, word_cosine=0.5).notes
    for part in ("word_cosine: 0.5 (paper: 0.9)", "sentence: 0 (paper: 0.9)", "near.npz (sha256 ",
                 "parts of speech: not checked"):  # fmt: skip
        assert part in note
    assert "window" not in note


def test_evidence_and_sentence_agree(tmp_path: Path) -> None:
    found = result(tmp_path)
    flipped = found.evidence["test, weighing"]
    assert len(flipped) == row(found)["flipped"]
    assert f"loses {len(flipped)} of {row(found)['attacked']} right answers attacked on test" in (
        found.summary
    )
    assert found.verdict == "caution"


def test_where_nothing_can_be_swapped_nothing_was_tested(tmp_path: Path) -> None:
    found = result(tmp_path, word_cosine=1.0)
    assert found.verdict == "skipped"
    assert found.summary == (
        "Skipped: nothing could be attacked. No word has a close enough synonym in the items of "
        "test that weighing answers correctly."
    )
    assert row(found)["flipped"] == 0
    assert row(found)["difference"] == 0


def test_scores_that_are_no_numbers_earn_nothing(tmp_path: Path) -> None:
    class Half(made.Weighing):
        def score(self, items: Items) -> list[tuple[float, ...]]:
            return [(1.0, float("nan"), 0.0) for _ in items]

    probe = Robustness(vectors=near_vectors(tmp_path), encoder="none", sentence=0, tagger="none",
                       journal=str(tmp_path))  # fmt: skip
    found = probe(BENCHMARK, trained=[TrainedModel("half", Half(), "half")])
    assert row(found)["before"] == row(found)["after"] == 0
    assert found.verdict == "skipped"
    assert found.tables["skipped"].rows == (("half", "the model returned no finite score", 80),)


def test_what_was_trained_on_the_items_is_said(tmp_path: Path) -> None:
    learnt = frozenset(item.id for item in ITEMS[:7])
    probe = Robustness(vectors=near_vectors(tmp_path), encoder="none", sentence=0, tagger="none",
                       journal=str(tmp_path))  # fmt: skip
    found = probe(BENCHMARK, trained=[TrainedModel("w", made.Weighing(), "0", learnt)])
    assert "w was trained on 7 of the attacked items." in found.notes


def test_parts_that_some_items_have_can_be_named(tmp_path: Path) -> None:
    other = replace(ITEMS[0], id="x", fields={"z": "red1 dog1"})
    both = Benchmark("made", {"test": (*ITEMS, other)}, {"test": "test"})
    probe = Robustness(vectors=near_vectors(tmp_path), encoder="none", sentence=0, tagger="none",
                       journal=str(tmp_path), where="z")  # fmt: skip
    found = probe(both, trained=[MODEL])
    assert {cells[2] for cells in found.tables["changes"].rows} <= {"z"}
    with pytest.raises(BadInput, match="--where: must name what may be changed"):
        replace(probe, where=" , ")(both, trained=[MODEL])
