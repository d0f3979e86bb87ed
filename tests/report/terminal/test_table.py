from __future__ import annotations

import io

import pytest
from rich.console import Console

from hansproof.report.terminal.table import TerminalTable, limited_table


def drawn(rows: TerminalTable, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(rows)
    out = console.file
    assert isinstance(out, io.StringIO)
    return out.getvalue()


WIDE = TerminalTable(
    "gaps",
    ["system", "split", *(f"number_{i}" for i in range(12))],
    [[name, "test", *(f"0.{i}{name}" for i in range(12))] for name in ("bert", "roberta")],
)


def test_what_all_rows_share_is_said_once() -> None:
    text = drawn(WIDE, 300)
    assert text.splitlines()[0] == "gaps  split: test"
    assert text.count("test") == 1


@pytest.mark.parametrize("width", [40, 80, 120, 300])
def test_every_cell_is_there_at_any_width(width: int) -> None:
    text = drawn(WIDE, width)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    for row in WIDE.cells:
        for cell in row:
            assert cell in text


def test_every_strip_is_led_by_the_name() -> None:
    lines = [line for line in drawn(WIDE, 60).splitlines() if "0." in line]
    assert len(lines) > 4
    assert all("bert" in line[:10] for line in lines)


def test_one_row_shares_nothing() -> None:
    text = drawn(TerminalTable("one", ["a", "b"], [["x", "y"]]), 80)
    assert text.splitlines()[0] == "one"
    assert "x" in text


def test_no_rows() -> None:
    assert "none" in drawn(TerminalTable("none", ["a"], []), 80)


def test_a_p_at_its_floor_is_a_bound_and_the_floor_is_not_shown() -> None:
    columns = ("split", "p", "ceiling_p", "p_floor", "ceiling_p_floor")
    rows = [("dev", 0.005, 0.5, 0.005, 0.01), ("test", 0.04, None, 0.005, None)]
    console = Console(width=100, file=io.StringIO(), color_system=None)
    console.print(limited_table("views", columns, rows))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert text.count("≤ 0.005") == 1
    assert "0.04" in text
    assert text.count("≤") == 1
    assert "floor" not in text


def test_results_are_never_named_in_the_title_only() -> None:
    columns, rows = (
        ["view", "accuracy", "n"],
        [["full", "57.5%", "444"], ["choices", "57.5%", "444"]],
    )
    title, *lines = drawn(TerminalTable("arct", columns, rows), 80).splitlines()
    assert title == "arct  n: 444"
    assert "\n".join(lines).count("57.5%") == 2


def test_the_only_number_stays_in_the_table() -> None:
    text = drawn(TerminalTable("sizes", ["split", "n"], [["dev", "12"], ["test", "12"]]), 80)
    assert text.splitlines()[0] == "sizes"
    assert text.count("12") == 2


def test_every_strip_has_the_columns_that_tell_rows_apart() -> None:
    rows = [
        [split, cue, *(f"0.{i}" for i in range(9))]
        for split in ("dev", "test")
        for cue in ("a", "b")
    ]
    columns = ["split", "cue", *(f"number_{i}" for i in range(9))]
    text = drawn(TerminalTable("cues", columns, rows), 60)
    assert text.count("│ split") + text.count("┃ split") == text.count("┃ cue") > 1
