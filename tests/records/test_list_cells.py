"""Lists in a cell: as JSON, as Python and NumPy print them, and what is no list."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.records.list_cells import detect_list_separator, parse_collection, parse_list

PLAIN = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.lists(PLAIN, min_size=1, max_size=5))
def test_what_python_prints_is_read_back(texts: list[str]) -> None:
    assert parse_list(repr(texts)) == texts
    assert parse_collection(repr(tuple(texts))) == texts
    named = {f"k{i}": text for i, text in enumerate(texts)}
    assert parse_collection(repr(named)) == named


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("['a' 'b'\n 'c']", ["a", "b", "c"]),
        ('["a", "b"]', ["a", "b"]),
        ("[1, 2.5]", [1, 2.5]),
        ("array(['a', 'b'], dtype=object)", None),
        ("[array(['a'], dtype='<U1'), 'b']", [["a"], "b"]),
        ("['a', 'b' 'c']", None),
        ("[a, b]", None),
        ("['a', 5kg]", None),
        ("['a'", None),
        ("", None),
        ("[" * 10 + "'a'" + "]" * 10, None),
    ],
)
def test_lists(text: str, elements: list[object] | None) -> None:
    assert parse_list(text) == elements


def test_long_cells_take_no_time() -> None:
    start = time.perf_counter()
    assert len(parse_list("['a', " * 1 + "'b', " * 200_000 + "'c']") or []) == 200_002
    assert parse_list("[" + "'a' " * 200_000) is None
    assert time.perf_counter() - start < 5


def test_signs_between_choices() -> None:
    assert detect_list_separator(["a; b", "c; d; e"]) == ";"
    assert detect_list_separator(["a|b", "c|d"]) == "|"
    assert detect_list_separator(["a; b", "c", "d", "e"]) is None
    assert detect_list_separator([]) is None
