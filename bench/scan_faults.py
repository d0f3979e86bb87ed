"""What a scan survives: SIGKILL at random moments, thirty times, on files of many kinds.

About 200 MB of text, lines of real corpora drawn at random with items of two benchmarks between
them, as plain text, JSON lines, web archive and Parquet, packed and not. After every kill the scan
is started again; one that gets to its end before it is killed is compared and begun anew. The last
is left alone: its result must be that of an undisturbed scan, and nothing else be left.

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
PLANTED = 0.01  # of the lines are items
HEAD = "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n"


class Texts:
    """Lines of real text, and items between them, drawn at random."""

    def __init__(self, seed: int) -> None:
        folder = Path(os.environ["HANSPROOF_DATA"]) / "corpora"
        held = [(folder / name).read_text(errors="replace").splitlines() for name in CORPORA]
        self._lines = [line for lines in held for line in lines if line.strip()]
        self._items = [
            " ".join([*item.fields.values(), item.choices[item.answer or 0]])
            for name in BENCHMARKS
            for items in load(name).splits.values()
            for item in items
        ]
        self._rng = random.Random(seed)

    def lines(self, size: int) -> Iterator[str]:
        """So many bytes of them."""
        while size > 0:
            planted = self._rng.random() < PLANTED
            line = self._rng.choice(self._items if planted else self._lines)
            yield line
            size -= len(line.encode()) + 1

    def plain(self, size: int) -> bytes:
        return "".join(f"{line}\n" for line in self.lines(size)).encode()

    def jsonl(self, size: int) -> bytes:
        return "".join(json.dumps({"text": line}) + "\n" for line in self.lines(size)).encode()

    def warc(self, size: int) -> bytes:
        raws = (line.encode() for line in self.lines(size))
        return b"".join(HEAD.format(len(raw)).encode() + raw + b"\r\n\r\n" for raw in raws)


def corpus(folder: Path) -> dict[str, int]:
    """Files of many kinds; how large each is."""
    texts = Texts(0)
    folder.mkdir()
    raws = {
        "a.txt": texts.plain(70 * MB),
        "b.jsonl": texts.jsonl(40 * MB),
        "c.jsonl.gz": gzip.compress(texts.jsonl(25 * MB), 1),
        "d.txt.zst": zstd.compress(texts.plain(40 * MB)),
        "e.txt.bz2": bz2.compress(texts.plain(5 * MB)),
        "f.warc.gz": gzip.compress(texts.warc(15 * MB), 1),
    }
    for name, raw in raws.items():
        (folder / name).write_bytes(raw)
    table = pyarrow.table({"text": [*texts.lines(15 * MB)]})
    parquet.write_table(table, folder / "g.parquet", row_group_size=5000)
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir())}


def command(folder: Path, output: Path) -> list[str]:
    return [
        sys.executable, "-m", "hansproof", "scan", str(folder / "index.npz"),
        str(folder / "corpus"), "-o", str(output), "--threads", "2", "--checkpoint", "0.2",
    ]  # fmt: skip


def undisturbed(folder: Path) -> tuple[ScanResult, dict[str, Any]]:
    output = folder / "whole" / "found.json"
    start = time.perf_counter()
    done = subprocess.run(command(folder, output), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    seconds = time.perf_counter() - start
    result = read_result(str(output))
    return result, {
        "bytes of text": result.corpus.bytes,
        "documents": result.corpus.documents,
        "different N-grams found": len(result.ngrams),
        "hits": sum(gram.count for gram in result.ngrams),
        "seconds": round(seconds, 2),
    }


def stamp(output: Path) -> int:
    """When it was last written down how far the scan is."""
    try:
        return os.stat(checkpoint_path(str(output))).st_mtime_ns
    except FileNotFoundError:
        return 0


def kill(folder: Path, output: Path, rng: random.Random, seconds: float) -> bool:
    """Start the scan and kill it: at any moment, or soon after it wrote; false if it was done."""
    before = stamp(output)
    process = subprocess.Popen(
        command(folder, output), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if rng.random() < 0.7:
        while process.poll() is None and stamp(output) == before:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.4))
    else:
        time.sleep(rng.uniform(0, seconds))
    process.kill()
    return process.wait() < 0


def killed(folder: Path, whole: ScanResult, seconds: float) -> dict[str, Any]:
    """Kill and start again; at last let it finish."""
    output, rng = folder / "killed" / "found.json", random.Random(0)
    kills = resumed = ends = halves = 0
    while kills < KILLS:
        resumed += stamp(output) > 0
        if kill(folder, output, rng, seconds):
            kills += 1
        else:  # it was quicker
            assert read_result(str(output)) == whole
            output.unlink()
            ends += 1
        names = os.listdir(output.parent) if output.parent.exists() else []
        halves += sum(name.startswith(f"{output.name}.") for name in names) - (stamp(output) > 0)
        print(f"\r{kills} kills, {ends} scans got to their end", end="", file=sys.stderr)
    print(file=sys.stderr)
    resumed += stamp(output) > 0
    done = subprocess.run(command(folder, output), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert read_result(str(output)) == whole
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
    files = corpus(folder / "corpus")
    index = [sys.executable, "-m", "hansproof", "index", *BENCHMARKS, "-o"]
    subprocess.run([*index, str(folder / "index.npz")], check=True, stdout=subprocess.DEVNULL)
    whole, plain = undisturbed(folder)
    found: dict[str, Any] = {
        "command": "python bench/scan_faults.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "files": files,
        "undisturbed": plain,
        **killed(folder, whole, plain["seconds"]),
        "seconds": round(time.perf_counter() - start, 1),
    }
    shutil.rmtree(folder)
    text = json.dumps(found, indent=1)
    print(text)
    Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    main()
