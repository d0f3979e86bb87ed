"""Test what a sweep survives: kills, a concurrent sweep, damage, and full or read-only disks.

Two workers do 60 runs (3 views, 20 seeds) of a model that sums floats and sleeps. In a first round
only the parent process is killed (SIGKILL), at random moments, and its workers must end by
themselves; in a second round the workers are killed with it, whatever they are doing. Afterwards
the sweep is started once more and may finish: its folder must contain exactly the files of an
undisturbed sweep, byte for byte, and nothing else. Full and read-only disks are small disks in
memory, which only root can mount; otherwise these tests are skipped with a message.

    python bench/faults.py            writes bench/faults.json
"""

from __future__ import annotations

import json
import os
import platform
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MODEL = Path(__file__).parents[1] / "tests" / "support" / "models" / "slow.py"
SEEDS, FOLDS = 20, 2
RUNS = 3 * SEEDS
KILLS = 50

Records = dict[str, bytes]
SweepProcess = subprocess.CompletedProcess[str]


def sweep_command(store: Path) -> list[str]:
    return [
        sys.executable, "-m", "hansproof", "predict", "toy:original", "--model",
        f"{MODEL}:nap=0.2", "--views", "full,choices,premise", "--seeds", str(SEEDS),
        "--folds", str(FOLDS), "--jobs", "2", "--store", str(store),
    ]  # fmt: skip


def run_sweep(store: Path) -> SweepProcess:
    return subprocess.run(sweep_command(store), capture_output=True, text=True, timeout=600)


def read_records(store: Path) -> Records:
    """Return all files of a store except its lock."""
    return {path.name: path.read_bytes() for path in store.iterdir() if path.name != ".lock"}


def count_finished(store: Path) -> int:
    return len(list(store.glob("*.jsonl")))


def run_undisturbed(store: Path) -> tuple[Records, dict[str, Any]]:
    start = time.perf_counter()
    process = run_sweep(store)
    assert process.returncode == 0, process.stderr
    expected = read_records(store)
    assert len(expected) == RUNS
    return expected, {"runs": RUNS, "workers": 2, "seconds": round(time.perf_counter() - start, 2)}


def kill_repeatedly(
    store: Path, expected: Records, rng: random.Random, workers_too: bool
) -> dict[str, Any]:
    """Kill and restart a sweep many times, check its files each time, then let it finish."""
    runs_left: list[int] = []
    parts, ends = 0, []
    for _ in range(KILLS):
        ends.append(_kill_sweep(store, rng, workers_too))
        files = read_records(store) if store.exists() else {}
        complete = {name: content for name, content in files.items() if name.endswith(".jsonl")}
        assert complete.items() <= expected.items()  # finished files are complete
        assert not runs_left or len(complete) >= RUNS - runs_left[-1]  # no finished run is lost
        parts += sum(name.endswith(".part") for name in files)
        runs_left.append(RUNS - len(complete))
        print(f"\r{len(runs_left)} kills, {len(complete)} of {RUNS} runs", end="", file=sys.stderr)
    print(file=sys.stderr)
    process = run_sweep(store)
    assert (process.returncode, process.stderr) == (0, "")
    assert read_records(store) == expected  # and no other files: no .part, no .damaged
    return {
        "kills": KILLS,
        "of which while runs were left": sum(n > 0 for n in [RUNS, *runs_left[:-1]]),
        "half-written files found after kills": parts,
        "runs left after each kill": runs_left,
        "seconds until all workers had ended, median": round(statistics.median(ends), 2),
        "seconds until all workers had ended, at most": round(max(ends), 2),
        "records at the end": len(expected),
        "byte for byte those of the undisturbed sweep": True,
    }


def _kill_sweep(store: Path, rng: random.Random, workers_too: bool) -> float:
    """Start a sweep and kill it, during its start or shortly after it has finished a run.

    Returns the seconds until its workers had ended.
    """
    before = count_finished(store)
    process = subprocess.Popen(
        sweep_command(store),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    if rng.random() < (0.6 if workers_too else 0.3):
        while process.poll() is None and count_finished(store) == before:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.1))
    else:
        time.sleep(rng.uniform(0, 1.2))
    start = time.perf_counter()
    if workers_too and process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate(timeout=60)  # returns when all workers have closed the pipe
    return time.perf_counter() - start


def run_two_sweeps(folder: Path, expected: Records) -> dict[str, Any]:
    """Run two sweeps with two workers each in the same folder at the same time."""
    counted, store = folder / "counted", folder / "shared"
    environment = {**os.environ, "HANSPROOF_COUNTED": str(counted)}
    processes = [
        subprocess.Popen(sweep_command(store), env=environment, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=600)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert outputs[0] == outputs[1]
    assert read_records(store) == expected
    trained = counted.stat().st_size
    assert trained == RUNS * FOLDS
    return {"sweeps": 2, "runs": RUNS, "times a model was trained": trained, "folds": FOLDS}


def damage_records(store: Path, expected: Records) -> dict[str, Any]:
    """Truncate a record, change a digit in another and swap a third; all must be redone."""
    cut, changed, renamed, other = sorted(expected)[:4]
    (store / cut).write_bytes(expected[cut][:1000])
    (store / changed).write_bytes(expected[changed].replace(b"1", b"2", 1))
    (store / renamed).write_bytes(expected[other])
    process = run_sweep(store)
    assert process.returncode == 0
    files = read_records(store)
    for name in (cut, changed, renamed):
        files.pop(f"{name}.damaged")
    assert files == expected
    lines = [line.replace(f"{store}/", "") for line in process.stderr.splitlines()]
    assert len(lines) == 3
    return {"records": 3, "said": sorted(lines)}


@contextmanager
def mount_tmpfs(place: Path, options: str) -> Iterator[bool]:
    """Mount a small disk in memory; yields whether this was allowed."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    process = subprocess.run(mount, capture_output=True, text=True)
    try:
        yield process.returncode == 0
    finally:
        if process.returncode == 0:
            subprocess.run(["umount", str(place)], check=True)


def fill_disk(place: Path, expected: Records) -> dict[str, Any]:
    """Run a sweep on a disk of 64 kB, then again with enough space."""
    with mount_tmpfs(place, "size=64k") as is_mounted:
        if not is_mounted:
            return _skip_without_root("a full disk")
        line = _failure_message(place)
        kept_records = read_records(place)
        assert kept_records.items() <= expected.items()
        assert 0 < len(kept_records) < RUNS
        subprocess.run(["mount", "-o", "remount,size=64m", str(place)], check=True)
        assert run_sweep(place).returncode == 0
        assert read_records(place) == expected
        return {"said": line, "runs kept": len(kept_records), "went on when there was room": True}


def use_read_only_disk(place: Path) -> dict[str, Any]:
    with mount_tmpfs(place, "size=1m") as is_mounted:
        if not is_mounted:
            return _skip_without_root("a read-only disk")
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        return {"said": _failure_message(place)}


def _failure_message(store: Path) -> str:
    """Return the one line that a failing sweep prints, without the folder."""
    process = run_sweep(store)
    assert process.returncode == 2, process.stderr
    assert process.stdout == ""
    assert process.stderr.count("\n") == 1, process.stderr
    return process.stderr.strip().replace(f"{store}/", "")


def _skip_without_root(fault: str) -> dict[str, Any]:
    print(f"left out: {fault}, which only root may mount", file=sys.stderr)
    return {"left out": "only root may mount"}


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="faults"))
    rng = random.Random(0)
    expected, timing = run_undisturbed(folder / "whole")
    report: dict[str, Any] = {
        "command": "python bench/faults.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "undisturbed": timing,
        "parent killed": kill_repeatedly(folder / "killed", expected, rng, workers_too=False),
        "parent and workers killed": kill_repeatedly(
            folder / "all", expected, rng, workers_too=True
        ),
        "two sweeps in one folder": run_two_sweeps(folder, expected),
        "damaged records": damage_records(folder / "whole", expected),
        "full disk": fill_disk(folder / "full", expected),
        "read-only disk": use_read_only_disk(folder / "locked"),
    }
    shutil.rmtree(folder)
    text = json.dumps(report, indent=1)
    print(text)
    Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    main()
