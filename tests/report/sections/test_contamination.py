"""The section on contamination: levels as a picture, passages with their words marked."""

from __future__ import annotations

import pytest

from hansproof import auditing
from hansproof.probes.contamination import Contamination
from hansproof.report import render_html
from hansproof.report.sections import SCHEMA_MISMATCH, build_section
from hansproof.types import Result, Table

from ...support.contaminated_sample import BENCHMARK, DIRTY, SCANS
from ...support.scan_factories import scan_of


@pytest.fixture(scope="module")
def result() -> Result:
    return Contamination()(BENCHMARK, SCANS)


def test_it_has_a_picture_and_says_what_columns_mean(result: Result) -> None:
    shown = build_section(result)
    (chart,) = shown.charts
    assert list(chart.panes) == ["test"]
    for table in ("levels", "items", "variants", "scores"):
        named = {column.replace("_", " ") for column in result.tables[table].columns}
        said = {name.replace("_", " ") for name in shown.meanings[table]}
        assert said <= named | {"difference interval"}, table


def test_rows_open_the_items_whose_texts_are_kept(result: Result) -> None:
    opens = build_section(result).links["items"]
    (flag, ids) = next(iter(result.evidence.items()))
    assert flag == "test: match"
    rows = [
        dict(zip(result.tables["items"].columns, r, strict=True))
        for r in result.tables["items"].rows
    ]
    assert opens.items is not None
    assert [opens.items(row)[0] for row in rows] == [*ids[: len(rows)]]
    assert len(ids) == len(DIRTY)


def test_odd_tables_are_shown_plainly(result: Result) -> None:
    odd = Result("contamination", {}, "clear", "None.", tables={"levels": Table(("x",), ((1,),))})
    assert build_section(odd) == SCHEMA_MISMATCH


def test_what_stands_in_a_corpus_is_escaped() -> None:
    evil = "<script>alert(1)</script> "
    question = BENCHMARK.splits["test"][1].fields["question"]
    scan = scan_of(BENCHMARK, f"{evil}{question}{evil}")
    found = auditing.run_audit(
        BENCHMARK, {"contamination": Contamination()}, inputs={"scans": [("f", scan)]}
    )
    assert evil in found.results[0].tables["items"].rows[0][3]  # type: ignore[operator]
    assert "<script>alert" not in render_html(found)
