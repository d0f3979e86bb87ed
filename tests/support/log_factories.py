"""Builds a small benchmark, writes log files, and reads them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.logs import LogOverrides, read
from hansproof.types import Benchmark, Item, Predictions


def data_path(*parts: str) -> str:
    return os.path.join(os.environ.get("HANSPROOF_DATA", ""), *parts)


def make_item(id: str, answer: int, *choices: str) -> Item:
    return Item(id, {"question": f"why {id}?"}, choices or (f"yes {id}", f"no {id}"), answer)


BENCH = Benchmark(
    "made",
    {
        "dev": (make_item("1", 0), make_item("2", 1)),
        "test": (make_item("a", 0), make_item("b", 1), make_item("c", 1)),
        "hidden": (Item("h", {}, ("x", "y"), None),),
    },
)


def write_file(folder: Path, name: str, content: object) -> str:
    """Write text, bytes, or a list of records (as JSON lines); return the path."""
    path = folder / name
    if isinstance(content, list):
        content = "".join(json.dumps(record) + "\n" for record in content)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
    return str(path)


def read_one(
    path: str, benchmark: Benchmark = BENCH, overrides: LogOverrides | None = None
) -> Predictions:
    (run,) = read([path], benchmark, overrides=overrides)
    return run


def chosen_indices(run: Predictions) -> dict[str, int]:
    return {id: scores.index(max(scores)) for id, scores in run.scores.items()}


def fails(path: str, benchmark: Benchmark = BENCH, overrides: LogOverrides | None = None) -> str:
    """Return the error of a log: one line, without its folder."""
    with pytest.raises(BadInput) as caught:
        read([path], benchmark, overrides=overrides)
    assert str(caught.value).isprintable()
    return str(caught.value).replace(os.path.dirname(path) + "/", "")


def accuracy(run: Predictions, benchmark: Benchmark) -> float:
    """Return the share of right answers; ties count by expectation."""
    answers = {item.id: item.answer for item in benchmark.splits[run.split]}
    right = 0.0
    for id, scores in run.scores.items():
        best = [i for i, score in enumerate(scores) if score == max(scores)]
        right += (answers[id] in best) / len(best)
    return right / len(answers)
