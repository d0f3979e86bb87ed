"""New texts that cannot replace their choices, in one worksheet or after earlier ones."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.edits._filled_sheets import SheetResult, WrittenText
from hansproof.edits._worksheets import ChoiceTask
from hansproof.edits.rewrite.rewriting import Written, refuse_bad_texts, rewrite_items
from hansproof.types import Item

ITEM = Item("1", {"q": "Which?"}, ("alpha", "beta", "gamma"), 0)


def write(texts: dict[int, str], item: Item = ITEM) -> Written:
    tasks = {choice: ChoiceTask(item, choice) for choice in texts}
    return {
        task.key: WrittenText(task, choice + 2, texts[choice]) for choice, task in tasks.items()
    }


def check(texts: dict[int, str], earlier: dict[int, str] | None = None) -> SheetResult[ChoiceTask]:
    return refuse_bad_texts(SheetResult({**write(texts)}), write(earlier or {}))


def reasons(result: SheetResult[ChoiceTask]) -> dict[int, str]:
    return {problem.key[1]: problem.message for problem in result.problems if problem.key}


def test_a_text_may_repeat_the_old_text_of_a_choice_that_is_rewritten() -> None:
    result = check({0: "beta", 1: "delta"})
    assert reasons(result) == {}
    (item,) = rewrite_items([ITEM], result.written).values()
    assert item.choices == ("beta", "delta", "gamma")


def test_a_text_must_not_repeat_the_old_text_of_a_choice_whose_row_is_refused() -> None:
    result = check({0: "beta", 1: "gamma"})
    assert reasons(result) == {
        0: "the new text is the same as choice 2",
        1: "the new text is the same as choice 3",
    }
    assert result.written == {}


def test_texts_of_earlier_sheets_count() -> None:
    assert reasons(check({1: "alpha"}, earlier={0: "delta"})) == {}
    assert reasons(check({1: "delta"}, earlier={0: "delta"})) == {
        1: "the new text is the same as choice 1"
    }
    # the refused row leaves the earlier text of its choice in place
    assert reasons(check({0: "delta", 1: "gamma"}, earlier={1: "delta"})) == {
        0: "the new text is the same as choice 2",
        1: "the new text is the same as choice 3",
    }


SHEETS = st.lists(
    st.dictionaries(st.integers(0, 3), st.sampled_from("abcdef"), max_size=4), max_size=3
)


@settings(max_examples=300, deadline=None)
@given(SHEETS)
def test_choices_stay_different(sheets: list[dict[int, str]]) -> None:
    item = Item("1", {}, tuple("abcd"), 0)
    written: Written = {}
    for texts in sheets:
        written = {
            **written,
            **refuse_bad_texts(SheetResult({**write(texts, item)}), written).written,
        }
        (new,) = rewrite_items([item], written).values() or [item]
        assert len(set(new.choices)) == 4
