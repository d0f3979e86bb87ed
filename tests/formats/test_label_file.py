"""Labels in a second file."""

from __future__ import annotations

from collections.abc import Callable

from hansproof.formats import ColumnMapping
from hansproof.types import Items

ITEMS = [{"id": i, "goal": "g", "sol1": "x", "sol2": "y"} for i in range(3)]


def test_one_per_line(reads: Callable[..., Items], write: Callable[[str, object], str]) -> None:
    for name in ("labels.lst", "labels.txt", "labels"):
        mapping = ColumnMapping(labels=write(name, "1\n0\n\n1\n"))
        assert [item.answer for item in reads(ITEMS, mapping=mapping)] == [1, 0, 1]


def test_by_id(reads: Callable[..., Items], write: Callable[[str, object], str]) -> None:
    path = write("labels.jsonl", [{"id": i, "label": i % 2} for i in (2, 1, 0)])
    assert [item.answer for item in reads(ITEMS, mapping=ColumnMapping(labels=path))] == [0, 1, 0]
    path = write("labels.csv", "id,label\n2,1\n1,1\n0,0\n")
    assert [item.answer for item in reads(ITEMS, mapping=ColumnMapping(labels=path))] == [0, 1, 1]


def test_wrong(fails: Callable[..., str], write: Callable[[str, object], str]) -> None:
    def labels(name: str, content: object) -> str:
        return fails(ITEMS, mapping=ColumnMapping(labels=write(name, content)))

    assert labels("l.lst", "1\n0\n") == "l.lst: has 2 labels for 3 items"
    assert labels("l.lst", "1\n0\n2\n") == "l.lst:3: label: 2 is out of range for 2 choices"
    assert labels("l.jsonl", [{"id": 9, "label": 0}]) == "l.jsonl:1: id: no item has the id '9'"
    assert labels("l.jsonl", [{"id": 1, "label": 0}] * 2) == "l.jsonl:2: id: '1' appears twice"
    assert labels("l.jsonl", [{"key": 1}]) == "l.jsonl:1: needs an id and a label; found: key"
    assert labels("l.jsonl", [{"id": 1, "label": 0}]).startswith(
        "x.jsonl:1: label: missing, although"
    )
