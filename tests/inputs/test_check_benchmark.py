"""Benchmarks that are made by hand are checked like files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hansproof
from hansproof.errors import BadInput
from hansproof.inputs.check_benchmark import check_benchmark
from hansproof.types import Benchmark, Item

ITEM = Item("a", {"question": "Is ice cold?"}, ("yes", "no"), 0)


def make_benchmark(*items: Any) -> Benchmark:
    return Benchmark("mine", {"test": items})


def test_what_was_loaded_is_returned_as_it_is() -> None:
    for benchmark in (hansproof.load("toy"), make_benchmark(ITEM, replace(ITEM, id="b"))):
        assert check_benchmark(benchmark) is benchmark


def test_lists_become_tuples_and_numbers_of_numpy_become_int() -> None:
    loose: Any = replace(ITEM, choices=["yes", "no"], answer=np.int64(0))  # type: ignore[arg-type]
    benchmark: Any = Benchmark("mine", {"test": [loose]})  # type: ignore[dict-item]
    checked = check_benchmark(benchmark)
    assert checked.splits == {"test": (ITEM,)}
    assert type(checked.splits["test"][0].answer) is int


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": 2}, "a: answer: is 2, out of range for 2 choices"),
        ({"answer": -1}, "a: answer: is -1, out of range"),
        ({"answer": "yes"}, "a: answer: is 'yes', must be an index"),
        ({"answer": True}, "a: answer: is True, must be an index"),
        ({"choices": ()}, "a: choices: has no choices"),
        ({"choices": "yes"}, "a: choices: has no choices"),
        ({"choices": (1, 2)}, "a: choices: must be texts"),
        ({"fields": {"question": None}}, "a: fields: must be a dict from name to text"),
        ({"id": 1}, "1: id: is not text"),
    ],
)
def test_the_item_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=f"mine:test: {message}"):
        check_benchmark(make_benchmark(replace(ITEM, **changes)))


@pytest.mark.parametrize(
    ("benchmark", "message"),
    [
        (make_benchmark(ITEM, ITEM), "mine:test: a: is the id of several items"),
        (make_benchmark("a"), "mine:test: contains str, must contain Items"),
        (make_benchmark(), "mine: has no items"),
        (Benchmark("mine", {}), "mine: has no items"),
        (Benchmark("mine", {"test": ITEM}), "mine:test: is of type Item"),  # type: ignore[dict-item]
    ],
)
def test_splits_are_checked(benchmark: Benchmark, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        check_benchmark(benchmark)


@pytest.mark.parametrize(
    "function",
    [
        hansproof.load,
        hansproof.audit,
        lambda benchmark: hansproof.run("cues", benchmark),
        lambda benchmark: hansproof.predict(benchmark, "longest"),
        hansproof.gate,
        lambda benchmark: hansproof.run("transfer", "toy:original", others=benchmark),
    ],
)
def test_every_function_checks(function: Callable[[Benchmark], object]) -> None:
    with pytest.raises(BadInput, match="mine:test: a: answer: is 2"):
        function(make_benchmark(replace(ITEM, answer=2)))
