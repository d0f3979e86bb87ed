from __future__ import annotations

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
