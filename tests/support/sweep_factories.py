"""A small benchmark for sweeps, models that report what they were shown, and their records."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hansproof.sweeps import RunSpec, plan_runs
from hansproof.types import Benchmark, Item, Items

MODELS = Path(__file__).parent / "models"
SPY, SLOW, MULTI_FIT = (str(MODELS / f"{name}.py") for name in ("spy", "slow", "multi_fit"))


def items(name: str, n: int, choices: int = 2, answers: bool = True) -> Items:
    """Items whose texts name their split, number and choice."""
    texts = [tuple(f"{name} {i} {c}" for c in range(choices)) for i in range(n)]
    return tuple(
        Item(f"{name}{i}", {"stem": f"which, {name} {i}", "hint": f"{i}"}, texts[i],
             i % choices if answers else None, meta={"asks_for": "cause", "secret": i})
        for i in range(n)
    )  # fmt: skip


TRAIN, DEV, TEST = items("train", 40), items("dev", 10), items("test", 20)
ROLES = {"train": "train", "select": "dev", "test": "test"}
BENCH = Benchmark("b", {"train": TRAIN, "dev": DEV, "test": TEST}, ROLES)
ALONE = Benchmark("b", {"test": TEST}, {"test": "test"})


def only(benchmark: Benchmark, model: str = SPY, view: str = "full", **more: Any) -> RunSpec:
    """The plan of a single run."""
    (run,) = plan_runs(benchmark, [model], [view], [more.pop("seed", 0)], **more)
    return run


def without(benchmark: Benchmark, *splits: str) -> Benchmark:
    """The benchmark with the answers of some splits unknown."""
    bare = {s: tuple(replace(i, answer=None) for i in benchmark.splits[s]) for s in splits}
    return replace(benchmark, splits={**benchmark.splits, **bare})


def contents(folder: Path) -> dict[str, bytes]:
    """The records of a store, by file name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def write_benchmark(folder: Path) -> str:
    """Write a benchmark of two files into `folder`; return its name."""
    (folder / "bench").mkdir()
    for split, n in (("train", 40), ("test", 20)):
        lines = [
            {"id": i.id, "question": i.fields["stem"], "choices": i.choices, "answer": i.answer}
            for i in items(split, n)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / "bench" / f"{split}.jsonl").write_text(text)
    return "bench"


HOLDER = """
import sys
from hansproof._infra.locks import Locks
locks = Locks(sys.argv[1])
print(locks.acquire(sys.argv[2]), flush=True)
sys.stdin.read()
"""


@contextmanager
def holding(folder: Path, key: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that is at a run."""
    command = [sys.executable, "-c", HOLDER, str(folder / ".lock"), key]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        yield process
    finally:
        process.kill()
        process.communicate()
