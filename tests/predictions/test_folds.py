"""The fold of each item, in files of predictions and in predictions that are given."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.errors import BadInput
from hansproof.predictions import (
    BenchmarkSplits,
    check_answers,
    read,
    write,
    write_new,
    write_partial,
)
from hansproof.predictions.writer import to_bytes
from hansproof.types import Benchmark, Item, Predictions

ITEMS = tuple(Item(id, {"q": id}, ("yes", "no"), 0) for id in "abcd")
BENCHMARK = Benchmark("b", {"test": ITEMS})
SPLITS = BenchmarkSplits(BENCHMARK)
RUN = Predictions(
    "b", "test", BENCHMARK.sha256()["test"], "m", "choices", dict.fromkeys("abc", (0.1, 0.9)),
    protocol="cv", unanswered={"d": "refused"}, folds={"a": 0, "b": 2, "c": 1, "d": 0},
)  # fmt: skip


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from("abcd"), st.integers(-(2**70), 2**70)))
def test_folds_are_read_as_they_were_written(folds: dict[str, int]) -> None:
    run = replace(RUN, folds=folds)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/p.jsonl"
        write(path, run)
        assert read(path, SPLITS) == run
        write_new(path, run)  # the same bytes


def test_a_line_says_its_fold_and_the_header_says_nothing_of_folds(tmp_path: Path) -> None:
    write(str(tmp_path / "p.jsonl"), RUN)
    header, *lines = map(json.loads, (tmp_path / "p.jsonl").read_text().splitlines())
    assert "folds" not in header
    assert {line["id"]: line["fold"] for line in lines} == RUN.folds
    write(str(tmp_path / "q.jsonl"), replace(RUN, folds={}))
    assert '"fold"' not in (tmp_path / "q.jsonl").read_text()
    assert read(str(tmp_path / "q.jsonl"), SPLITS).folds == {}


@pytest.mark.parametrize("fold", ["1", 1.0, 1.5, True, [1], {}])
def test_folds_that_are_no_numbers(tmp_path: Path, fold: Any) -> None:
    header, *lines = to_bytes(RUN, {}).decode().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), "fold": fold})
    (tmp_path / "p.jsonl").write_text("\n".join([header, *lines]) + "\n")
    with pytest.raises(BadInput, match=r"p\.jsonl:3: fold: is .*, must be a whole n") as caught:
        read(str(tmp_path / "p.jsonl"), SPLITS)
    assert str(caught.value).isprintable()


def test_a_fold_of_null_is_an_unknown_fold(tmp_path: Path) -> None:
    text = to_bytes(RUN, {}).decode().replace('"fold": 2', '"fold": null')
    (tmp_path / "p.jsonl").write_text(text)
    assert read(str(tmp_path / "p.jsonl"), SPLITS).folds == {"a": 0, "c": 1, "d": 0}


def test_given_folds_are_checked_and_become_plain_numbers() -> None:
    folds: Any = dict(zip("abcd", np.arange(4), strict=True))
    run = check_answers(replace(RUN, folds=folds), ITEMS, "p")
    assert run.folds == {"a": 0, "b": 1, "c": 2, "d": 3}
    assert {type(fold) for fold in run.folds.values()} == {int}
    assert to_bytes(run, {}).count(b'"fold"') == 4
    with pytest.raises(BadInput, match="p: folds: must be whole numbers"):
        check_answers(replace(RUN, folds={"a": 0.5}), ITEMS, "p")  # type: ignore[dict-item]
    with pytest.raises(BadInput, match="`folds` must be dicts"):
        check_answers(replace(RUN, folds=[0, 1]), ITEMS, "p")  # type: ignore[arg-type]


def test_an_incomplete_run_keeps_its_folds(tmp_path: Path) -> None:
    first = replace(RUN, scores={"a": (0.0, 1.0)}, unanswered={})
    part = write_partial(str(tmp_path / "p.jsonl"), first)
    lines = [json.loads(line) for line in Path(part).read_text().splitlines()]
    assert lines[1]["fold"] == 0
