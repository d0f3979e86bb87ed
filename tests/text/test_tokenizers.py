from __future__ import annotations

import builtins
import os

import pytest

from hansproof.errors import MissingExtra, UnknownName
from hansproof.text.tokenizers import get_tokenizer

TEXT = "The cat's out, the CAT isn't."


def test_word_is_lower_case_letters_digits_and_underscores() -> None:
    expected = ["the", "cat", "s", "out", "the", "cat", "isn", "t"]
    assert get_tokenizer("word").split(TEXT) == expected


def test_whitespace_keeps_case_and_punctuation() -> None:
    assert get_tokenizer("whitespace").split(TEXT) == [
        "The",
        "cat's",
        "out,",
        "the",
        "CAT",
        "isn't.",
    ]


@pytest.mark.skipif(not os.environ.get("NLTK_DATA"), reason="needs NLTK_DATA")
def test_nltk_names_its_version_and_drops_what_is_not_alphanumeric() -> None:
    import nltk

    tokens = get_tokenizer("nltk")
    assert tokens.name == f"nltk {nltk.__version__}"
    assert tokens.split(TEXT) == ["the", "cat", "out", "the", "cat", "is"]
    assert get_tokenizer(tokens.name).name == tokens.name


def test_a_missing_nltk_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: object, **kwargs: object) -> object:
        if name == "nltk":
            raise ImportError
        return real(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"pip install 'hansproof\[nltk\]'"):
        get_tokenizer("nltk")


def test_an_unknown_tokenizer() -> None:
    with pytest.raises(UnknownName, match="did you mean word"):
        get_tokenizer("wrod")
