"""Test that a scan survives SIGKILL at random moments, thirty times, on files of many kinds.

About 200 MB of text: random lines of real corpora mixed with items of two benchmarks, as plain
text, JSON lines, web archive and Parquet, compressed and not. The scan is restarted after each
kill. If it finishes before it is killed, its result is compared and it starts from the beginning.
The last scan may finish: its result must equal that of an undisturbed scan, with no other files
left.

    HANSPROOF_DATA=... python bench/scan_faults.py            writes bench/scan_faults.json
"""

from __future__ import annotations

import bz2
import gzip
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from hansproof.benchmarks import load
from hansproof.contamination.checkpoint import checkpoint_path
from hansproof.contamination.result import ScanResult, read_result

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CORPORA = ["wikitext-2/test.txt", "wikitext-2/valid.txt", "wiki_demo.txt"]
BENCHMARKS = ["piqa:dev", "csqa:dev"]
MB = 1_000_000
KILLS = 30
PLANTED = 0.01  # share of lines that are items
HEAD = "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n"


class RandomTexts:
    """Draws random lines of real text mixed with items."""

    def __init__(self, seed: int) -> None:
        folder = Path(os.environ["HANSPROOF_DATA"]) / "corpora"
        corpora = [(folder / name).read_text(errors="replace").splitlines() for name in CORPORA]
        self._lines = [line for lines in corpora for line in lines if line.strip()]
        self._items = [
            " ".join([*item.fields.values(), item.choices[item.answer or 0]])
            for name in BENCHMARKS
            for items in load(name).splits.values()
            for item in items
        ]
        self._rng = random.Random(seed)

    def draw_lines(self, size: int) -> Iterator[str]:
        """Yield lines until they add up to `size` bytes."""
        while size > 0:
            planted = self._rng.random() < PLANTED
            line = self._rng.choice(self._items if planted else self._lines)
            yield line
            size -= len(line.encode()) + 1

    def plain_text(self, size: int) -> bytes:
        return "".join(f"{line}\n" for line in self.draw_lines(size)).encode()

    def json_lines(self, size: int) -> bytes:
        return "".join(json.dumps({"text": line}) + "\n" for line in self.draw_lines(size)).encode()

    def web_archive(self, size: int) -> bytes:
        raws = (line.encode() for line in self.draw_lines(size))
        return b"".join(HEAD.format(len(raw)).encode() + raw + b"\r\n\r\n" for raw in raws)


def write_corpus(folder: Path) -> dict[str, int]:
    """Write files of many kinds; return their sizes."""
    texts = RandomTexts(0)
    folder.mkdir()
    raws = {
        "a.txt": texts.plain_text(70 * MB),
        "b.jsonl": texts.json_lines(40 * MB),
        "c.jsonl.gz": gzip.compress(texts.json_lines(25 * MB), 1),
        "d.txt.zst": zstd.compress(texts.plain_text(40 * MB)),
        "e.txt.bz2": bz2.compress(texts.plain_text(5 * MB)),
        "f.warc.gz": gzip.compress(texts.web_archive(15 * MB), 1),
    }
    for name, raw in raws.items():
        (folder / name).write_bytes(raw)
    table = pyarrow.table({"text": [*texts.draw_lines(15 * MB)]})
    parquet.write_table(table, folder / "g.parquet", row_group_size=5000)
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir())}


def scan_command(folder: Path, output: Path) -> list[str]:
    return [
        sys.executable, "-m", "hansproof", "scan", str(folder / "index.npz"),
        str(folder / "corpus"), "-o", str(output), "--threads", "2", "--checkpoint", "0.2",
    ]  # fmt: skip


def run_undisturbed(folder: Path) -> tuple[ScanResult, dict[str, Any]]:
    output = folder / "whole" / "found.json"
    start = time.perf_counter()
    process = subprocess.run(
        scan_command(folder, output), capture_output=True, text=True, timeout=600
    )
    assert process.returncode == 0, process.stderr
    seconds = time.perf_counter() - start
    result = read_result(str(output))
    return result, {
        "bytes of text": result.corpus.bytes,
        "documents": result.corpus.documents,
        "different N-grams found": len(result.ngrams),
        "hits": sum(gram.count for gram in result.ngrams),
        "seconds": round(seconds, 2),
    }


def checkpoint_time(output: Path) -> int:
    """Return when the checkpoint was last written, or 0 if there is none."""
    try:
        return os.stat(checkpoint_path(str(output))).st_mtime_ns
    except FileNotFoundError:
        return 0


def kill_scan(folder: Path, output: Path, rng: random.Random, seconds: float) -> bool:
    """Start the scan and kill it, at a random moment or shortly after a checkpoint.

    Returns False if the scan had already finished.
    """
    before = checkpoint_time(output)
    process = subprocess.Popen(
        scan_command(folder, output), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if rng.random() < 0.7:
        while process.poll() is None and checkpoint_time(output) == before:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.4))
    else:
        time.sleep(rng.uniform(0, seconds))
    process.kill()
    return process.wait() < 0


def kill_repeatedly(folder: Path, expected: ScanResult, seconds: float) -> dict[str, Any]:
    """Kill and restart the scan many times, then let it finish."""
    output, rng = folder / "killed" / "found.json", random.Random(0)
    kills = resumed = ends = halves = 0
    while kills < KILLS:
        resumed += checkpoint_time(output) > 0
        if kill_scan(folder, output, rng, seconds):
            kills += 1
        else:  # it finished before it was killed
            assert read_result(str(output)) == expected
            output.unlink()
            ends += 1
        names = os.listdir(output.parent) if output.parent.exists() else []
        halves += sum(name.startswith(f"{output.name}.") for name in names) - (
            checkpoint_time(output) > 0
        )
        print(f"\r{kills} kills, {ends} scans got to their end", end="", file=sys.stderr)
    print(file=sys.stderr)
    resumed += checkpoint_time(output) > 0
    process = subprocess.run(
        scan_command(folder, output), capture_output=True, text=True, timeout=600
    )
    assert process.returncode == 0, process.stderr
    assert read_result(str(output)) == expected
    assert os.listdir(output.parent) == [output.name]
    return {
        "kills": kills,
        "resumed": resumed,
        "scans that got to their end in between": ends,
        "half-written files seen after kills": halves,
        "equal": True,
        "files left beside the result": 0,
    }


def main() -> None:
    start = time.perf_counter()
    folder = Path(tempfile.mkdtemp(prefix="scan_faults"))
    files = write_corpus(folder / "corpus")
    index = [sys.executable, "-m", "hansproof", "index", *BENCHMARKS, "-o"]
    subprocess.run([*index, str(folder / "index.npz")], check=True, stdout=subprocess.DEVNULL)
    expected, figures = run_undisturbed(folder)
    report: dict[str, Any] = {
        "command": "python bench/scan_faults.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "files": files,
        "undisturbed": figures,
        **kill_repeatedly(folder, expected, figures["seconds"]),
        "seconds": round(time.perf_counter() - start, 1),
    }
    shutil.rmtree(folder)
    text = json.dumps(report, indent=1)
    print(text)
    Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    main()
