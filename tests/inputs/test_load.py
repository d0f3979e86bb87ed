"""Inputs are loaded by the name of their flag."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.inputs.load import load_inputs

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
