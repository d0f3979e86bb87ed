"""What `show`, `run` and `diff` print."""

from __future__ import annotations

from hansproof.report.terminal.benchmark import benchmark_view
from hansproof.report.terminal.result import result_view
from hansproof.types import Benchmark, Item, Result, Table

from ...support.terminal import printed

ITEM = Item("1", {"premise": "It rained."}, ("a", "b"), 0)


def test_what_is_left_out_can_be_had_by_a_command_that_is_there() -> None:
    many = Benchmark("many", {f"s{at}": (ITEM,) for at in range(20)})
    shown = printed(benchmark_view(many, 0))
    assert "5 more rows: `hansproof validate` names them all" in shown
    assert "--json" not in shown
    table = Table(("word",), tuple((f"w{at}",) for at in range(20)))
    run = printed(result_view(Result("mine", {}, "clear", "", tables={"words": table})))
    assert "5 more rows: --json has them all" in run


def test_names_are_neither_markup_nor_control() -> None:
    evil = "[/x] \x1b[31m \u202e"
    seen = "[/x] ‹U+001B›[31m ‹U+202E›"
    item = Item(evil, {evil: "It rained."}, ("a", "b"), 0)
    shown = printed(benchmark_view(Benchmark("b", {evil: (item,)}, aliases={evil: (evil,)}), 1))
    assert f"{seen}: It rained." in shown
    assert f"{seen} {seen}" in shown  # split and id
    assert f"{seen} = {seen}" in shown
    assert not {"\x1b", "\u202e"} & set(shown)
    table = Table((evil,), (("a",),))
    run = printed(result_view(Result("mine", {}, "clear", "", tables={evil: table})))
    assert run.count(seen) == 2
    assert not {"\x1b", "\u202e"} & set(run)


def test_items_are_named_where_they_are_the_finding() -> None:
    evidence = {f"finding {at}": tuple(f"id{i}\x1b" for i in range(at)) for at in range(1, 21)}
    lines = printed(result_view(Result("integrity", {}, "caution", "", evidence=evidence)))
    ten = ", ".join(f"id{i}‹U+001B›" for i in range(10))
    shown = " ".join(lines.split())
    assert "finding 1: id0‹U+001B› finding 2:" in shown
    assert f"finding 10: {ten} finding 11: {ten} … and 1 more" in shown
    assert f"finding 15: {ten} … and 5 more … 5 more findings --json has them all" in shown
    few = Result("agreement", {}, "caution", "", evidence={"no majority": ("7",)})
    assert printed(result_view(few)).split("\n")[1:3] == ["items", "  no majority: 7"]
    cues = Result("cues", {}, "caution", "", evidence=evidence)
    assert "id0" not in printed(result_view(cues))


def test_rules_are_sentences_unless_their_table_is_another() -> None:
    columns = ("split", "rule", "right", "n", "chance", "kind")
    rows = (
        ("all", "the longest choice", 1200, 1500, 0.25, "telling"),
        ("all", "the only choice with “\x1b”, but not both", 1, 12, 0.25, "eliminating"),
    )
    result = Result("shortcuts", {}, "exposed", "", tables={"rules": Table(columns, rows)})
    lines = printed(result_view(result)).split("\n")
    assert lines[1:4] == [
        "rules",
        "  The longest choice is right in 1,200 of 1,500 items (80.0%; chance 25.0%).",
        "  The only choice with “‹U+001B›”, but not both, is wrong in 11 of 12 items "
        "(91.7%; chance 75.0%).",
    ]
    odd = Table(columns, (("all", "the longest choice", "x", 0, None, "telling"),))
    shown = printed(result_view(Result("shortcuts", {}, "exposed", "", tables={"rules": odd})))
    assert "is right in" not in shown
    assert "the longest choice" in shown
