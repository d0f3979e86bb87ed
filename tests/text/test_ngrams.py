from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.text.ngrams import extract_ngrams, find_ngram, normalise_text
from hansproof.text.tokenizers import get_tokenizer

TEXT = "The cat's out, the CAT isn't."


def test_normalised_texts_have_words_alone() -> None:
    assert normalise_text(f"  {TEXT}\n") == "the cat s out the cat isn t"
    assert normalise_text("?!") == ""


def test_ngrams() -> None:
    assert extract_ngrams(["a", "b", "c"], 2) == ["a b", "b c"]
    assert extract_ngrams(["a"], 2) == []


def test_find_marks_an_ngram_where_it_stands() -> None:
    word = get_tokenizer("word")
    assert [TEXT[a:b] for a, b in find_ngram(word, TEXT, "the cat")] == ["The cat", "the CAT"]
    assert [TEXT[a:b] for a, b in find_ngram(word, TEXT, "cat s out")] == ["cat's out"]
    assert find_ngram(word, TEXT, "dog") == []


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1), max_size=5))
def test_find_is_never_wrong(words: list[str]) -> None:
    text = " ".join(words)
    for name in ("word", "whitespace"):
        tokens = get_tokenizer(name)
        for token in tokens.split(text):
            for start, end in find_ngram(tokens, text, token):
                assert token in (text[start:end], text[start:end].lower())


@given(st.text(st.sampled_from("不是，がーｶﾞＡ1aที่สุำ\u0301é हि…ﷺİ")))
def test_find_is_never_wrong_without_spaces(text: str) -> None:
    for name in ("chars", "pairs"):
        tokens = get_tokenizer(name)
        for token in tokens.split(text):
            for start, end in find_ngram(tokens, text, token):
                assert token in tokens.fold(text[start:end])


@pytest.mark.parametrize(
    ("name", "text", "ngram", "expected"),
    [
        ("chars", "他不是人，也不 是。", "不 是", ["不是", "不 是"]),
        ("pairs", "他不是人是人", "是人", ["是人", "是人"]),
        ("pairs", "他不是人", "他不 不是", ["他不是"]),
        ("pairs", "cat a 不是", "a", ["a"]),
        ("chars", "……ＡＢＣ不是", "abc", ["ＡＢＣ"]),
        ("chars", "ﷺ不是", "不 是", ["不是"]),  # eighteen letters in one character
        ("chars", "ｶﾞｰﾄﾞ", "ガ ー", ["ｶﾞｰ"]),
        ("chars", "cafe\u0301 cafés", "café", ["cafe\u0301"]),
        ("chars", "ดีที่สุด", "ที่ สุ", ["ที่สุ"]),
    ],
)
def test_find_marks_characters_as_they_are_written(
    name: str, text: str, ngram: str, expected: list[str]
) -> None:
    spans = find_ngram(get_tokenizer(name), text, ngram)
    assert [text[start:end] for start, end in spans] == expected


def test_words_that_differ_by_a_mark_stay_different() -> None:
    assert len({normalise_text(word) for word in ("เสือ", "เสื้อ", "เสื่อ")}) == 3
    assert normalise_text("का, की।") == "का की"
