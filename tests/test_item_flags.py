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
    ids = [item.id for item in toy.splits["original"]]
    assert {row["id"] for row in rows} == {*ids}
    flagged = {row["id"]: row for row in rows}["toy-002"]  # its right choice alone has "had"
    reasons = flagged["why"].split("; ")
    assert "only one choice contains “had”" in reasons
    assert "a bag of words answers it from the choices" in reasons
    assert int(flagged["flags"]) == len(reasons)
    assert any(row["flags"] == "0" and row["why"] == "" for row in rows)
    order = [(-int(row["flags"]), ids.index(row["id"])) for row in rows]
    assert order == sorted(order)  # most flags first, then as in the file


def test_a_row_shows_the_item_as_people_count() -> None:
    item = Item("7", {"text": "Why?", "ask": "Now?"}, ("a", "b"), 1, file="q.csv", line=9)
    benchmark = Benchmark("b", {"all": (item, Item("8", {"text": "So?"}, ("x", "y"), None))})
    first, second = item_rows(benchmark, run_audit(benchmark))
    assert first["question"] == "text: Why?\nask: Now?"
    assert first["choices"] == "1. a\n2. b"
    assert (first["right choice"], first["position of the right choice"]) == ("b", "2")
    assert (first["file"], first["line"]) == ("q.csv", "9")
    assert (second["question"], second["position of the right choice"]) == ("So?", "")


def test_csv_holds_no_formula() -> None:
    items = (Item("=1+1", {"q": ""}, ("a, b", 'c "d"'), 0),)
    benchmark = Benchmark("b", {"all": items})
    text = to_csv(ITEM_COLUMNS, item_rows(benchmark, run_audit(benchmark))).decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["id"] == "'=1+1"
    assert row["split"] == "all"
    assert to_csv(CHANGE_COLUMNS, []) == b"\xef\xbb\xbfid,gone,new\r\n"


def test_items_whose_flags_changed() -> None:
    old, new = run_audit(load("toy:original")), run_audit(load("toy:balanced"))
    rows = changed_rows(old, new)
    assert {row["id"] for row in rows} == set(flags_by_item(old))
    assert all(row["gone"] and not row["new"] for row in rows)
    assert changed_rows(old, old) == []
