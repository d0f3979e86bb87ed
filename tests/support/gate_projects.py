"""Throw-away projects: a folder with a benchmark in it, and what runs there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

from hansproof import load
from hansproof.records.native import item_to_record
from hansproof.types import Item, Items

BIN = Path(sys.executable).parent

# 120 even items: 0 ± 0.09
UNDECIDED = '[limits]\nverdicts = "any"\nclass_imbalance = 0.05\n'


def benchmark(path: Path, spec: str) -> None:
    """The items of the embedded benchmark, as a file of one's own."""
    (items,) = load(spec).splits.values()
    write_items(path, items)


def exposed_items() -> Items:
    """60 items of which the longest choice answers 92%, and the first 55%; words say nothing."""
    rng, items = Random(0), []
    for i in range(60):
        answer = 0 if i % 20 < 11 else 1 + i % 2
        longest = answer if i % 12 else (answer + 1) % 3
        choices = [f"{rng.choice(('red', 'big', 'old'))} w{i}{letter}" for letter in "abc"]
        choices[longest] += "x"
        items.append(Item(f"i{i}", {"question": f"q{i}"}, tuple(choices), answer))
    return tuple(items)


def small_items() -> Items:
    """Three items that a bag of words answers completely: apples are right, stones are wrong."""
    return (
        Item("1", {"question": "What falls?"}, ("a red apple", "a blue stone"), 0),
        Item("2", {"question": "What grows?"}, ("a big stone", "a ripe apple"), 1),
        Item("3", {"question": "What rolls?"}, ("one apple", "one stone"), 0),
    )


def write_items(path: Path, items: Items) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(item_to_record(item))}\n" for item in items))


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A process in that folder that finds this environment's commands and no project around it."""
    env = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    env = {name: value for name, value in env.items() if not name.startswith(("GIT_", "PYTEST_"))}
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False
    )
