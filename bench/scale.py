"""Time the default probes on benchmarks of growing size, and on many small ones.

Texts are made by a chain over the words of real items (ARC and PIQA, under
HANSPROOF_DATA): each word follows one that it follows there, and some words get a number, so that
the vocabulary grows with the benchmark. Each size runs in a process of its own, which tells its
peak memory.

    python bench/scale.py                      writes bench/scale.json
    python bench/scale.py write 10000 F.jsonl  writes a benchmark of 10,000 items
"""

from __future__ import annotations

import json
import os
import platform
import random
import resource
import subprocess
import sys
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from hansproof import auditing, load
from hansproof.types import Benchmark, Item, Items

SIZES = (3_000, 10_000, 30_000, 100_000)
TRAIN_SIZES = (3_000, 10_000, 30_000)
PARTS, PART_ITEMS = 57, 250  # as many small benchmarks as MMLU has subjects
TRAIN_SHARE = 0.8
NEW_WORDS = 0.03  # share of words that get a number
CUE, CUE_SHARE = "probably", 0.01  # added to right choices, so that there is something to find
SOURCES = ("arc_easy", "arc_challenge", "piqa")


class TextChain:
    """Writes texts of words that follow each other in real items."""

    def __init__(self, items: Items, seed: int) -> None:
        self.random = random.Random(seed)
        self.followers: dict[str, list[str]] = defaultdict(list)
        self.lengths: list[tuple[int, list[int]]] = []  # of the question, and of four choices
        for item in items:
            texts = [*item.fields.values(), *item.choices]
            for text in texts:
                words = ["", *text.split()]
                for word, following in pairwise(words):
                    self.followers[word].append(following)
            sizes = [len(text.split()) for text in texts]
            if len(item.choices) >= 4:
                self.lengths.append((sum(sizes[: -len(item.choices)]), sizes[-4:]))

    def write_item(self, index: int) -> Item:
        """Write an item with four choices, as long as those of a real one."""
        question_size, choice_sizes = self.random.choice(self.lengths)
        choices = [self._write_text(size) for size in choice_sizes]
        answer = self.random.randrange(4)
        if self.random.random() < CUE_SHARE:
            choices[answer] += f" {CUE}"
        fields = {"question": self._write_text(question_size)}
        return Item(f"i{index}", fields, tuple(choices), answer)

    def _write_text(self, size: int) -> str:
        words, word = [], ""
        for _ in range(max(size, 1)):
            word = self.random.choice(self.followers.get(word) or self.followers[""])
            number = ""
            if self.random.random() < NEW_WORDS:
                number = str(int(self.random.paretovariate(0.7)))
            words.append(word + number)
        return " ".join(words)


def write_items(n: int, seed: int = 0) -> Items:
    """Write n items."""
    sources = [item for name in SOURCES for s in load(name).splits.values() for item in s]
    chain = TextChain(tuple(sources), seed)
    return tuple(chain.write_item(index) for index in range(n))


def build_benchmark(n: int, has_train: bool) -> Benchmark:
    """Build a benchmark of n items, in one split or two."""
    items = write_items(n)
    if not has_train:
        return Benchmark("scale", {"test": items}, {"test": "test"})
    cut = int(TRAIN_SHARE * n)
    splits = {"train": items[:cut], "test": items[cut:]}
    return Benchmark("scale", splits, {"train": "train", "test": "test"})


def time_probes(benchmarks: list[Benchmark]) -> dict[str, Any]:
    """Return the seconds of each default probe over all benchmarks, and the peak memory."""
    before = _peak_mb()
    probes: dict[str, dict[str, float]] = {}
    for name, probe in auditing.default_probes().items():
        wall, cpu = time.perf_counter(), time.process_time()
        for benchmark in benchmarks:
            auditing.run_probe(probe, benchmark, {})
        probes[name] = {
            "wall": round(time.perf_counter() - wall, 2),
            "cpu": round(time.process_time() - cpu, 2),
            "peak_mb": _peak_mb(),
        }
    totals = {key: round(sum(p[key] for p in probes.values()), 1) for key in ("wall", "cpu")}
    return {**totals, "items_mb": before, "peak_mb": _peak_mb(), "probes": probes}


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["write"]:
        _write_file(int(arguments[1]), Path(arguments[2]))
    elif arguments[:1] == ["time"]:
        time_probes([build_benchmark(300, has_train=True)])  # compiled code is loaded once
        print(
            json.dumps(time_probes([build_benchmark(int(arguments[1]), arguments[2] == "train")]))
        )
    elif arguments[:1] == ["parts"]:
        time_probes([build_benchmark(300, has_train=False)])
        items = write_items(PARTS * PART_ITEMS)
        starts = range(0, len(items), PART_ITEMS)
        parts = [Benchmark("part", {"test": items[i : i + PART_ITEMS]}) for i in starts]
        print(json.dumps(time_probes(parts)))
    else:
        _write_table()


def _write_file(n: int, path: Path) -> None:
    rows = (
        {"id": i.id, **i.fields, "choices": i.choices, "answer": i.answer} for i in write_items(n)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def _write_table() -> None:
    sizes = {f"{n} items": _run_alone("time", str(n), "single") for n in SIZES}
    trained = {f"{n} items": _run_alone("time", str(n), "train") for n in TRAIN_SIZES}
    table = {
        "command": "python bench/scale.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "one split": sizes,
        "train and test": trained,
        f"{PARTS} benchmarks of {PART_ITEMS} items": _run_alone("parts"),
    }
    Path(__file__).with_suffix(".json").write_text(json.dumps(table, indent=1) + "\n")


def _run_alone(*arguments: str) -> Any:
    command = [sys.executable, __file__, *arguments]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    print(arguments, out, flush=True)
    return json.loads(out)


if __name__ == "__main__":
    main(sys.argv[1:])
