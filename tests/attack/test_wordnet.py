"""Synonyms from a small database in WordNet's form, and from broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.attack.wordnet import KINDS, WordNet
from hansproof.errors import BadInput

LICENCE = "  1 This is a licence.\n"
SYNSETS = {  # by part of speech; a word's senses come in this order
    "noun": ["dog hound", "dog cad bounder", "frank hot_dog dog", "run tally", "axis", "ax axe"],
    "verb": ["run go", "run operate function", "chase dog", "travel go"],
    "adj": ["glad(p) happy", "galore(ip)"],
    "adv": ["quickly rapidly"],
}
EXCEPTIONS = {"noun": "axes ax axis\n", "verb": "ran run\nwent go\n"}


def database(folder: Path) -> str:
    """Files as WordNet has them, with every synset where the index says that it is."""
    for kind in KINDS:
        data = LICENCE
        places: dict[str, list[int]] = {}
        for synset in SYNSETS[kind]:
            words = synset.split()
            fields = " ".join(f"{word} 0" for word in words)
            for word in words:
                places.setdefault(word.partition("(")[0], []).append(len(data))
            data += f"{len(data):08d} 03 {kind[0]} {len(words):02x} {fields} 000 | what it means\n"
        lines = [
            f"{word} {kind[0]} {len(some)} 1 @ {len(some)} 0 {' '.join(f'{at:08d}' for at in some)}"
            for word, some in sorted(places.items())
        ]
        (folder / f"data.{kind}").write_text(data)
        (folder / f"index.{kind}").write_text(LICENCE + "  \n".join(lines) + "  \n")
        (folder / f"{kind}.exc").write_text(EXCEPTIONS.get(kind, ""))
    return str(folder)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    return WordNet.load(database(tmp_path_factory.mktemp("wordnet")))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("dog", ["hound", "cad", "bounder", "frank", "chase"]),
        ("Dogs", ["hound", "cad", "bounder", "frank", "chase"]),
        ("ran", ["go", "operate", "function"]),
        ("went", ["run", "travel"]),
        ("axes", ["axe"]),  # of ax; axis, another base, is the word itself
        ("running", []),  # its base would be runn or runne
        ("happy", ["glad"]),
        ("happier", []),
        ("quickly", ["rapidly"]),
        ("xyzzy", []),
        ("", []),
        ("\ud800", []),
    ],
    ids=lambda value: ascii(value) if isinstance(value, str) else "",
)
def test_synonyms_in_the_order_of_senses(small: WordNet, word: str, expected: list[str]) -> None:
    assert small.find_synonyms(word) == expected


@given(st.text(st.characters(exclude_categories=()), max_size=8))
def test_any_word_can_be_asked_for(small: WordNet, word: str) -> None:
    found = small.find_synonyms(word)
    assert word.lower() not in found
    assert len(set(found)) == len(found)


def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    database(folder)
    monkeypatch.setenv("NLTK_DATA", f"{tmp_path / 'none'}:{tmp_path}")
    found = WordNet.load().find_synonyms("dog")
    assert "hound" in found


def test_no_wordnet_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="apt install wordnet-base") as raised:
        WordNet.load(str(tmp_path))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "line", "what"),
    [
        ("index.verb", "run v many 1 @ 1 0 00000023", "is not of the form"),
        ("index.verb", "run v 1", "is not of the form"),
        ("index.noun", "dog n 3 1 @ 3 0 1 x 3", "is not of the form"),
        ("noun.exc", "mice", "without its base"),
    ],
    ids=["no number", "cut off", "no place", "no base"],
)
def test_a_broken_line_is_named(tmp_path: Path, name: str, line: str, what: str) -> None:
    path = Path(database(tmp_path)) / name
    before = path.read_text()
    path.write_text(f"{before}{line}\n")
    with pytest.raises(BadInput, match=what) as raised:
        WordNet.load(str(tmp_path))
    number = before.count("\n") + 1
    assert str(raised.value).startswith(f"{path}:{number}: ")


@pytest.mark.parametrize(
    ("old", "new"),
    [("02 dog 0 hound", "zz dog 0 hound"), ("02 dog 0 hound 0", "ff dog 0 hound 0"), ("0000", "1")],
    ids=["no count", "too large a count", "elsewhere"],
)
def test_a_broken_synset_is_named(tmp_path: Path, old: str, new: str) -> None:
    path = Path(database(tmp_path)) / "data.noun"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(BadInput, match="has no synset at byte") as raised:
        WordNet.load(str(tmp_path)).find_synonyms("dog")
    assert str(raised.value).startswith(f"{path}:2: ")


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    (Path(database(tmp_path)) / "data.adv").unlink()
    with pytest.raises(BadInput, match="No such file"):
        WordNet.load(str(tmp_path))
