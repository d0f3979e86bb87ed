"""Worksheets to rewrite choices: what they ask for, and what comes of it when people do it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hansproof.edits.rewrite import Rewrite
from hansproof.edits.rewrite.sheet import EVEN_OUT
from hansproof.errors import BadInput
from hansproof.probes.shortcuts import Shortcuts
from hansproof.records.spreadsheet import write_sheet
from hansproof.types import Benchmark, Cell, EditResult, Items

from ...support.quiz_factories import fill_lengths, uneven_quiz

QUIZ = Benchmark("quiz", {"all": uneven_quiz(1, 240)})
Rows = list[dict[str, str]]


def saved(rows: Rows, folder: Path, name: str = "sheet.csv") -> str:
    path = str(folder / name)
    write_sheet(path, rows)
    return path


def edited(rows: Rows, folder: Path) -> EditResult:
    return Rewrite(saved(rows, folder))(QUIZ)


@pytest.fixture(scope="module")
def rows() -> Rows:
    return Rewrite().worksheet(QUIZ)


@pytest.fixture(scope="module")
def done(rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> EditResult:
    return edited(fill_lengths(rows), tmp_path_factory.mktemp("done"))


def problems(result: EditResult) -> list[tuple[Cell, ...]]:
    table = result.report.tables.get("rows")
    return [(row[0], row[1], row[2], row[-1]) for row in table.rows] if table else []


def rules_of(items: Items) -> list[str]:
    result = Shortcuts()(Benchmark("b", {"all": items}))
    return [str(row[1]) for row in result.tables["rules"].rows]


def test_a_row_says_which_choice_to_change_and_to_what(rows: Rows) -> None:
    row = next(row for row in rows if row["rule"] != EVEN_OUT)
    item = next(item for item in QUIZ.splits["all"] if item.id == row["id"])
    number, _, text = row["choice_to_change"].removeprefix("choice ").partition(": ")
    assert text == item.choices[int(number) - 1]
    assert row["right_now"] == f"choice {item.answer + 1}: {item.choices[item.answer]}"  # type: ignore[operator, index]
    assert f"about {row['target_characters']} characters" in row["advice"]
    assert f"from {len(text)} to" in row["advice"]
    assert row["rule"].startswith("the longest choice (right in ")
    assert row["new_choice"] == ""
    assert [row[f"choice_{k}"] for k in (1, 2, 3, 4)] == [*item.choices]


@pytest.mark.parametrize("text", ["\u200b", "\u00ad \u2060"])
def test_a_text_that_nobody_can_see_is_not_written(text: str, rows: Rows, tmp_path: Path) -> None:
    filled = [{**rows[0], "new_choice": text}, {**rows[1], "new_choice": "A new choice."}]
    result = edited([*filled, *rows[2:]], tmp_path)
    assert result.report.summary.startswith("Rewrote 1 choice of 1 item ")


def test_rows_of_an_item_are_next_to_each_other(rows: Rows) -> None:
    ids = [row["id"] for row in rows]
    changes = sum(first != second for first, second in pairwise(ids))
    assert changes == len(set(ids)) - 1


def test_when_all_is_written_the_rules_about_length_are_gone(done: EditResult) -> None:
    assert any("longest" in rule for rule in rules_of(QUIZ.splits["all"]))
    after = rules_of(done.benchmark.splits["all"])
    assert not [rule for rule in after if "long" in rule or "short" in rule]
    table = done.report.tables["rules"]
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["rule"] == "the longest choice"
    assert float(str(row["right_before"])) > 0.85 * float(str(row["n_before"]))
    assert float(str(row["right_after"])) < 0.36 * float(str(row["n_after"]))
    before, later = done.report.estimates
    assert before.value > 0.8
    assert later.value < before.value - 0.2


def test_questions_answers_and_order_stay(done: EditResult, rows: Rows) -> None:
    old, new = QUIZ.splits["all"], done.benchmark.splits["all"]
    assert [replace(item, choices=(), meta={}) for item in new] == [
        replace(item, choices=()) for item in old
    ]
    changed = {item.id: item for item in new if item.meta}
    assert set(changed) <= {row["id"] for row in rows}
    for before, item in zip(old, new, strict=True):
        differing = [k for k in range(4) if before.choices[k] != item.choices[k]]
        numbers = ",".join(str(k + 1) for k in differing)
        assert item.meta == ({"edit": "rewrite", "rewritten_choices": numbers} if numbers else {})


def test_the_report_says_how_much_is_open(rows: Rows, tmp_path: Path) -> None:
    half = len(rows) // 2
    filled = fill_lengths(rows)[:half] + rows[half:]
    result = edited(filled, tmp_path)
    found = {name: int(text) for name, text in _numbers(result.report.summary).items()}
    assert found["rewrote"] == half
    open_rows = Rewrite(str(tmp_path / "sheet.csv")).worksheet(QUIZ)
    to_write = [row for row in open_rows if not row["new_choice"]]
    assert found["open"] == len(to_write) > 0
    assert set(result.report.evidence["to do"]) == {row["id"] for row in to_write}


def _numbers(summary: str) -> dict[str, str]:
    words = summary.replace(",", "").replace(".", "").replace(";", "").split()
    return {"rewrote": words[1], "open": words[words.index("write:") + 1]}


def test_texts_that_change_nothing_or_repeat_a_choice_are_refused(
    rows: Rows, tmp_path: Path
) -> None:
    first, second, third = ({**row} for row in _one_row_per_item(rows)[:3])
    first["new_choice"] = first["choice_to_change"].split(": ", 1)[1]
    other = 1 if second["choice_to_change"].startswith("choice 1:") else 0
    second["new_choice"] = second[f"choice_{1 if other == 0 else 2}"].upper()
    third["new_choice"] = "A text of its own"
    result = edited([first, second, third], tmp_path)
    refused = [problem for problem in problems(result) if problem[2] == "refused"]
    assert [problem[-1] for problem in refused] == [
        "the new text is the old one",
        f"the new text is the same as choice {1 if other == 0 else 2}",
    ]
    assert result.report.evidence["refused"] == (first["id"], second["id"])
    rest = Rewrite(str(tmp_path / "sheet.csv")).worksheet(QUIZ)
    remarks = {row["id"]: row["problem"] for row in rest if row["problem"]}
    assert remarks[first["id"]] == "the new text is the old one"


def _one_row_per_item(rows: Rows) -> Rows:
    ids = [row["id"] for row in rows]
    return [row for row in rows if ids.count(row["id"]) == 1]


def test_a_text_that_leaves_the_rule_fitting_is_named(rows: Rows, tmp_path: Path) -> None:
    shortened = next(
        row for row in _one_row_per_item(rows)
        if row["choice_to_change"] == row["right_now"] and "stays" not in row["advice"]
    )  # fmt: skip
    long = {**shortened, "new_choice": "It is still the longest of all " * 5}
    result = edited([long], tmp_path)
    assert "still fits the rule: the longest choice" in [row[-1] for row in problems(result)]
    assert result.report.evidence["still fits a rule"] == (shortened["id"],)


def test_another_choice_may_be_rewritten_instead(rows: Rows, tmp_path: Path) -> None:
    row = next(
        row for row in _one_row_per_item(rows) if row["choice_to_change"] == row["right_now"]
    )
    number = 1 if not row["right_now"].startswith("choice 1:") else 2
    instead = {**row, "choice_to_change": f"choice {number}", "new_choice": "Longer " * 30}
    result = edited([instead], tmp_path)
    item = next(item for item in result.benchmark.splits["all"] if item.id == row["id"])
    assert item.choices[number - 1] == ("Longer " * 30).strip()
    assert row["id"] not in result.report.evidence["to do"]


def test_ids_and_choices_are_checked(rows: Rows, tmp_path: Path) -> None:
    unknown = {**rows[0], "id": "nobody", "choice_1": "?", "new_choice": "A"}
    changed = {**rows[1], "choice_1": "changed in place", "new_choice": "B"}
    which = {**rows[2], "choice_to_change": "the best one", "new_choice": "C"}
    messages = [
        str(problem[-1]) for problem in problems(edited([unknown, changed, which], tmp_path))
    ]
    assert messages[0] == "no labelled item has the id nobody"
    assert messages[1].startswith('choice 1 was edited: "changed in place" is "')
    assert messages[2].startswith('choice_to_change was edited: "the best one" should be "')


def test_a_sheet_is_needed_and_has_to_be_filled_in(rows: Rows, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"--sheet: this edit needs a filled worksheet: make one"):
        Rewrite()(QUIZ)
    with pytest.raises(BadInput, match="no row has a new_choice yet"):
        edited(rows, tmp_path)


def test_without_rules_there_is_nothing_to_write() -> None:
    even = Benchmark("b", {"all": uneven_quiz(9, 80, share=0.0)})
    with pytest.warns(UserWarning, match="no rule was found, so no choice has to be rewritten"):
        assert Rewrite().worksheet(even) == []


def test_what_was_rewritten_earlier_stays_known(rows: Rows, tmp_path: Path) -> None:
    first = _one_row_per_item(rows)[0]
    once = edited([{**first, "new_choice": "A text of its own"}], tmp_path).benchmark
    number = int(first["choice_to_change"].removeprefix("choice ")[0])
    other = number % 4 + 1
    item = next(item for item in once.splits["all"] if item.id == first["id"])
    again = {
        **first,
        **{f"choice_{k}": text for k, text in enumerate(item.choices, 1)},
        "choice_to_change": f"choice {other}",
        "new_choice": "And another one",
    }
    twice = Rewrite(saved([again], tmp_path))(once).benchmark
    item = next(item for item in twice.splits["all"] if item.id == first["id"])
    assert item.meta["rewritten_choices"] == ",".join(map(str, sorted((number, other))))


def test_a_later_sheet_corrects_an_earlier_one(rows: Rows, tmp_path: Path) -> None:
    first = saved([{**rows[0], "new_choice": "First text"}], tmp_path, "a.csv")
    second = saved([{**rows[0], "new_choice": "Second text"}], tmp_path, "b.jsonl")
    result = Rewrite(f"{first},{second}")(QUIZ)
    item = next(item for item in result.benchmark.splits["all"] if item.id == rows[0]["id"])
    assert "Second text" in item.choices
    assert "rows replaced by a later sheet: 1" in result.report.notes


def test_a_bad_row_does_not_replace_a_good_one_of_an_earlier_sheet(
    rows: Rows, tmp_path: Path
) -> None:
    row = _one_row_per_item(rows)[0]
    bad_text = row["choice_to_change"].split(": ", 1)[1]
    first = saved([{**row, "new_choice": "First text"}], tmp_path, "a.csv")
    second = saved([{**row, "new_choice": bad_text}], tmp_path, "b.csv")
    result = Rewrite(f"{first},{second}")(QUIZ)
    item = next(item for item in result.benchmark.splits["all"] if item.id == row["id"])
    assert "First text" in item.choices
    refused = [problem for problem in problems(result) if problem[2] == "refused"]
    assert refused == [("b.csv 2", row["id"], "refused", "the new text is the old one")]
    assert not any("replaced" in note for note in result.report.notes)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
WRITTEN = st.builds("{}{}".format, st.sampled_from(["=", "'", '"', "\n", "-", "x", "+", "@"]), TEXT)


@settings(max_examples=20, deadline=None)
@given(texts=st.lists(WRITTEN, min_size=1, max_size=3))
def test_any_texts_go_out_and_come_back(
    rows: Rows, tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    """Also those that a spreadsheet would take for a formula."""
    assume(any(text.strip() for text in texts))
    singles = _one_row_per_item(rows)[: len(texts)]
    filled = [{**row, "new_choice": t} for row, t in zip(singles, texts, strict=True)]
    choices = list_texts(tmp_path_factory.getbasetemp(), filled)
    for row, text in zip(singles, texts, strict=True):
        if text.strip():
            assert text.strip() in choices[row["id"]]


def list_texts(folder: Path, rows: Rows) -> dict[str, tuple[str, ...]]:
    edit = Rewrite(saved(rows, folder, "any.csv"))
    items = {item.id: item for item in QUIZ.splits["all"]}
    written = edit._read_sheets(items).written
    return {key[0]: (text.text,) for key, text in written.items()}
