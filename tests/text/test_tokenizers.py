from __future__ import annotations

import builtins
import importlib.metadata
import os
import re
import sys
import unicodedata
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.errors import MissingExtra, UnknownName
from hansproof.text import word_libraries
from hansproof.text.scripts import fold_text, mark_class, unspaced_class
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


@pytest.mark.parametrize(
    ("text", "chars", "pairs"),
    [
        ("他不是人，ＡＢＣ１２３！", "他 不 是 人 abc123", "他不 不是 是人 abc123"),
        ("我 和3个人。", "我 和 3 个 人", "我 和 3 个人"),
        ("ｶﾞｰﾄﾞ・デです「はい」", "ガ ー ド デ で す は い", "ガー ード デで です はい"),
        ("น้ำดีที่สุด ๒๕ คน", "น้ ำ ดี ที่ สุ ด ๒๕ ค น", "น้ำ ำดี ดีที่ ที่สุ สุด ๒๕ คน"),
        ("ພາສາລາວ", "ພ າ ສ າ ລ າ ວ", "ພາ າສ ສາ າລ ລາ າວ"),
        ("ខ្មែរ។", "ខ្មែ រ", "ខ្មែរ"),
        ("မြန်မာ၊", "မြ န် မာ", "မြန် န်မာ"),
        ("བོད་ཡིག།", "བོ ད ཡི ག", "བོད ཡིག"),
        ("मैं हिन्दी बोलता हूँ।", "मैं हिन्दी बोलता हूँ", "मैं हिन्दी बोलता हूँ"),
        ("كِتابٌ جديد؟ می\u200cخواهم،", "كِتابٌ جديد می\u200cخواهم", "كِتابٌ جديد می\u200cخواهم"),
        ("Cafe\u0301 CAFÉ İzmir", "café café i\u0307zmir", "café café i\u0307zmir"),
        ("한국어 문장", "한국어 문장", "한국어 문장"),
        ("Straße_1 ПРИВЕТ", "straße_1 привет", "straße_1 привет"),
    ],
)  # fmt: skip
def test_words_and_characters_of_many_scripts(text: str, chars: str, pairs: str) -> None:
    assert get_tokenizer("chars").split(text) == chars.split(" ")
    assert get_tokenizer("pairs").split(text) == pairs.split(" ")


@given(st.text() | st.text(st.characters(max_codepoint=0x590)))
def test_chars_and_word_differ_only_where_they_must(text: str) -> None:
    special = f"[{unspaced_class()}{mark_class()}\u200c\u200d]"
    if fold_text(text) == text.lower() and not re.search(special, text.lower()):
        expected = get_tokenizer("word").split(text)
        assert get_tokenizer("chars").split(text) == expected
        assert get_tokenizer("pairs").split(text) == expected


@given(st.text(st.sampled_from("不是，がーｶﾞＡ1aที่สุำ\u0301é हि")))
def test_spelling_does_not_change_tokens(text: str) -> None:
    for name in ("chars", "pairs"):
        split = get_tokenizer(name).split
        assert split(unicodedata.normalize("NFD", text)) == split(
            unicodedata.normalize("NFC", text)
        )


def fake_jieba() -> dict[str, ModuleType | SimpleNamespace]:
    class Segmenter:
        tmp_dir: str | None = None

        def initialize(self) -> None:
            assert self.tmp_dir is not None, "it would read a cache that anybody may have written"

        def lcut(self, text: str) -> list[str]:
            return text.replace("不是", "|不是|").split("|")

    return {"jieba": SimpleNamespace(Tokenizer=Segmenter)}


def fake_sudachi() -> dict[str, ModuleType | SimpleNamespace]:
    def tokenize(text: str) -> list[SimpleNamespace]:
        assert len(text.encode()) < 49_149
        return [SimpleNamespace(surface=lambda part=part: part) for part in text.split("|")]

    class Dictionary:
        def __init__(self, dict: str) -> None:
            assert dict == "core"

        def tokenizer(self, mode: str) -> SimpleNamespace:
            return SimpleNamespace(tokenize=tokenize)

    package = SimpleNamespace(Dictionary=Dictionary, SplitMode=SimpleNamespace(C="C"))
    return {"sudachipy": package, "sudachidict_core": SimpleNamespace()}


def fake_pythainlp() -> dict[str, ModuleType | SimpleNamespace]:
    def word_tokenize(text: str, engine: str, keep_whitespace: bool) -> list[str]:
        assert os.environ["PYTHAINLP_OFFLINE"] == "1"
        return text.split("|")

    tokenize = SimpleNamespace(word_tokenize=word_tokenize)
    return {"pythainlp": SimpleNamespace(tokenize=tokenize), "pythainlp.tokenize": tokenize}


LIBRARIES = {
    "jieba": (fake_jieba, "他不是ＡＢ 人。", ["他", "不是", "ab", "人。"], "jieba 1.2"),
    "sudachi": (fake_sudachi, "国立公園|に| |。", ["国立公園", "に"], "sudachi 1.2 core 1.2"),
    "pythainlp": (fake_pythainlp, "ดี|ที่สุด|!", ["ดี", "ที่สุด"], "pythainlp 1.2"),
}


@pytest.fixture
def fresh_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load libraries anew, with environment variables that are reset afterwards."""
    for load in (
        word_libraries.load_jieba,
        word_libraries.load_sudachi,
        word_libraries.load_pythainlp,
    ):
        load.cache_clear()
        monkeypatch.setattr(importlib.metadata, "version", lambda name: "1.2")
    for name in ("PYTHAINLP_OFFLINE", "PYTHAINLP_READ_ONLY"):
        monkeypatch.setenv(name, "1")


@pytest.mark.usefixtures("fresh_libraries")
@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_is_named_with_its_version(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_modules, text, expected, full_name = LIBRARIES[name]
    for module, fake in make_modules().items():
        monkeypatch.setitem(sys.modules, module, fake)
    tokens = get_tokenizer(name)
    assert tokens.name == full_name
    assert tokens.split(text) == expected
    assert get_tokenizer(full_name).name == full_name


@pytest.mark.usefixtures("fresh_libraries")
def test_long_texts_are_cut_for_sudachi(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, fake in fake_sudachi().items():
        monkeypatch.setitem(sys.modules, module, fake)
    assert "".join(get_tokenizer("sudachi").split("国" * 100_000)) == "国" * 100_000


@pytest.mark.usefixtures("fresh_libraries")
@pytest.mark.parametrize("name", LIBRARIES)
def test_a_missing_library_says_how_to_get_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in LIBRARIES[name][0]():
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'hansproof\[{name}\]'"):
        get_tokenizer(name)
