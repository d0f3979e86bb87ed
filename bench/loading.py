"""Time of the loader on a million items, beside pandas and pyarrow reading the same bytes.

    python bench/loading.py [ITEMS]      writes bench/loading.json; five minutes, 6 GB

pandas and pyarrow are measured twice: until they have a table, and until the table is a list of
Python dicts, which is the nearest to what hansproof makes. `csv.reader` is the floor for any reader
of CSV in pure Python. All are measured in one run, the best of three.
"""

from __future__ import annotations

import csv
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path

from hansproof import load

TEXT = """
the of a to in is it that was for on are with as they be at this from have or by had not but what
all were when we can an your which their if do will each about how up out them then she many some
"""
WORDS = TEXT.split()
COLUMNS = ("id", "question", "A", "B", "C", "D", "answer")
REPEATS = 3


def write_files(folder: Path, n: int) -> dict[str, str]:
    """Write the same items as CSV and as JSON lines."""
    draw = random.Random(0)

    def write_text(low: int, high: int) -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(low, high)))

    paths = {kind: str(folder / f"items.{kind}") for kind in ("csv", "jsonl")}
    with open(paths["csv"], "w", newline="") as table, open(paths["jsonl"], "w") as lines:
        writer = csv.writer(table)
        writer.writerow(COLUMNS)
        for i in range(n):
            choices = [write_text(2, 6) for _ in range(4)]
            question, answer = write_text(8, 20) + "?", draw.choice("ABCD")
            writer.writerow([f"q{i}", question, *choices, answer])
            record = {"id": f"q{i}", "question": question, "choices": choices, "answer": answer}
            lines.write(json.dumps(record) + "\n")
    return paths


def readers(paths: dict[str, str]) -> dict[str, Callable[[], object]]:
    """Return everything that is measured, by name."""
    import pandas
    import pyarrow.csv
    import pyarrow.json

    return {
        "csv: hansproof": lambda: load(paths["csv"]),
        "csv: csv.reader": lambda: read_rows(paths["csv"]),
        "csv: pandas, table": lambda: pandas.read_csv(paths["csv"]),
        "csv: pandas, dicts": lambda: pandas.read_csv(paths["csv"]).to_dict("records"),
        "csv: pyarrow, table": lambda: pyarrow.csv.read_csv(paths["csv"]),
        "csv: pyarrow, dicts": lambda: pyarrow.csv.read_csv(paths["csv"]).to_pylist(),
        "jsonl: hansproof": lambda: load(paths["jsonl"]),
        "jsonl: pandas, table": lambda: pandas.read_json(paths["jsonl"], lines=True),
        "jsonl: pandas, dicts": lambda: pandas.read_json(paths["jsonl"], lines=True).to_dict(
            "records"
        ),
        "jsonl: pyarrow, table": lambda: pyarrow.json.read_json(paths["jsonl"]),
        "jsonl: pyarrow, dicts": lambda: pyarrow.json.read_json(paths["jsonl"]).to_pylist(),
    }


def read_rows(path: str) -> list[list[str]]:
    with open(path, newline="") as file:
        return list(csv.reader(file))


def main(arguments: Sequence[str]) -> None:
    n = int(arguments[0]) if arguments else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        paths = write_files(Path(folder), n)
        sizes = {kind: os.path.getsize(path) for kind, path in paths.items()}
        seconds: dict[str, float] = {}
        for _ in range(REPEATS):
            for name, read in readers(paths).items():
                start = time.perf_counter()
                read()
                elapsed = time.perf_counter() - start
                seconds[name] = min(elapsed, seconds.get(name, elapsed))
                print(f"{name:24s}{elapsed:8.2f} s", flush=True)
    ours = {kind: seconds[f"{kind}: hansproof"] for kind in paths}
    measured = {
        "command": "python bench/loading.py",
        "items": n,
        "bytes": sizes,
        "seconds": {name: round(value, 2) for name, value in seconds.items()},
        "hansproof_over": {
            name: round(ours[name.partition(":")[0]] / value, 2) for name, value in seconds.items()
        },
        "versions": {name: metadata.version(name) for name in ("pandas", "pyarrow")},
    }
    Path(__file__).with_suffix(".json").write_text(json.dumps(measured, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
