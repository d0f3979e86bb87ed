"""Parts of speech: the tags, the corpus, the perceptron and how it is kept."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.attack.pos_tagging import (
    are_interchangeable,
    brown,
    get_tagger,
    perceptron,
    spacy_tagger,
    training,
)
from hansproof.attack.pos_tagging.brown import Sentence
from hansproof.attack.pos_tagging.features import NO_WORD, word_features
from hansproof.attack.pos_tagging.perceptron import NO_TAG, Perceptron
from hansproof.attack.pos_tagging.tagset import TAGS, from_brown_tag, from_ud_tag
from hansproof.errors import BadInput, MissingExtra, ModelError, UnknownName

from ..support.markers import needs_data

WORDS = ("the", "dog", "runs", "Quickly", "to", "1961", "it's", "--", "Man-made", "ing")
WORD = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=()), max_size=6)
TEXT = st.lists(WORD, min_size=1, max_size=10).map(tuple)


@pytest.fixture(scope="module")
def whole() -> list[list[Sentence]]:
    return brown.read_corpus(brown.corpus_path())


@pytest.fixture(scope="module")
def some(whole: list[list[Sentence]]) -> list[list[Sentence]]:
    """Some texts of all kinds."""
    return whole[::20]


@pytest.fixture(scope="module")
def small(some: list[list[Sentence]]) -> Perceptron:
    return training.train_tagger(some, epochs=3)


# tags


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("nn", "NOUN"), ("np-tl", "NOUN"), ("nn$-hl", "NOUN"), ("pn", "NOUN"), ("vbd", "VERB"),
        ("do*", "VERB"), ("bez*-nc", "VERB"), ("jjt", "ADJ"), ("ap", "ADJ"), ("od", "ADJ"),
        ("*", "ADV"), ("wrb", "ADV"), ("pp$", "DET"), ("pp$$", "PRON"), ("cs", "ADP"),
        ("cd", "NUM"), ("cc", "CONJ"), ("to", "PRT"), ("pps+bez", "PRT"), ("vb+ppo", "VERB"),
        ("fw-nn", "X"), ("fw-at+nn", "X"), ("nil", "X"), ("--", "."), ("---hl", "."), ("``", "."),
        ("(-hl", "."), ("no such", "X"),
    ],
    ids=str,
)  # fmt: skip
def test_browns_tags(theirs: str, ours: str) -> None:
    assert from_brown_tag(theirs) == ours


def test_universal_dependencies_tags() -> None:
    said = ["NOUN", "PROPN", "AUX", "SCONJ", "CCONJ", "PART", "PUNCT", "INTJ", "SPACE", "ADJ"]
    ours = ["NOUN", "NOUN", "VERB", "ADP", "CONJ", "PRT", ".", "X", "X", "ADJ"]
    assert [from_ud_tag(tag) for tag in said] == ours


def test_nouns_and_verbs_may_be_swapped() -> None:
    allowed = {(a, b) for a in TAGS for b in TAGS if are_interchangeable(a, b)}
    assert allowed == {(a, a) for a in TAGS} | {("NOUN", "VERB"), ("VERB", "NOUN")}


def test_names() -> None:
    with pytest.raises(UnknownName, match="did you mean perceptron"):
        get_tagger("perceptrn")
    if spacy_tagger.installed_package():
        assert get_tagger("auto").name.startswith("spaCy en_core_web_sm ")
        texts = [("the", "dog", "barks"), ("",), ("\ud800", "a")]
        assert get_tagger("spacy").tag_words(texts, [1, 0, 1])[::2] == ["NOUN", "DET"]
    else:
        with pytest.raises((MissingExtra, ModelError), match=r"install|download"):
            get_tagger("spacy")


# the corpus


@needs_data
def test_brown_is_read_whole(whole: list[list[Sentence]]) -> None:
    counts = Counter(tag for text in whole for _, tags in text for tag in tags)
    assert len(whole) == 500
    assert set(counts) == set(TAGS)
    assert sum(counts.values()) == 1_161_192  # as the corpus' manual has it
    words, tags = whole[0][0]
    assert words[:4] == ("The", "Fulton", "County", "Grand")
    assert tags[:6] == ("DET", "NOUN", "NOUN", "ADJ", "NOUN", "VERB")


def packed(path: Path, texts: dict[str, bytes]) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in texts.items():
            archive.writestr(name, content)
    return str(path)


@pytest.mark.parametrize(
    ("texts", "what"),
    [
        ({"brown/README": b"no/nn"}, "contains no text"),
        ({"brown/ca01": b"The/at jury/nn\n\nsaid\n"}, "brown/ca01:3: is not of the form"),
        ({"brown/ca01": b"a/at " * 2**18}, "is longer than 1 MiB"),
    ],
    ids=["other", "no tag", "bomb"],
)
def test_a_bad_corpus(tmp_path: Path, texts: dict[str, bytes], what: str) -> None:
    with pytest.raises(BadInput, match=what):
        brown.read_corpus(packed(tmp_path / "brown.zip", texts))


def test_a_broken_archive(tmp_path: Path) -> None:
    path = tmp_path / "brown.zip"
    path.write_bytes(b"PK no zip")
    with pytest.raises(BadInput, match="cannot be read"):
        brown.read_corpus(str(path))


# the perceptron


@needs_data
def test_it_beats_the_most_frequent_tag(some: list[list[Sentence]], small: Perceptron) -> None:
    shown, held_out = training.split_texts(some)
    counts: dict[str, Counter[str]] = {}
    for words, tags in shown:
        for word, tag in zip(words, tags, strict=True):
            counts.setdefault(word.lower(), Counter())[tag] += 1
    pairs = [
        (counts[word.lower()].most_common(1)[0][0] if word.lower() in counts else "NOUN", tag)
        for words, tags in held_out
        for word, tag in zip(words, tags, strict=True)
        if tag != "."
    ]
    floor = sum(said == tag for said, tag in pairs) / len(pairs)
    assert small.n_words == len(pairs) > 3000
    assert floor + 0.03 < small.n_right / small.n_words < 0.99
    assert f"({small.n_right / small.n_words:.1%} of held-out words)" in small.name


@needs_data
def test_lower_case_costs_little(some: list[list[Sentence]], small: Perceptron) -> None:
    _, held_out = training.split_texts(some)
    lower = [(tuple(map(str.lower, words)), tags) for words, tags in held_out]
    right, words = training.count_right_tags(small, lower)
    assert words == small.n_words
    assert right / words > small.n_right / words - 0.015


def plainly(model: Perceptron, text: tuple[str, ...]) -> list[str]:
    """The same tags, one sum after the other."""
    found = [NO_TAG, NO_TAG]
    padded = (NO_WORD, NO_WORD, *text, NO_WORD, NO_WORD)
    for at in range(len(text)):
        scores = model.history[found[-2], found[-1]].astype(int)
        places = training.LATER_PLACES if at else training.FIRST_PLACES
        for place, word in zip(places, padded[at : at + 5], strict=True):
            for name in word_features(word)[place]:
                if name in model.feature_rows:
                    scores = scores + model.weights[model.feature_rows[name]]
        found.append(int(np.argmax(scores)))
    return [TAGS[tag] for tag in found[2:]]


@needs_data
@given(st.lists(TEXT, max_size=6))
def test_side_by_side_is_one_by_one(small: Perceptron, texts: list[tuple[str, ...]]) -> None:
    expected = [plainly(small, text) for text in texts]
    assert small.tag_texts(texts) == expected
    asked = [(text, at, tag) for text, tags in zip(texts, expected, strict=True)
             for at, tag in enumerate(tags)]  # fmt: skip
    said = small.tag_words([text for text, _, _ in asked], [at for _, at, _ in asked])
    assert said == [tag for _, _, tag in asked]


@needs_data
def test_what_is_remembered_is_bounded(small: Perceptron, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [(f"word{number}", "runs", "fast") for number in range(200)]
    expected = small.tag_words(texts, [1] * 200)
    monkeypatch.setattr(perceptron, "MAX_CACHED_WORDS", 50)
    monkeypatch.setattr(perceptron, "MAX_CELLS", 70)
    assert small.tag_words(texts, [1] * 200) == expected
    assert len(small._word_scores.rows) <= 50


@needs_data
def test_a_saved_tagger_is_the_same(small: Perceptron, tmp_path: Path) -> None:
    path = str(tmp_path / "tagger.npz")
    perceptron.save_tagger(path, small)
    again = get_tagger(f"perceptron:{path}")
    assert again.name == small.name
    text = ("The", "old", "man", "boats", "on", "the", "river", ",", "and", "fishes", ".")
    assert isinstance(again, Perceptron)
    assert again.tag_texts([text]) == small.tag_texts([text])


def arrays(**changed: object) -> bytes:
    whole = {
        "names": np.frombuffer(b"2~a\n2~b", np.uint8),
        "weights": np.zeros((2, 12), np.int16),
        "history": np.zeros((13, 13, 12), np.int32),
        "held_out": np.array([1, 2]),
    } | changed
    file = io.BytesIO()
    np.savez(file, **{name: value for name, value in whole.items() if value is not None})  # type: ignore[arg-type]
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"no tagger", arrays()[:300], arrays(weights=None),
        arrays(weights=np.zeros((3, 12), np.int16)), arrays(history=np.zeros((13, 13, 12))),
        arrays(held_out=np.array([0, 0])), arrays(names=np.array([{}])),
    ],
    ids=["empty", "text", "cut", "no weights", "more rows", "floats", "no words", "pickled"],
)  # fmt: skip
def test_a_bad_file_of_a_tagger(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tagger.npz"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="is not a tagger saved by hansproof"):
        get_tagger(f"perceptron:{path}")
    with pytest.raises(BadInput, match="no such file"):
        get_tagger(f"perceptron:{tmp_path / 'none.npz'}")


# training


def tiny() -> list[list[Sentence]]:
    words = ("The", "dog", "runs", "to", "a", "house", ".")
    tags = ("DET", "NOUN", "VERB", "ADP", "DET", "NOUN", ".")
    return [[(words, tags), (words[::-1], tags[::-1])]] * 12


def test_compiled_code_does_what_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = training.train_tagger(tiny(), epochs=2)
    monkeypatch.setattr(training, "_compile_epoch", lambda: training._run_epoch)
    plain = training.train_tagger(tiny(), epochs=2)
    assert plain.feature_rows == compiled.feature_rows
    assert (plain.weights == compiled.weights).all()
    assert (plain.history == compiled.history).all()
    assert plain.n_right == plain.n_words == 12


def test_a_tagger_is_trained_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = b"The/at dog/nn runs/vbz to/in a/at house/nn ./.\nDogs/nns run/vb ./.\n"
    path = packed(tmp_path / "brown.zip", {f"brown/ca{n:02d}": sentence for n in range(1, 13)})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(brown, "corpus_path", lambda: path)
    calls, train = [], training.train_tagger

    def counted(texts: list[list[Sentence]]) -> Perceptron:
        calls.append(len(texts))
        return train(texts)

    monkeypatch.setattr(training, "train_tagger", counted)
    first, second = get_tagger("perceptron"), get_tagger("perceptron")
    assert calls == [12]
    (kept,) = (tmp_path / "hansproof" / "tagger").iterdir()
    kept.write_bytes(kept.read_bytes()[:100])
    third = get_tagger("perceptron")
    assert calls == [12, 12]
    asked = ([("dogs", "run")], [1])
    assert (
        first.tag_words(*asked) == second.tag_words(*asked) == third.tag_words(*asked) == ["VERB"]
    )


def test_too_few_texts_to_hold_one_out() -> None:
    with pytest.raises(BadInput, match="fewer than 10 texts"):
        training.train_tagger(tiny()[:9])
