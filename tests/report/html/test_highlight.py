"""Spans beside a text: read from left to right, and no harm where they are odd."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.report.html.highlight import bracket_marks, marked_columns, parse_spans
from hansproof.report.html.tables import table_data
from hansproof.report.terminal.result import result_view
from hansproof.types import Cell, Result, Table

from ...support.terminal import printed

TEXT = "It rained all day."


@pytest.mark.parametrize(
    ("marks", "found"),
    [
        ("0-2 3-9", [(0, 2), (3, 9)]),
        ("3-9  0-2\n", [(0, 2), (3, 9)]),
        ("0-2:0.5 3-9:1e-05 10-13:1 14-17:0",
         [(0, 2, 0.5), (3, 9, 1e-5), (10, 13, 1), (14, 17, 0)]),
        ("0-2 3-9:0.25", [(0, 2), (3, 9, 0.25)]),
        ("0-18", [(0, 18)]),
        ("0-19", []),
        ("0-5 3-9 9-10", [(0, 5), (9, 10)]),
        ("3-3 5-4", []),
        ("-1-2 0--2 1.5-3 a-b 3 - 9 0-2-3", []),
        ("0-2:1.1 3-9:-0.1 10-13:nan 14-17:inf 0-1:", []),
        ("0-99999999999999999999 3-9:1e999 3-9:9e-1", [(3, 9, 0.9)]),
        ("٠-٢", []),
        ("", []),
        (None, []),
        (7, []),
        (True, []),
    ],
    ids=lambda value: repr(value)[:30],
)  # fmt: skip
def test_what_is_a_span_of_the_text_is_kept(marks: Cell, found: list[tuple[float, ...]]) -> None:
    assert parse_spans(TEXT, marks) == found


def test_what_is_no_text_has_none() -> None:
    assert parse_spans(None, "0-2") == []
    assert parse_spans(12345, "0-2") == []


pieces = st.one_of(
    st.text(max_size=6),
    st.builds("{}-{}".format, st.integers(-2, 40), st.integers(-2, 40)),
    st.builds("{}-{}:{}".format, st.integers(0, 40), st.integers(0, 40), st.floats(-1, 2)),
)


@given(st.text(max_size=40), st.lists(pieces).map(" ".join))
def test_whatever_is_given_they_lie_in_the_text_in_order(text: str, marks: str) -> None:
    cursor = 0
    for start, end, *share in parse_spans(text, marks):
        assert cursor <= start < end <= len(text)
        assert all(0 <= one <= 1 for one in share)
        cursor = int(end)


CHANGES = Table(
    ("item", "before", "after", "before_marks", "after_marks", "text", "marks"),
    (("1", "It rained.", "It poured.", "3-9", "3-9", "rained", "0-6:0.9"), ("2",) + (None,) * 6),
)


def test_columns_are_paired_by_their_names() -> None:
    assert marked_columns(CHANGES) == {
        "before": "before_marks",
        "after": "after_marks",
        "text": "marks",
    }
    assert marked_columns(Table(("word", "marks"), (("a", "0-1"),))) == {}
    assert (
        marked_columns(Table(("text", "marks"), (("a", 3),))) == {}
    )  # somebody's marks out of ten
    assert marked_columns(Table(("text", "text", "marks"), (("a", "b", "0-1"),))) == {}


def test_the_page_has_spans_in_their_place_and_no_column_of_them() -> None:
    data = table_data(CHANGES, "item", {})
    assert [column["label"] for column in data["columns"]] == ["item", "before", "after", "text"]
    assert [column.get("marks") for column in data["columns"]] == [None, 3, 4, 6]
    assert data["rows"][0][3:] == [[(3, 9)], [(3, 9)], "rained", [(0, 6, 0.9)]]
    assert data["rows"][1][3:] == [[], [], None, []]


def test_the_terminal_has_brackets_and_no_column_of_spans() -> None:
    plain = bracket_marks(CHANGES)
    assert plain.columns == ("item", "before", "after", "text")
    assert plain.rows == (("1", "It [rained].", "It [poured].", "rained"), ("2", None, None, None))
    out = printed(result_view(Result("mine", {}, "clear", "", tables={"changes": CHANGES})))
    assert "It [rained]." in out
    assert "marks" not in out


def test_columns_in_which_no_row_says_anything_are_not_shown() -> None:
    empty = Table(("word", "a", "b", "b_low", "b_high"), (("x", 1, None, None, None),) * 2)
    assert [column["label"] for column in table_data(empty, "word", {})["columns"]] == ["word", "a"]
    nothing = Table(("word", "a"), ((None, None),))
    assert [column["label"] for column in table_data(nothing, "word", {})["columns"]] == ["word"]
    assert len(table_data(Table(("word", "a"), ()), "word", {})["columns"]) == 2


def test_ends_of_a_difference_stand_beside_it() -> None:
    table = Table(("a", "difference", "difference_low", "difference_high"), (("x", 0.1, 0.0, 0.2),))
    columns = table_data(table, "a", {})["columns"]
    assert [column["label"] for column in columns] == ["a", "difference", "difference interval"]


def test_an_interval_is_of_the_last_number_before_it() -> None:
    """As in what mirroring leaves: a cue's productivity, then a model's accuracy and its ends."""
    names = ("way", "productivity", "p", "accuracy", "low", "high", "chance")
    columns = table_data(Table(names, (("x", 0.7, 0.1, 0.6, 0.5, 0.7, 0.5),)), "way", {})["columns"]
    assert [column["label"] for column in columns[3:5]] == ["accuracy", "interval"]
    assert [names[at] for at in columns[4]["indices"]] == ["low", "high", "accuracy", "chance"]
