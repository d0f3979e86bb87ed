"""Words, spaces and characters are marked where a rule looks, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.report.html.rule_marks import parse_rule, rule_marker
from hansproof.rules.phrases import describe_choice
from hansproof.types import Item, Result

WORDS = Result("shortcuts", {"tokenizer": "word"}, "exposed", "")
SPACE = "the only choice that begins with a space"


def list_marks(rule: str, text: str, tokenizer: str = "word") -> list[str]:
    mark, notes = rule_marker(replace(WORDS, params={"tokenizer": tokenizer}))
    assert notes == ()
    spans = mark(rule, Item("i", {}, (text, "?"), 0), 0)
    assert spans == sorted(spans)
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("rule", "text", "marked"),
    [
        ("the only choice with “the … of”", "The end of it; the far, far, far end of",
         ["The", "of"]),
        ("the only choice with “the … of”", "of the", []),
        ("the only choice with “had … the”", "had - the", []),
        ("the only choice with “had … the”", "had - all the", ["had", "the"]),
        ("the only choice with “a … a”", "a b a b a", ["a", "a", "a"]),
        ("the only choice with “of the”", "of the edge of the", ["of the", "of the"]),
        ("the only choice with “a” but without “b”", "a b", ["a", "b"]),
        ("the longest choice", "the longest choice", []),
    ],
)  # fmt: skip
def test_words_are_marked_where_the_rule_looks(rule: str, text: str, marked: list[str]) -> None:
    assert list_marks(rule, text) == marked


@pytest.mark.parametrize(
    ("phrases", "is_xor", "text", "marks"),
    [
        (["has “a” as its second word"], False, "a a a a", [1]),
        (["has “a” as its second-last word"], False, "a a a a", [2]),
        (["has “a” as its second-last word"], False, "a", []),
        (["has “a” as its second word"], False, "b", []),
        (["begins with “a”", "ends with “b”"], False, "a b a b", [0, 3]),
        (["begins with “a”"], False, "b a", []),
        (["begins with “a”", "begins with “b”"], True, "b a b", [0]),
        (["ends with “a”", "ends with “b”"], True, "b a b a", [3]),
        (["ends with a full stop", "ends with “b”"], True, "b a b", [2]),
        (["has “a”", "has “b” as its second word"], False, "b b a a", [1, 2, 3]),
        (["begins with “a”", "has “b”"], False, "a b a b", [0, 1, 3]),
        (["has “begins with”", "has “a”"], False, "b a b a", [1, 3]),
    ],
)
def test_words_at_a_place_are_marked_only_there(
    phrases: list[str], is_xor: bool, text: str, marks: list[int]
) -> None:
    rule = describe_choice(phrases, [False] * len(phrases), is_xor)
    mark, _ = rule_marker(WORDS)
    spans = mark(rule, Item("i", {}, (text, "?"), 0), 0)
    assert [start // 2 for start, _ in spans] == marks


def test_words_that_must_not_be_at_a_place_are_marked_there() -> None:
    rule = describe_choice(["has “c”", "begins with “a”"], [False, True])
    assert rule == "the only choice that has “c” but does not begin with “a”"
    assert list_marks(rule, "a b a") == ["a"]


@pytest.mark.parametrize(
    ("tokenizer", "text", "is_marked"),
    [
        ("chars", "猫狗", False),
        ("chars", "猫在狗", True),
        ("chars", "猫在这里狗", True),
        ("chars", "猫在这里的狗", False),
        ("whitespace", "猫 - 狗", True),
        ("word", "猫 - 狗", False),
    ],
)
def test_the_gap_is_counted_by_the_tokenizer(tokenizer: str, text: str, is_marked: bool) -> None:
    marked = ["猫", "狗"] if is_marked else []
    assert list_marks("the only choice with “猫 … 狗”", text, tokenizer) == marked


def test_overlapping_pairs_are_told_apart() -> None:
    assert list_marks("the only choice with “猫在 … 里狗”", "猫在这里狗", "pairs") == [
        "猫在",
        "里狗",
    ]
    assert list_marks("the only choice with “猫在 … 在这”", "猫在这里狗", "pairs") == []


@pytest.mark.parametrize(
    ("rule", "text", "marked"),
    [
        ("the only choice with a no-break space", "10\u00a0km or 10\u202fmi", ["\u00a0", "\u202f"]),
        ("the only choice with two spaces in a row", "a b  c", ["  "]),
        ("the only choice with a zero-width character", "a\u200bb\u200dc", ["\u200b", "\u200d"]),
        ("the only choice with a zero-width space", "a\u200bb\u200dc", ["\u200b"]),
        (SPACE, "  a b ", [" "]),
        (SPACE, "a b ", []),
        ("the only choice that ends with a space", " a b ", [" "]),
        ("the only choice that begins with “a” but not with a space", " a", [" ", "a"]),
        ("the only choice with a tab", "a\tb", ["\t"]),
        ("the only choice with “a” and a comma", "a, b", ["a", ","]),
        ("the only choice with a curly apostrophe", "it's, it’s", ["’"]),
        ("the only choice with the character “§”", "§ 1", ["§"]),
        ("the only choice with the invisible character “zero width joiner”", "a\u200db",
         ["\u200d"]),
        ("the only choice that ends with a full stop", "a. b.", ["."]),
        ("the only choice with a full stop", "a. b.", [".", "."]),
        ("the only choice with “a comma”", "a, b", []),
        ("the shortest choice", "  a, b ", []),
    ],
)  # fmt: skip
def test_spaces_and_characters_are_marked_if_the_rule_is_about_them(
    rule: str, text: str, marked: list[str]
) -> None:
    assert list_marks(rule, text) == marked


def test_texts_that_a_choice_resembles_are_no_words_of_it() -> None:
    rule = describe_choice(
        ["has “a”", "resembles “begin” and “the end” (by minilm)"], [False, False]
    )
    assert parse_rule(rule).words == (("a", None),)


@pytest.mark.parametrize("tokenizer", ["unheard of", "", "word-ish 3"])
def test_without_the_tokenizer_only_spaces_are_marked(tokenizer: str) -> None:
    mark, notes = rule_marker(replace(WORDS, params={"tokenizer": tokenizer}))
    (note,) = notes
    assert note.startswith("Words are not marked in the items: ")
    item = Item("i", {}, ("a  b a", "?"), 0)
    for rule in ("“a”", "“a … a”", "ends with “a”", "“b” as its second word"):
        assert mark(f"the only choice with {rule}", item, 0) == []
    assert mark("the only choice with two spaces in a row", item, 0) == [(1, 3)]


pieces = st.sampled_from([
    "“", "”", " … ", "begins with ", "ends with ", "choice ", "with ", "a space", "a full stop",
    "the character ", " as its second word", " as its second-last word", "resembles ", " (by ",
    "a", "b", "or ", "a comma", "two spaces in a row", "a no-break space",
])  # fmt: skip


@given(
    st.lists(pieces | st.text(max_size=3), max_size=12).map("".join),
    st.text(st.sampled_from("ab ,.\u00a0\u200b猫İ")),
    st.sampled_from(["word", "chars", "pairs", "whitespace"]),
)
def test_whatever_a_rule_says_marks_lie_in_the_text(rule: str, text: str, tokenizer: str) -> None:
    mark, _ = rule_marker(replace(WORDS, params={"tokenizer": tokenizer}))
    for start, end in mark(rule, Item("i", {}, (text, "?"), 0), 0):
        assert 0 <= start < end <= len(text)
