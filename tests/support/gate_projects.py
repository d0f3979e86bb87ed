"""Throw-away projects: a folder with a benchmark in it, and what runs there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from hansproof import load
from hansproof.records.native import item_to_record

BIN = Path(sys.executable).parent

UNDECIDED = "[limits]\nclass_imbalance = 0.05\n"  # 120 even items: 0 ± 0.09


def benchmark(path: Path, spec: str) -> None:
    """The items of the embedded benchmark, as a file of one's own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    (items,) = load(spec).splits.values()
    path.write_text("".join(f"{json.dumps(item_to_record(item))}\n" for item in items))


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A process in that folder that finds this environment's commands and no project around it."""
    env = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    env = {name: value for name, value in env.items() if not name.startswith(("GIT_", "PYTEST_"))}
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False
    )
