"""Accuracies by seed, from the tables that papers record."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.inputs.accuracies import SeedAccuracy, read_accuracies

from ..support.log_factories import data_path, write_file
from ..support.markers import needs_data


@needs_data
def test_the_recorded_experiments() -> None:
    found = read_accuracies([data_path("arct_adversarial", "recorded", "*", "accs.csv")])
    assert len({row.model for row in found}) == 19
    first = next(row for row in found if row.model == "bert_large")
    assert (first.seed, first.train) == (5514, 1.0)
    assert first.accuracy == {"dev": 0.689873417721519, "test": 0.7139639639639641}
    adversarial = next(row for row in found if row.model == "bert_large_adv")
    assert set(adversarial.accuracy) == {"dev", "test", "test_adv"}


def test_names_and_gaps(tmp_path: Path) -> None:
    path = write_file(tmp_path, "bert.csv", "run,seed,train,dev\n1,,nan,0.5\n2,7,,1\n")
    one, two = read_accuracies([path])
    assert (one.model, one.seed, one.accuracy) == ("bert", None, {"dev": 0.5})
    assert one.train is not None
    assert math.isnan(one.train)
    assert two == SeedAccuracy("bert", 7, None, {"dev": 1.0})
    write_file(tmp_path, "x/accs.jsonl", [{"model": "m", "seed": 1, "test": 0.25}, {"test": 1}])
    assert [row.model for row in read_accuracies([str(tmp_path / "**" / "*.jsonl")])] == ["m", "x"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("seed,test\n1,1.5\n", "a.csv:2: test: 1.5 is not between 0 and 1"),
        ("seed,test\n1,-0.1\n", "a.csv:2: test: -0.1 is not between 0 and 1"),
        ("seed,test\n1,nan\n", "a.csv:2: test: nan is not between 0 and 1"),
        ("seed,train,test\n1,71.2,0.5\n", "a.csv:2: train: 71.2 is not between 0 and 1"),
        ("seed,test\n1,good\n", "a.csv:2: test: 'good' is not a number"),
        ("seed,test\n1.5,0.5\n", "a.csv:2: seed: '1.5' is not a whole number"),
        ("seed,test\nnan,0.5\n", "a.csv:2: seed: 'nan' is not a whole number"),
        (
            "seed,train\n1,0.5\n",
            "a.csv:2: has no column with the accuracy on a split, such as test",
        ),
        ("seed,test\n", "a.csv: contains no accuracies"),
    ],
)
def test_bad(tmp_path: Path, content: str, what: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_accuracies([write_file(tmp_path, "a.csv", content)])
    assert str(caught.value).rpartition("/")[2] == what


def test_no_such_file(tmp_path: Path) -> None:
    for pattern in ("a.csv", "*.csv"):
        with pytest.raises(BadInput, match="no such file"):
            read_accuracies([str(tmp_path / pattern)])
    with pytest.raises(BadInput, match="unknown table format"):
        read_accuracies([write_file(tmp_path, "a.md", "x")])
