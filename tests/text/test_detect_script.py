from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.errors import UnknownName
from hansproof.text.detect_script import choose_tokenizer, count_letters
from hansproof.types import Item


def item(*choices: str, question: str = "") -> Item:
    return Item("1", {"question": question} if question else {}, choices, 0)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("word", "The cat sat on the mat."),
        ("word", "Über naïve façades — “quoted” …"),
        ("word", "12 + 3 = 15"),
        ("word", "Он читает книгу"),
        ("word", "한국어 문장"),
        ("word", "Việt Nam"),
        ("word", "هل هذا كتاب"),
        ("chars", "他不是北京人"),
        ("chars", "カタカナです"),
        ("chars", "ｶﾀｶﾅ"),
        ("chars", "ฉันรักภาษาไทย"),
        ("chars", "मैं हिन्दी बोलता हूँ"),
        ("chars", "كِتَابٌ"),
        ("chars", "Vie\u0323\u0302t Nam e\u0301te\u0301"),
    ],
)
def test_the_script_decides(expected: str, text: str) -> None:
    assert choose_tokenizer("auto", [item("a", text)]).name == expected
    assert choose_tokenizer("whitespace", [item("a", text)]).name == "whitespace"


@pytest.mark.parametrize(("n_latin", "expected"), [(8, "chars"), (9, "word"), (10, "word")])
def test_more_than_a_tenth_of_the_letters(n_latin: int, expected: str) -> None:
    assert choose_tokenizer("auto", [item("x" * n_latin, "不 1234, _")]).name == expected


@given(st.text() | st.text(st.characters(max_codepoint=127)))
def test_letters_are_neither_digits_nor_marks(text: str) -> None:
    assert count_letters(text) == len(re.findall(r"[^\W\d_]", text))


def test_unknown_names_are_met_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="did you mean auto"):
        choose_tokenizer("atuo", [])
    assert choose_tokenizer("auto", []).name == "word"
