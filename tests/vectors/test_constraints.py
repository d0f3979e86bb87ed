"""Lists of pairs, good and bad."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.vectors import constraints, published_lists

from ..support.markers import needs_data
from ..support.vector_factories import made, written

TABLE = made(["a", "b", "c"], [[1, 0], [0, 1], [1, 1]])


def test_blanks_tabs_comments_and_doubles(tmp_path: Path) -> None:
    text = "b a \n# a comment, of any length\n\na\tb\r\n  b   c\nc c\n"
    assert constraints.read_pairs([written(tmp_path, text)]) == {("a", "b"), ("b", "c")}


def test_several_lists_are_one(tmp_path: Path) -> None:
    paths = [written(tmp_path, "a b\n", "1.txt"), written(tmp_path, "b a\nä b", "2.txt")]
    assert constraints.read_pairs(paths) == {("a", "b"), ("b", "ä")}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"a b\na\n", "v.txt:2: is not of the form: word word"),
        (b"a b\na b c\n", "v.txt:2: is not of the form: word word"),
        (b"a \xff\n", "v.txt:1: is not of the form: word word"),
        (b"a" * 5000 + b"\n", "v.txt:1: is not of the form: word word"),
        (b"", "v.txt: contains no pairs of words"),
        (b"# none\n", "v.txt: contains no pairs of words"),
    ],
    ids=["one word", "three words", "no UTF-8", "no line end", "empty", "comments"],
)
def test_a_bad_line_is_named(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "v.txt").write_bytes(content)
    with pytest.raises(BadInput, match=says):
        constraints.read_pairs([str(tmp_path / "v.txt")])


def test_a_list_that_is_not_there() -> None:
    with pytest.raises(BadInput, match=r"nowhere.txt: cannot be read: No such file"):
        constraints.read_pairs(["nowhere.txt"])


def test_pairs_without_vectors_are_counted() -> None:
    held = constraints.build_constraints(
        TABLE, {("a", "c"), ("a", "x"), ("a", "b")}, {("a", "b"), ("x", "y")}
    )
    assert held.synonyms.tolist() == [[0, 2]]
    assert held.antonyms.tolist() == [[0, 1]]
    assert held.n_listed == {"synonyms": 3, "antonyms": 2}
    assert held.n_unknown == {"synonyms": 1, "antonyms": 1}
    assert held.n_conflicting == 1


def test_an_unknown_vocabulary() -> None:
    with pytest.raises(BadInput, match="none of the 2 pairs has vectors for both words"):
        constraints.build_constraints(TABLE, {("a", "x")}, {("x", "y")})


@needs_data
def test_the_published_lists() -> None:
    synonyms = constraints.read_pairs(published_lists.synonym_files())
    antonyms = constraints.read_pairs(published_lists.antonym_files())
    assert ("mediaeval", "medieval") in synonyms
    assert ("females", "males") in antonyms
    assert ("decipher", "encode") not in synonyms
    assert len(synonyms & antonyms) < 20 < len(antonyms) < len(synonyms)
