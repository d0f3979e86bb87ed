from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hansproof.attack.reading import Reading
from hansproof.credit import credit
from hansproof.probes.robustness import Robustness
from hansproof.stats import mean_interval
from hansproof.types import Benchmark, Items, Result

from ..attack import made
from ..edits.test_textfooler import MODEL, edit, vectors

ITEMS = made.some(80, choices=3)
BENCHMARK = Benchmark("made", {"test": ITEMS}, {"test": "test"})


def result(folder: Path, **flags: Any) -> Result:
    usual = {"encoder": "none", "sentence": 0, "tagger": "none", "journal": str(folder)}
    probe = Robustness(vectors=vectors(folder), **{**usual, **flags})
    return probe(BENCHMARK, trained=[MODEL])


def earned(items: Items) -> list[float]:
    rows = made.Weighing().score(items)
    return [credit(row, item.answer or 0) for row, item in zip(rows, items, strict=True)]


def row(found: Result) -> dict[str, Any]:
    table = found.tables["attacks"]
    return dict(zip(table.columns, table.rows[0], strict=True))


def test_accuracies_are_those_of_the_items_before_and_of_the_edit(tmp_path: Path) -> None:
    found = row(result(tmp_path))
    after = edit(tmp_path)(BENCHMARK, trained=[MODEL]).benchmark.splits["test"]
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
        reading = Reading.of(by_id[one["item"]])
        parts = {reading.part(at): text.text for at, text in enumerate(reading.texts)}
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
    for part in ("word_cosine: 0.5 (there: 0.9)", "sentence: 0 (there: 0.9)", "near.npz (there: ",
                 "parts of speech: not asked for"):  # fmt: skip
        assert part in note
    assert "window" not in note


def test_evidence_and_sentence_agree(tmp_path: Path) -> None:
    found = result(tmp_path)
    flipped = found.evidence["weighing: flipped"]
    assert len(flipped) == row(found)["flipped"]
    assert f"loses {len(flipped)} answers of the {row(found)['attacked']} it had right" in (
        found.sentence
    )
    assert found.verdict == "caution"


def test_nothing_to_swap_is_clear(tmp_path: Path) -> None:
    found = result(tmp_path, word_cosine=1.0)
    assert found.verdict == "clear"
    assert row(found)["flipped"] == 0
    assert row(found)["difference"] == 0
