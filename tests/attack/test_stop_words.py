"""Words that are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.attack.stop_words import MAX_BYTES, STOP_WORDS, read_stop_words
from hansproof.errors import BadInput


def test_the_published_list_is_whole() -> None:
    assert len(STOP_WORDS) == 266
    assert {"a", "couldn't", "yourselves", "hundred", "empty"} <= STOP_WORDS
    assert not {"good", "dog", "do", "did", "has"} & STOP_WORDS  # which TextFooler does change
    assert all(word == word.lower() for word in STOP_WORDS)


def test_a_list_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("\ufeffThe\n\n  of \r\nISN'T\nof\n", encoding="utf-8")
    assert read_stop_words(str(path)) == {"the", "of", "isn't"}


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        (b"the\nof the\n", ":2", "is not one word"),
        (b"the\n" + b"x" * 200, ":2", "is not one word"),
        (b"the\n\xff\xfe\n", "", "UTF-8"),
        (b"\n \n", "", "has no words"),
        (b"a\n" * (MAX_BYTES // 2 + 1), "", "larger than 1 MiB"),
    ],
    ids=["two words", "very long", "not text", "empty", "too large"],
)
def test_a_bad_list_is_one_line(tmp_path: Path, content: bytes, line: str, what: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=what) as raised:
        read_stop_words(str(path))
    assert str(raised.value).startswith(f"{path}{line}: ")


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        read_stop_words(str(tmp_path / "none.txt"))
    with pytest.raises(BadInput):
        read_stop_words(str(tmp_path))
