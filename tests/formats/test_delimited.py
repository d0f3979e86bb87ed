"""Tables of text: with and without a header, and with very many columns."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from hansproof.formats import ColumnMapping
from hansproof.types import Items

ROWS = "What is blue?,a tree,the sky,milk,B\nWhat is white?,coal,grass,snow,C\n"
NUMBERED = {"choices": ("2", "3", "4"), "answer": "5", "fields": ("1",)}
HINT = "if the first line is an item, add --no-header: its columns are then 1, 2, 3, ..."


def test_30_000_columns(reads: Callable[..., Items]) -> None:
    header = ["question", "A", "B", "answer", *(f"c{i}" for i in range(30_000))]
    row = ["q", "x", "y", "B", *["v"] * 30_000]
    start = time.perf_counter()
    (item,) = reads(",".join(header) + "\n" + ",".join(row) + "\n", "x.csv")
    assert time.perf_counter() - start < 2  # was 9 seconds and more
    assert (item.answer, len(item.meta)) == (1, 30_000)


@pytest.mark.parametrize(("name", "text"), [("x.csv", ROWS), ("x.tsv", ROWS.replace(",", "\t"))])
def test_no_header(reads: Callable[..., Items], name: str, text: str) -> None:
    items = reads(text, name, ColumnMapping(header=False, **NUMBERED))  # type: ignore[arg-type]
    assert [item.fields["question"] for item in items] == ["What is blue?", "What is white?"]
    assert [item.choices[item.answer or 0] for item in items] == ["the sky", "snow"]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("header", [None, False])
def test_a_first_line_that_is_an_item(
    reads: Callable[..., Items], sign: str, header: bool | None
) -> None:
    items = reads(ROWS.replace(",", sign), "x.csv", ColumnMapping(header=header))
    assert [item.fields["question"] for item in items] == ["What is blue?", "What is white?"]
    assert [item.choices[item.answer or 0] for item in items] == ["the sky", "snow"]
    assert [(item.file, item.line) for item in items] == [("x.csv", 1), ("x.csv", 2)]


def test_a_column_without_a_name_is_a_property(reads: Callable[..., Items]) -> None:
    items = reads(",question,A,B,answer,\n7,q,x,y,A,\n8,r,x,y,B,\n", "x.csv")
    assert [item.meta for item in items] == [{"column 1": "7"}, {"column 1": "8"}]


def test_the_error_says_what_to_do_without_a_header(fails: Callable[..., str]) -> None:
    rows = ROWS.replace(",B", ",sky").replace(",C", ",ice")  # the answers are not choices
    assert fails(rows, "x.csv") == (
        "x.csv: columns not recognised (What is blue?, a tree, the sky, milk, sky): "
        "name them with --choices, --field, --answer"
    )
    assert fails(rows, "x.csv", ColumnMapping(header=False)) == (
        "x.csv: columns not recognised (1, 2, 3, 4, 5): name them with --choices, --field, --answer"
    )
    assert fails("q?,x,y,y\n", "x.csv") == f"x.csv:1: y: appears twice in the header ({HINT})"


def test_rows_of_another_length(fails: Callable[..., str]) -> None:
    error = fails(ROWS + "q,x,y,C\n", "x.csv", ColumnMapping(header=False))
    assert error == "x.csv:3: has 4 cells, but the first line has 5"


def test_other_formats_have_no_header(fails: Callable[..., str]) -> None:
    error = fails('{"question": "q"}\n', "x.jsonl", ColumnMapping(header=False))
    assert error == "x.jsonl: --no-header applies only to tables (CSV, TSV)"


def test_a_choice_that_could_name_a_column(reads: Callable[..., Items]) -> None:
    rows = "Which metal is a liquid?,gold,mercury,tin,B\nWhich one rusts?,iron,gold,tin,A\n"
    assert [item.answer for item in reads(rows, "x.csv")] == [1, 0]
    other = "Which one is a label?,gold (i) of it,tin,lead,A\nWhich one rusts?,iron,gold,tin,A\n"
    assert [item.answer for item in reads(other, "x.csv")] == [0, 0]
