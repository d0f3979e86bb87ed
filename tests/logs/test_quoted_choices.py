"""The columns of known datasets, and what tasks make of them."""

from __future__ import annotations

from typing import Any

import pytest

from hansproof.logs._matching.quoted_choices import find_named_choice, match_quoted_choices

TWO = ("The sun was rising.", "The grass was cut.")


@pytest.mark.parametrize(
    "doc",
    [
        {"choices": list(TWO)},
        {"choices": {"text": list(TWO), "label": ["A", "B"]}},
        {"choices": [{"label": "A", "text": TWO[0]}, {"label": "B", "text": TWO[1]}]},
        {"question": {"stem": "Why?", "choices": [{"text": TWO[0]}, {"text": TWO[1]}]}},
        {"options": {"A": TWO[0], "B": TWO[1]}},
        {"mc1_targets": {"choices": list(TWO), "labels": [1, 0]}},
        {"premise": "My body cast a shadow.", "choice1": TWO[0], "choice2": TWO[1], "label": 0},
        {"goal": "x", "sol1": TWO[0], "sol2": TWO[1]},
        {"ending0": TWO[0], "ending1": TWO[1]},
        {"opa": TWO[0], "opb": TWO[1], "cop": 0},
        {"answerA": TWO[0], "answerB": TWO[1], "answer": "x"},
        {"A": TWO[0], "B": TWO[1], "Answer": "A"},
    ],
)
@pytest.mark.parametrize(
    "said",
    [
        [" The sun was rising.", " The grass was cut."],
        ["  the sun was rising.", "  the grass was cut."],  # as the COPA task has it
        [" A", " B"],
        ["(A)", "(B)"],
        [" was seen.", " was seen."],  # the choices stand in the question
    ],
)
def test_the_texts_are_the_datasets_own(doc: dict[str, Any], said: list[str]) -> None:
    assert match_quoted_choices(doc, said) == TWO


def test_another_order_is_the_models() -> None:
    assert (
        match_quoted_choices({"choices": list(TWO)}, [f" {text}" for text in TWO[::-1]])
        == TWO[::-1]
    )


def test_brackets_that_a_task_leaves_out() -> None:
    raw = ["[header] Wash it. [title] Rinse.", "[header] Dry it."]
    doc = {"endings": raw, "choices": ["Wash it. Rinse.", "Dry it."]}
    assert match_quoted_choices(doc, [" Wash it. Rinse.", " Dry it."]) == tuple(raw)


def test_what_only_the_model_saw() -> None:
    assert match_quoted_choices({"passage": "x"}, [" no", " yes"]) == ("no", "yes")
    assert match_quoted_choices({"passage": "x"}, [" A", " B"]) == ()
    assert match_quoted_choices({"choices": ["x", "y", "z"]}, [" A", " B"]) == ()


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("B", 1),
        (" (b) ", 1),
        ("A.", 0),
        ("the grass was cut", 1),
        ("C", None),
        ("", None),
        ("2", None),
    ],
)
def test_short_answers(text: str, index: int | None) -> None:
    assert find_named_choice(text, TWO) == index
