"""The `repr` of every data type fits on one screen, however much it contains."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

import hansproof
from hansproof.diff import compare_audits
from hansproof.gates import GateResult, Limit, LimitOutcome
from hansproof.inputs.ratings import Ratings
from hansproof.records.column_mapping import ColumnMapping
from hansproof.types import (
    Audit,
    Benchmark,
    Card,
    Cell,
    EditReport,
    EditResult,
    Estimate,
    Failure,
    Item,
    Predictions,
    ReadingNote,
    Result,
    Table,
)

from ..support.contaminated_sample import SCANS
from ..support.report_sample import sample

LONG = "a long text with \x1b[31m an escape and \u202e an override " * 200
ITEM = Item(
    LONG, {f"{LONG}{i}": LONG for i in range(30)}, (LONG,) * 30, 0, LONG,
    {f"{LONG}{i}": LONG for i in range(30)}, LONG, 3,
)  # fmt: skip
CARD = Card(LONG, LONG, LONG, LONG)
BENCHMARK = Benchmark(
    LONG,
    {f"{i} {LONG}": (ITEM,) for i in range(40)},
    {LONG: "0"},
    CARD,
    {LONG: (LONG,)},
    (ReadingNote(LONG),),
)
ESTIMATES = tuple(Estimate(f"{i} {LONG}", 0.5, 0.4, 0.6, 10, 0.5) for i in range(100))
ROW: tuple[Cell, ...] = (LONG, *[0.123456789] * 49)
TABLE = Table(tuple(f"{LONG}{i}" for i in range(50)), tuple(ROW for _ in range(5000)))
RESULT = Result(
    LONG, {LONG: LONG}, "exposed", LONG, ESTIMATES, {f"{LONG}{i}": TABLE for i in range(30)},
    {f"{LONG}{i}": (LONG,) * 1000 for i in range(30)}, (LONG,) * 30, 0.01, 0.02,
)  # fmt: skip
AUDIT = Audit(
    3, "0.1", LONG, {LONG: LONG}, {LONG: 100}, CARD, (RESULT,) * 50,
    (Failure(LONG, LONG),) * 50, {LONG: LONG}, (ITEM,) * 1000, LONG, LONG,
)  # fmt: skip
RUN = Predictions(
    LONG, LONG, LONG, LONG, LONG, {str(i): (0.1, 0.9) for i in range(5000)}, 3, "cv", LONG, 0.9,
    {LONG: LONG}, LONG, LONG, LONG, {str(i): "refused" for i in range(5000, 6000)},
)  # fmt: skip
OUTCOMES = (LimitOutcome(Limit(LONG, 0.1), "fail", reason=LONG),) * 100
LARGE: list[Any] = [
    ITEM, CARD, BENCHMARK, ESTIMATES[0], TABLE, RESULT, AUDIT, RUN, Failure(LONG, LONG),
    EditReport(LONG, ESTIMATES, {LONG: TABLE}, {LONG: (LONG,) * 1000}, (LONG,) * 100),
    EditResult(BENCHMARK, EditReport(LONG)),
    GateResult(LONG, (LONG,) * 100, LONG, OUTCOMES),
    ColumnMapping((LONG,) * 100, LONG, (LONG,) * 100, LONG, name=LONG),
    Ratings(LONG, ((LONG, LONG, 1),) * 5000),
    compare_audits(AUDIT, replace(AUDIT, results=())),
    SCANS[0][1],
]  # fmt: skip


@pytest.mark.parametrize("value", LARGE, ids=lambda value: type(value).__name__)
def test_a_repr_is_short_and_printable(value: object) -> None:
    text = repr(value)
    assert 20 < len(text) < 2000
    assert all(char.isprintable() or char == "\n" for char in text)
    assert type(value).__name__ in text


def test_every_public_class_is_tried() -> None:
    classes = {c for c in map(hansproof.__dict__.get, hansproof.__all__) if isinstance(c, type)}
    shown = {c for c in classes if issubclass(c, hansproof.types.Displayable)}
    assert shown <= {type(value) for value in LARGE}


def test_small_values_are_given_in_full() -> None:
    item = Item("1", {"q": "Is ice cold?"}, ("yes", "no"), 0)
    assert repr(item) == (
        "Item(id='1', fields={'q': 'Is ice cold?'}, choices=('yes', 'no'), answer=0)"
    )
    assert repr(Card(licence="MIT")) == "Card(licence='MIT')"


def test_an_audit_lists_verdicts_and_failures() -> None:
    audit = sample(failures=(Failure("seeds", "no runs"),))
    lines = repr(audit).splitlines()
    assert lines[0].startswith("<Audit of ")
    assert [line.split()[:2] for line in lines[-5:]] == [
        ["cues", "exposed"], ["surface", "exposed"], ["integrity", "caution"],
        ["class_balance", "clear"], ["seeds", "failed"],
    ]  # fmt: skip
    assert " ".join(line.strip() for line in lines[1:-5]) == audit.headline


def test_a_table_shows_flagged_rows_and_the_columns_that_decide() -> None:
    columns = ("split", "cue", "a", "b", "c", "d", "e", "p", "q", "flag")
    rows = tuple(("dev", f"cue {i}", *[i] * 7, "telling" if i == 30 else "") for i in range(40))
    lines = repr(Table(columns, rows)).splitlines()
    assert lines[1].split() == ["split", "cue", "a", "b", "c", "q", "flag"]
    assert lines[2].split() == ["dev", "cue", "30", "30", "30", "30", "30", "telling"]
    assert lines[3].split() == ["dev", "cue", "0", "0", "0", "0", "0"]
    assert lines[-1] == "  … more columns: d, e, p"


def test_a_benchmark_lists_its_splits() -> None:
    unlabelled = Item("2", {"q": "?"}, ("yes", "no"), None)
    benchmark = Benchmark("b", {"dev": (ITEM,), "test": (unlabelled,)}, {"train": "dev"})
    assert repr(benchmark).splitlines() == [
        "<Benchmark b: 2 items>",
        "  dev   1 items, for train",
        "  test  1 items, without answers",
    ]


def test_a_table_shows_its_first_rows() -> None:
    table = Table(("word", "p"), tuple((f"word {i}", i / 7) for i in range(20)))
    lines = repr(table).splitlines()
    assert lines[:3] == ["<Table: 20 rows, 2 columns>", "  word    p", "  word 0  0"]
    assert lines[-1] == "  … 12 more rows"


def test_a_repr_needs_nothing_but_the_standard_library() -> None:
    code = (
        "import sys, hansproof\n"
        "before = {*sys.modules}\n"
        "repr(hansproof.Predictions('b', 's', '', 'm', 'full', {}))\n"
        "print(*{m.split('.')[0] for m in {*sys.modules} - before})"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {*out.stdout.split()} <= {*sys.stdlib_module_names, "hansproof"}
