"""Inputs are loaded by the name of their flag."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansproof.errors import BadInput
from hansproof.inputs.load import INPUT_NAMES, given_names, load_inputs

from ..support.contaminated_sample import SCANS
from ..support.log_factories import BENCH, write_file


def test_inputs_without_arguments_are_absent(tmp_path: Path) -> None:
    assert load_inputs(BENCH, {}) == {}
    assert load_inputs(BENCH, {"predictions": (), "ratings": ()}) == {}
    path = write_file(tmp_path, "r.csv", "item,rater,choice\n1,anna,A\n2,anna,B\n")
    inputs = load_inputs(BENCH, {"predictions": (), "ratings": (path,)})
    assert list(inputs) == ["ratings"]
    assert inputs["ratings"][0].rows == (("1", "anna", 0), ("2", "anna", 1))


def test_predictions_are_checked_against_the_benchmark(tmp_path: Path) -> None:
    path = write_file(tmp_path, "p.csv", "id,choice\n1,A\n2,B\n")
    (run,) = load_inputs(BENCH, {"predictions": (path,)})["predictions"]
    assert (run.split, run.scores) == ("dev", {"1": (1.0, 0.0), "2": (0.0, 1.0)})
    path = write_file(tmp_path, "q.csv", "id,choice\n1,A\nnobody,B\n")
    with pytest.raises(BadInput, match="nobody is not an item of dev"):
        load_inputs(BENCH, {"predictions": (path,)})


def test_objects_stand_beside_paths(tmp_path: Path) -> None:
    path = write_file(tmp_path, "p.csv", "id,choice\n1,A\n2,B\n")
    (run,) = load_inputs(BENCH, {"predictions": Path(path)})["predictions"]
    renamed = replace(run, model="other")
    assert load_inputs(BENCH, {"predictions": [path, renamed]})["predictions"] == [run, renamed]
    assert load_inputs(BENCH, {"predictions": None, "others": BENCH}) == {"others": [BENCH]}
    scan = SCANS[0][1]
    assert load_inputs(BENCH, {"scans": scan}) == {"scans": [("scans 1", scan)]}


def test_runs_of_another_benchmark_or_without_all_items_are_refused(tmp_path: Path) -> None:
    path = write_file(tmp_path, "p.csv", "id,choice\n1,A\n2,B\n")
    (run,) = load_inputs(BENCH, {"predictions": path})["predictions"]
    with pytest.raises(BadInput, match="made for another version"):
        load_inputs(BENCH, {"predictions": replace(run, sha256="0" * 64)})
    with pytest.raises(BadInput, match="1 of 2 items are missing: 2"):
        load_inputs(BENCH, {"predictions": replace(run, scores={"1": (1.0, 0.0)})})


def test_scores_of_objects_are_checked_like_those_of_files(tmp_path: Path) -> None:
    path = write_file(tmp_path, "p.csv", "id,choice\n1,A\n2,B\n")
    (run,) = load_inputs(BENCH, {"predictions": path})["predictions"]
    loose: Any = {"2": np.array([0.0, 1.0]), "1": [1, 0]}
    (checked,) = load_inputs(BENCH, {"predictions": replace(run, scores=loose)})["predictions"]
    assert checked == run
    assert list(checked.scores) == ["1", "2"]
    wrong: list[tuple[Any, str]] = [
        ([0.5], "1 has 1 scores for 2 choices"),
        ((0.1, 0.2, 0.7), "1 has 3 scores for 2 choices"),
        ((0.5, float("nan")), "1: a score is nan"),
        (("x", 1), "1: not a list of numbers"),
        ("01", "1: not a list of numbers"),
        (0.5, "1: not a list of numbers"),
        (None, "1: not a list of numbers"),
    ]
    for row, message in wrong:
        scores = {**run.scores, "1": row}
        with pytest.raises(BadInput, match=f"predictions of .*: scores: {message}"):
            load_inputs(BENCH, {"predictions": replace(run, scores=scores)})
    with pytest.raises(BadInput, match="9 is not an item of this split"):
        load_inputs(BENCH, {"predictions": replace(run, scores={**run.scores, "9": (1.0, 0.0)})})
    reasons: Any = {"1": "bored"}
    with pytest.raises(BadInput, match="bored is not a known reason"):
        load_inputs(BENCH, {"predictions": replace(run, scores={}, unanswered=reasons)})


@pytest.mark.parametrize("name", INPUT_NAMES)
def test_objects_of_another_type_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match=f"--{name}: is of type int, must be a path or "):
        load_inputs(BENCH, {name: [3]})


def test_blind_runs_saw_the_choices_alone(tmp_path: Path) -> None:
    path = write_file(tmp_path, "p.csv", "id,choice\n1,A\n2,B\n")
    (run,) = load_inputs(BENCH, {"predictions": path})["predictions"]
    blind = replace(run, view="choices")
    assert load_inputs(BENCH, {"blind": [blind]})["blind"] == [blind]
    for view in ("full", "choices/alone", "q+choices"):
        with pytest.raises(BadInput, match=re.escape(f"have the view '{view}', not choices")):
            load_inputs(BENCH, {"blind": [blind, replace(run, view=view)]})


def test_inputs_that_are_declined_are_empty_and_not_named() -> None:
    arguments = {"lm": "none", "encoder": ["none"], "predictions": None, "blind": "none"}
    assert given_names(arguments) == ["blind"]
    declined = {name: arguments[name] for name in ("lm", "encoder", "predictions")}
    assert load_inputs(BENCH, declined) == {"lm": [], "encoder": []}
