from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.attack.words import TextWords, is_word, match_case

texts = st.text(st.sampled_from("ab Zé'-_*@.,\n\t\u200d😀1"), max_size=30) | st.text(max_size=30)


@given(texts)
def test_a_text_is_its_words_and_gaps(text: str) -> None:
    cut = TextWords.from_text(text)
    assert cut.text == text
    assert len(cut.gaps) == len(cut.words) + 1
    assert [text[start:end] for start, end in cut.word_spans()] == list(cut.words)


@given(texts)
def test_a_word_changed_changes_nothing_else(text: str) -> None:
    cut = TextWords.from_text(text)
    for at, (start, end) in enumerate(cut.word_spans()):
        assert cut.replace_word(at, "new").text == text[:start] + "new" + text[end:]
        assert cut.replace_word(at, cut.words[at]) == cut


@given(texts)
def test_a_word_deleted_leaves_the_others(text: str) -> None:
    cut = TextWords.from_text(text)
    for at in range(len(cut.words)):
        less = cut.remove_word(at)
        assert less.words == cut.words[:at] + cut.words[at + 1 :]
        assert less.text.replace(" ", "") == "".join(
            [g + w for g, w in zip(less.gaps, (*less.words, ""), strict=True)]
        ).replace(" ", "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The dog's well-known 'bark'.", ("The", "dog's", "well-known", "bark")),
        ("don’t, U.S. $5.50 a/b", ("don", "t", "U", "S", "5", "50", "a", "b")),
        ("-- ' * @", ()),
        ("", ()),
        ("_x_ me@home", ("x", "me@home")),
    ],
)
def test_what_a_word_is(text: str, words: tuple[str, ...]) -> None:
    assert TextWords.from_text(text).words == words


def test_no_blank_stands_twice_where_a_word_was() -> None:
    cut = TextWords.from_text("A dog, a cat")
    assert cut.remove_word(0).text == "dog, a cat"
    assert cut.remove_word(1).text == "A, a cat"
    assert cut.remove_word(3).text == "A dog, a"


@pytest.mark.parametrize(
    ("like", "made"),
    [("dog", "cat"), ("DOG", "CAT"), ("Dog", "Cat"), ("dOg", "cat"), ("I", "Cat"), ("1990", "cat")],
)
def test_a_word_takes_the_case_of_another(like: str, made: str) -> None:
    assert match_case("cat", like) == made


@given(st.text(max_size=8))
def test_one_word_or_not(text: str) -> None:
    assert is_word(text) == (TextWords.from_text(text).words == (text,))
