"""SimLex-999: read, and compared with vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.vectors import published_lists
from hansproof.vectors.simlex import read_simlex, simlex_correlation

from ..support.markers import needs_data
from ..support.vector_factories import made, written

HEAD = "word1\tword2\tPOS\tSimLex999\n"
TABLE = made(["a", "b", "c"], [[1, 0], [1, 0.5], [0, 1]])


def test_the_order_of_pairs(tmp_path: Path) -> None:
    path = written(tmp_path, f"{HEAD}a\tb\tN\t9\na\tc\tN\t1\nb\tc\tN\t5\r\nb\tx\tN\t5\n")
    pairs = read_simlex(path)
    assert pairs[0] == (("a", "b"), 9.0)
    turned = [(pair, -score) for pair, score in pairs]
    for rated, expected in ((pairs, 1), (turned, -1)):
        found, count = simlex_correlation(TABLE, rated)
        assert found == pytest.approx(expected)
        assert count == 3


def test_too_few_pairs_have_no_order() -> None:
    assert simlex_correlation(TABLE, []) == (None, 0)
    assert simlex_correlation(TABLE, [(("a", "b"), 1.0)]) == (None, 1)
    assert simlex_correlation(TABLE, [(("a", "b"), 1.0), (("a", "c"), 1.0)]) == (None, 2)


@pytest.mark.parametrize("row", ["a\tb\tN\tnan", "a\tb\tN\tx", "a\tb", "a\tb\tN"])
def test_a_bad_line_is_named(tmp_path: Path, row: str) -> None:
    with pytest.raises(BadInput, match=r"v.txt:3: needs the columns word1, word2, SimLex999"):
        read_simlex(written(tmp_path, f"{HEAD}a\tb\tN\t1\n{row}\n"))


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"v.txt:2: needs the columns word1"):
        read_simlex(written(tmp_path, "<html>\n<body>\n"))
    (tmp_path / "v.txt").write_bytes(b"\xff\xfe\n")
    with pytest.raises(BadInput, match="not the table of SimLex-999"):
        read_simlex(str(tmp_path / "v.txt"))
    with pytest.raises(BadInput, match="cannot be read"):
        read_simlex(str(tmp_path / "none.txt"))


@needs_data
def test_all_pairs_are_read() -> None:
    pairs = read_simlex(published_lists.simlex_file())
    assert len(pairs) == 999
    assert pairs[0] == (("old", "new"), 1.58)
    assert pairs[-1] == (("attend", "arrive"), 6.08)
