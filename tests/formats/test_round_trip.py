"""Items that are written and read again are the same items."""

from __future__ import annotations

import csv
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.errors import BadInput
from hansproof.formats import ColumnMapping, jsonl, read_items
from hansproof.records.column_mapping import AnswersFrom
from hansproof.types import Item

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
# A table of text knows no difference between an empty cell and none, nor between line ends.
CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)


def items(text: st.SearchStrategy[str]) -> st.SearchStrategy[list[Item]]:
    def item(number: int, draw: Any) -> Item:
        fields, choices, pick, group = draw
        return Item(f"i{number}", {"question": fields}, tuple(choices), pick % len(choices), group)

    drawn = st.tuples(
        text,
        st.lists(text, min_size=2, max_size=5),
        st.integers(0, 100),
        st.none() | st.sampled_from(["a", "b"]),
    )
    return st.lists(drawn, min_size=1, max_size=6).map(
        lambda draws: [item(number, draw) for number, draw in enumerate(draws)]
    )


def record(item: Item, answer: object) -> dict[str, Any]:
    return {
        "id": item.id,
        "question": item.fields["question"],
        "choices": list(item.choices),
        "answer": answer,
        "group": item.group,
    }


def read_back(name: str, write: Any, answers_from: AnswersFrom | None = None) -> tuple[Item, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(path)
        return read_items(str(path), "all", ColumnMapping(answers_from=answers_from))


@settings(max_examples=60, deadline=None)
@given(items(TEXT), st.booleans())
def test_jsonl(items: list[Item], ascii: bool) -> None:
    def write(path: Path) -> None:
        rows = [json.dumps(record(item, item.answer), ensure_ascii=ascii) for item in items]
        path.write_text("\n".join(rows), encoding="utf-8")

    assert read_back("x.jsonl", write, "0") == tuple(items)


@settings(max_examples=60, deadline=None)
@given(items(TEXT), st.sampled_from([None, 2]))
def test_json(items: list[Item], indent: int | None) -> None:
    def write(path: Path) -> None:
        rows = [record(item, item.answer) for item in items]
        path.write_text(json.dumps({"version": 1, "data": rows}, indent=indent), encoding="utf-8")

    # what is said of all items is kept with each of them
    versioned = [replace(item, meta={"version": 1}) for item in items]
    assert read_back("x.json", write, "0") == tuple(versioned)


@settings(max_examples=60, deadline=None)
@given(items(CELL), st.sampled_from([("x.csv", ","), ("x.tsv", "\t"), ("x.csv", "\t")]))
def test_tables(items: list[Item], kind: tuple[str, str]) -> None:
    name, delimiter = kind

    def write(path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, delimiter=delimiter)
            table.writerow(["id", "question", *"ABCDE", "answer", "group"])
            for item in items:
                choices = [*item.choices, *[""] * (5 - len(item.choices))]
                letter = "ABCDE"[item.answer or 0]
                table.writerow(
                    [item.id, item.fields["question"], *choices, f"({letter})", item.group or ""]
                )

    assert read_back(name, write) == tuple(items)


@settings(max_examples=40, deadline=None)
@given(items(TEXT))
def test_parquet(items: list[Item]) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    def write(path: Path) -> None:
        rows = [record(item, item.answer) for item in items]
        parquet.write_table(arrow.Table.from_pylist(rows), path)

    assert read_back("x.parquet", write, "0") == tuple(items)


def test_missing_numbers_are_missing_answers(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"question": "q", "choices": ["x", "y"], "answer": float("nan")}]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "x.parquet")
    assert read_items(str(tmp_path / "x.parquet"), "all")[0].answer is None


META = st.dictionaries(TEXT, st.none() | TEXT | st.integers(-9, 9) | st.booleans(), max_size=3)


@settings(max_examples=60)
@given(items(TEXT), st.dictionaries(TEXT, TEXT, max_size=3), META, st.booleans())
def test_items_as_we_write_them(
    found: list[Item], fields: dict[str, str], meta: dict[str, Any], labelled: bool
) -> None:
    written = tuple(
        replace(i, fields=fields, meta=meta, answer=i.answer if labelled else None) for i in found
    )
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "test.jsonl")
        jsonl.write_items(path, written)
        assert read_items(path, "test") == written


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"answer": 2}, "answer: is not an index of one of the 2 choices"),
        ({"answer": "A"}, "answer: is not an index of one of the 2 choices"),
        ({"choices": ["a"]}, "choices: has fewer than two choices"),
        ({"fields": {"q": 1}}, "q: is a number, not text"),
        ({"meta": []}, None),
        ({"meta": {"x": [1]}}, "x: is a list, not text, a number or a boolean"),
        ({"id": ""}, "id: is empty"),
        ({"answer": None}, "answer: missing, although other items have one"),
    ],
)
def test_items_as_we_write_them_spoilt(
    changed: dict[str, Any], what: str | None, tmp_path: Path
) -> None:
    good = {"id": "1", "fields": {"q": "why"}, "choices": ["a", "b"], "answer": 0}
    path = tmp_path / "items.jsonl"
    path.write_text(
        "".join(json.dumps(r) + "\n" for r in ({**good, "id": "0"}, {**good, **changed}))
    )
    if what is None:
        assert len(read_items(str(path), "all")) == 2
    else:
        with pytest.raises(BadInput, match=f"items.jsonl:2: {what}"):
            read_items(str(path), "all")
