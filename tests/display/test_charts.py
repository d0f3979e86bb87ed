"""Charts for notebooks: those of the report, with their rows and a width of their own."""

from __future__ import annotations

import json
from typing import Any

import pytest
import vl_convert

from hansproof.errors import BadInput, UnknownName
from hansproof.types import Result, Table

from ..support import sample_answers, sample_blind
from ..support.report_sample import sample

RESULTS = {
    result.probe: result
    for result in (
        *sample().results,
        *sample_answers.answered().results,
        *sample_blind.in_company().results,
    )
}
DRAWN = ("class_balance", "cues", "surface", "compare", "easy_hard", "partial_input", "seeds")


def spec_of(result: Result, split: str | None = None) -> dict[str, Any]:
    spec: dict[str, Any] = result.chart(split).to_dict()
    return spec


@pytest.mark.parametrize("probe", DRAWN)
def test_charts_are_valid_and_can_be_drawn(probe: str) -> None:
    spec = spec_of(RESULTS[probe])  # altair validates it
    svg = vl_convert.vegalite_to_svg(spec)
    assert "NaN" not in svg
    assert svg.count("<path") > 3
    assert "containerSize" not in json.dumps(spec)


def test_a_chart_has_the_rows_of_its_table() -> None:
    spec = spec_of(RESULTS["cues"])
    rows = spec["datasets"]["rows"]
    assert {row["split"] for row in rows} == {"pooled"}
    assert rows[0].keys() == {"row", *RESULTS["cues"].tables["cues"].columns}


def test_another_split_can_be_drawn() -> None:
    spec = spec_of(RESULTS["cues"], "test")
    assert {row["split"] for row in spec["datasets"]["rows"]} == {"test"}
    assert {"name": "split", "value": "test"} in spec["params"]
    with pytest.raises(UnknownName, match="did you mean test"):
        RESULTS["cues"].chart("tset")
    with pytest.raises(BadInput, match="this chart shows all splits: leave it out"):
        RESULTS["class_balance"].chart("dev")


def test_panes_are_stacked_under_their_names() -> None:
    spec = spec_of(RESULTS["class_balance"])
    assert [view["title"] for view in spec["vconcat"]] == ["dev", "test"]
    assert spec["title"] == "Class balance"


def test_a_result_without_a_chart_is_an_error() -> None:
    with pytest.raises(BadInput, match="integrity: there is no chart"):
        RESULTS["integrity"].chart()
    own = Result("mine", {}, "clear", "Nothing.", tables={"t": Table(("a",), ((1,),))})
    with pytest.raises(BadInput, match="mine: there is no chart"):
        own.chart()
