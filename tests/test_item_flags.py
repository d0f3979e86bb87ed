from __future__ import annotations

import csv
import io

from hansproof import load
from hansproof.auditing import run_audit
from hansproof.item_flags import (
    CHANGE_COLUMNS,
    ITEM_COLUMNS,
    changed_rows,
    flags_by_item,
    item_rows,
    to_csv,
)
from hansproof.types import Benchmark, Item


def test_one_row_per_item_with_its_flags() -> None:
    toy = load("toy:original")
    rows = item_rows(toy, run_audit(toy))
    assert [row["id"] for row in rows] == [item.id for item in toy.splits["original"]]
    flagged = {row["id"]: row for row in rows}["toy-002"]  # its right choice alone has "had"
    assert "cues/original: had" in flagged["why"].split("; ")
    assert int(flagged["flags"]) == len(flagged["why"].split("; "))
    assert any(row["flags"] == "0" and row["why"] == "" for row in rows)


def test_csv_holds_no_formula() -> None:
    items = (Item("=1+1", {"q": ""}, ("a, b", 'c "d"'), 0),)
    benchmark = Benchmark("b", {"all": items})
    text = to_csv(ITEM_COLUMNS, item_rows(benchmark, run_audit(benchmark))).decode()
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["id"] == "'=1+1"
    assert row["split"] == "all"
    assert to_csv(CHANGE_COLUMNS, []) == b"id,gone,new\r\n"


def test_items_whose_flags_changed() -> None:
    old, new = run_audit(load("toy:original")), run_audit(load("toy:balanced"))
    rows = changed_rows(old, new)
    assert {row["id"] for row in rows} == set(flags_by_item(old))
    assert all(row["gone"] and not row["new"] for row in rows)
    assert changed_rows(old, old) == []
