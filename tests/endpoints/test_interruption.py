"""`kill -9` while a run asks: what was answered is not asked again, and the record is the same."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.support.model_server import ModelServer, serve

N_ITEMS, CONCURRENCY = 150, 4


def write_items(folder: Path) -> Path:
    rows = [
        {
            "id": str(i),
            "question": f"Number {i}?",
            "choices": ["right one", f"other {i}"][:: 1 - 2 * (i % 2)],
            "answer": i % 2,
        }
        for i in range(N_ITEMS)
    ]
    path = folder / "items.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def start(server: ModelServer, items: Path, store: Path) -> subprocess.Popen[bytes]:
    spec = f"api:m,url={server.url},ask=first-token,concurrency={CONCURRENCY}"
    command = [sys.executable, "-m", "hansproof", "predict", str(items), "--model", spec]
    command += ["--views", "full", "--store", str(store), "--quiet"]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def run_with_kills(tmp_path: Path, n_kills: int, seed: int) -> None:
    items, draw = write_items(tmp_path), random.Random(seed)
    with serve(ModelServer(delay=0.02)) as server:
        assert start(server, items, tmp_path / "undisturbed").wait() == 0
        n_undisturbed = len(server.requests)
        server.requests.clear()
        n_killed = 0
        while n_killed < n_kills:
            process = start(server, items, tmp_path / "killed")
            n_before = len(server.requests)
            target = n_before + draw.randrange(1, 2 * (N_ITEMS // n_kills) + 25)
            while process.poll() is None and len(server.requests) < target:
                time.sleep(0.002)
            if process.poll() is not None:
                break
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            n_killed += 1
        assert start(server, items, tmp_path / "killed").wait() == 0
    (expected,) = (tmp_path / "undisturbed").glob("*.jsonl")
    (record,) = (tmp_path / "killed").glob("*.jsonl")
    assert record.name == expected.name
    assert record.read_bytes() == expected.read_bytes()
    asked = Counter(json.dumps(body) for body in server.requests if "Number" in str(body))
    assert len(asked) == N_ITEMS
    assert n_undisturbed >= N_ITEMS
    n_again = asked.total() - N_ITEMS
    assert n_again <= n_killed * CONCURRENCY, "only requests that were under way are repeated"


def test_a_killed_run_asks_nothing_twice(tmp_path: Path) -> None:
    run_with_kills(tmp_path, 3, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_ten_kills(tmp_path: Path, seed: int) -> None:
    run_with_kills(tmp_path, 10, seed)
