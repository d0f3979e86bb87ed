from __future__ import annotations

import pytest

from hansproof.text.token_check import UNSPLIT_NOTE, describe_tokens
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Item

CHINESE = ("学生们昨天去公园，回家以后很累", "老师们今天在图书馆看书，没有说话")
SEGMENTED = ("学生 们 昨天 去 公园", "老师 们 今天 在 图书馆 看书")


def notes(tokenizer: str, *choices: str) -> tuple[str, ...]:
    items = [Item(str(i), {}, choices, 0) for i in range(1500)]
    return describe_tokens(get_tokenizer(tokenizer), items)


@pytest.mark.parametrize(
    ("tokenizer", "choices"),
    [
        ("word", ("苹果", "香蕉")),
        ("whitespace", ("苹果", "香蕉")),
        ("word", CHINESE),  # two clauses each
        ("word", ("ฉันรักภาษาไทยที่สุด", "เขาชอบกาแฟ")),
        ("word", ("मैं हिन्दी बोलता हूँ", "वह घर जाती है")),  # cut at vowel signs
    ],
)
def test_a_script_that_the_tokenizer_cannot_split(tokenizer: str, choices: tuple[str, ...]) -> None:
    assert notes(tokenizer, *choices) == (UNSPLIT_NOTE,)


@pytest.mark.parametrize(
    ("tokenizer", "choices"),
    [
        ("chars", CHINESE),
        ("pairs", CHINESE),
        ("word", SEGMENTED),
        ("whitespace", ("मैं हिन्दी बोलता हूँ", "वह घर जाती है")),
        ("word", ("The cat sat.", "It did not.")),
        ("word", ("", "!")),
        ("word", ()),
    ],
)
def test_nothing_to_say(tokenizer: str, choices: tuple[str, ...]) -> None:
    assert notes(tokenizer, *choices) == ()


def test_single_numbers_are_pointed_out_and_no_more() -> None:
    (note,) = notes("word", "12", "x", "7 cm")
    assert note.startswith("Choices have 1.3 tokens on average with the tokenizer `word`.")
    assert "single words or numbers" in note
    assert "--tokenizer chars" in note
    assert "--tokenizer" not in notes("chars", "12", "7")[0]
