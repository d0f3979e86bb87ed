"""What a sweep survives: kills at random moments, company, damage, a full disk, a read-only one.

60 runs (3 views, 20 seeds) by 2 workers, of a model that sums in floats and naps. After every kill
(SIGKILL) of the parent its workers must end by themselves; in a second round they are killed with
it, in the middle of whatever they do. Then the sweep is started once more and left alone: its
folder must hold what an undisturbed sweep wrote, byte for byte, and nothing else. Full and
read-only disks are small ones in memory, which root may mount; else they are left out, aloud.

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
Done = subprocess.CompletedProcess[str]


def command(store: Path) -> list[str]:
    return [
        sys.executable, "-m", "hansproof", "predict", "stable:original", "--model",
        f"{MODEL}:nap=0.2", "--views", "full,choices,premise", "--seeds", str(SEEDS),
        "--folds", str(FOLDS), "--jobs", "2", "--store", str(store),
    ]  # fmt: skip


def sweep(store: Path) -> Done:
    return subprocess.run(command(store), capture_output=True, text=True, timeout=600)


def records(store: Path) -> Records:
    """All there is in a store but its lock."""
    return {path.name: path.read_bytes() for path in store.iterdir() if path.name != ".lock"}


def finished(store: Path) -> int:
    return len(list(store.glob("*.jsonl")))


def undisturbed(store: Path) -> tuple[Records, dict[str, Any]]:
    start = time.perf_counter()
    done = sweep(store)
    assert done.returncode == 0, done.stderr
    whole = records(store)
    assert len(whole) == RUNS
    return whole, {"runs": RUNS, "workers": 2, "seconds": round(time.perf_counter() - start, 2)}


def killed(store: Path, whole: Records, rng: random.Random, workers_too: bool) -> dict[str, Any]:
    """Kill, see what is left, start again; at last let it finish."""
    left: list[int] = []
    parts, ends = 0, []
    for _ in range(KILLS):
        ends.append(_kill(store, rng, workers_too))
        now = records(store) if store.exists() else {}
        done = {name: content for name, content in now.items() if name.endswith(".jsonl")}
        assert done.items() <= whole.items()  # what has its name is whole
        assert not left or len(done) >= RUNS - left[-1]  # what is finished stays
        parts += sum(name.endswith(".part") for name in now)
        left.append(RUNS - len(done))
        print(f"\r{len(left)} kills, {len(done)} of {RUNS} runs", end="", file=sys.stderr)
    print(file=sys.stderr)
    last = sweep(store)
    assert (last.returncode, last.stderr) == (0, "")
    assert records(store) == whole  # nothing else: no .part, nothing damaged
    return {
        "kills": KILLS,
        "of which while runs were left": sum(n > 0 for n in [RUNS, *left[:-1]]),
        "half-written files found after kills": parts,
        "runs left after each kill": left,
        "seconds until all workers had ended, median": round(statistics.median(ends), 2),
        "seconds until all workers had ended, at most": round(max(ends), 2),
        "records at the end": len(whole),
        "byte for byte those of the undisturbed sweep": True,
    }


def _kill(store: Path, rng: random.Random, workers_too: bool) -> float:
    """Start a sweep, kill it: at any moment of its start, or soon after it has finished a run.

    Gives the seconds until its workers had ended, too.
    """
    before = finished(store)
    process = subprocess.Popen(
        command(store), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    if rng.random() < (0.6 if workers_too else 0.3):
        while process.poll() is None and finished(store) == before:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.1))
    else:
        time.sleep(rng.uniform(0, 1.2))
    start = time.perf_counter()
    if workers_too and process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate(timeout=60)  # workers have the other end of the pipe
    return time.perf_counter() - start


def shared(folder: Path, whole: Records) -> dict[str, Any]:
    """Two sweeps of two workers each, at once, in one folder."""
    counted, store = folder / "counted", folder / "shared"
    environment = {**os.environ, "HANSPROOF_COUNTED": str(counted)}
    both = [
        subprocess.Popen(command(store), env=environment, stdout=subprocess.PIPE) for _ in range(2)
    ]
    said = [process.communicate(timeout=600)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert said[0] == said[1]
    assert records(store) == whole
    trained = counted.stat().st_size
    assert trained == RUNS * FOLDS
    return {"sweeps": 2, "runs": RUNS, "times a model was trained": trained, "folds": FOLDS}


def damaged(store: Path, whole: Records) -> dict[str, Any]:
    """A record cut off, one with a changed digit, one under another's name."""
    cut, changed, renamed, other = sorted(whole)[:4]
    (store / cut).write_bytes(whole[cut][:1000])
    (store / changed).write_bytes(whole[changed].replace(b"1", b"2", 1))
    (store / renamed).write_bytes(whole[other])
    done = sweep(store)
    assert done.returncode == 0
    now = records(store)
    for name in (cut, changed, renamed):
        now.pop(f"{name}.damaged")
    assert now == whole
    lines = [line.replace(f"{store}/", "") for line in done.stderr.splitlines()]
    assert len(lines) == 3
    return {"records": 3, "said": sorted(lines)}


@contextmanager
def mounted(place: Path, options: str) -> Iterator[bool]:
    """A small disk in memory, if we may."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    done = subprocess.run(mount, capture_output=True, text=True)
    try:
        yield done.returncode == 0
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", str(place)], check=True)


def full_disk(place: Path, whole: Records) -> dict[str, Any]:
    """64 kB, then enough."""
    with mounted(place, "size=64k") as there:
        if not there:
            return _left_out("a full disk")
        line = _complaint(place)
        kept = records(place)
        assert kept.items() <= whole.items()
        assert 0 < len(kept) < RUNS
        subprocess.run(["mount", "-o", "remount,size=64m", str(place)], check=True)
        assert sweep(place).returncode == 0
        assert records(place) == whole
        return {"said": line, "runs kept": len(kept), "went on when there was room": True}


def read_only(place: Path) -> dict[str, Any]:
    with mounted(place, "size=1m") as there:
        if not there:
            return _left_out("a read-only disk")
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        return {"said": _complaint(place)}


def _complaint(store: Path) -> str:
    """The one line with which a sweep gives up, without the folder."""
    done = sweep(store)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr.strip().replace(f"{store}/", "")


def _left_out(what: str) -> dict[str, Any]:
    print(f"left out: {what}, which only root may mount", file=sys.stderr)
    return {"left out": "only root may mount"}


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="faults"))
    rng = random.Random(0)
    whole, plain = undisturbed(folder / "whole")
    found: dict[str, Any] = {
        "command": "python bench/faults.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "undisturbed": plain,
        "parent killed": killed(folder / "killed", whole, rng, workers_too=False),
        "parent and workers killed": killed(folder / "all", whole, rng, workers_too=True),
        "two sweeps in one folder": shared(folder, whole),
        "damaged records": damaged(folder / "whole", whole),
        "full disk": full_disk(folder / "full", whole),
        "read-only disk": read_only(folder / "locked"),
    }
    shutil.rmtree(folder)
    text = json.dumps(found, indent=1)
    print(text)
    Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    main()
