from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hansproof.text.encoding import encode_texts
from hansproof.text.tokenizers import get_tokenizer

from ..support.code_paths import code_path  # noqa: F401

# pieces that make trouble: long look-alikes, several bytes a letter, letters whose lower case
# depends on their place, half a surrogate pair, exotic blanks, the seam character itself
PIECES = st.sampled_from(
    [
        *"aZßÉΣ .'_1長\U0001f600\ud800\nİǅ\x1c\0",
        "ΑΣ",
        "internationalisation",
        "internationalisatiom",
        # letters without spaces, marks, stacked letters, joiners, half and full width
        *"不是，。ーがｶﾞＡ１ที่สุดำ๑ខ្មကမ္ཀིहिी\u0301\u200c\u200d\u17d2\U00020000",
    ]
)
TEXTS = st.lists(st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=20), max_size=6)


@pytest.mark.parametrize("name", ["word", "whitespace", "chars", "pairs"])
@given(texts=TEXTS)
@example(texts=["abcdefgh", "abcdefghi", "abcdefgh"])
@settings(max_examples=300)
def test_the_compiled_scan_agrees_with_the_tokenizer(name: str, texts: list[str]) -> None:
    tokens = get_tokenizer(name)
    known: dict[str, int] = {}
    encoded = encode_texts(texts, tokens)
    for t, text in enumerate(texts):
        ids = [known.setdefault(token, len(known)) for token in tokens.split(text)]
        assert encoded.ids[encoded.offsets[t] : encoded.offsets[t + 1]].tolist() == ids
    assert list(encoded.vocabulary) == list(known)


def test_a_large_vocabulary_outgrows_every_table() -> None:
    words = [f"word{i}" for i in range(100_000)]
    encoded = encode_texts([" ".join(words), " ".join(reversed(words))], get_tokenizer("word"))
    assert list(encoded.vocabulary) == words
    assert encoded.ids.tolist() == [*range(100_000), *reversed(range(100_000))]


def test_texts_of_many_chunks_share_one_numbering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hansproof.text.encoding._CHUNK", 3)
    texts = [
        "İ" * 50,
        "a b",
        "",
        "c a",
        "b internationalisation",
        "",
        "",
        "İ c internationalisation",
    ]
    tokens = get_tokenizer("word")
    encoded = encode_texts(texts, tokens)
    for t, text in enumerate(texts):
        ids = encoded.ids[encoded.offsets[t] : encoded.offsets[t + 1]]
        assert [encoded.vocabulary[i] for i in ids] == tokens.split(text)
    assert len(set(encoded.vocabulary)) == len(encoded.vocabulary)
