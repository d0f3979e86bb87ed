"""The same scan by Ray: what threads find, whoever is killed."""

from __future__ import annotations

import gzip
import json
import logging
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hansproof.contamination import checkpoint
from hansproof.contamination.coordinator import scan_in_threads
from hansproof.contamination.index import NgramIndex
from hansproof.contamination.ray_scan import scan_on_ray
from hansproof.contamination.result import read_result
from hansproof.corpus import CorpusSource
from hansproof.errors import HansproofError, MissingExtra

from ..support.index_factories import index
from ..support.scan_runs import make_plan, scan

ray = pytest.importorskip("ray")

SHARDS = 20
ITEMS = ["one two three four five", "the quick brown fox jumps", "sechs sieben Öl und Straße"]
MADE = index(*ITEMS, n=4)


@pytest.fixture(scope="module")
def workers() -> Iterator[None]:
    """Two."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        ray.init(address="local", num_cpus=2, include_dashboard=False, **quiet)
        yield
        ray.shutdown()


def lines(seed: int, count: int) -> bytes:
    rng = random.Random(seed)
    texts = (" ".join(rng.choices([*"abcdefgh", *ITEMS], k=40)) for _ in range(count))
    return "".join(json.dumps({"text": text}) + "\n" for text in texts).encode()


def shards(folder: Path) -> Path:
    """Each with lines of its own and many that all have: they take a while, and little room."""
    folder.mkdir()
    same = gzip.compress(b'{"text": "%s"}\n' % (b"nothing to be found here " * 4000) * 100)
    for at in range(SHARDS):
        (folder / f"{at:02}.jsonl.gz").write_bytes(gzip.compress(lines(at, 40)) + same)
    return folder


def readers(folder: Path) -> dict[int, str]:
    """Processes that have a file of a folder open, but ourselves."""
    found = {}
    for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        try:
            held = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
        except OSError:
            continue  # gone, or not ours
        for path in held:
            if path.startswith(f"{folder}/") and pid != os.getpid():
                found[pid] = path
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("workers")
def test_a_killed_worker_costs_what_it_was_at(tmp_path: Path) -> None:
    folder = shards(tmp_path / "shards")
    job = make_plan(MADE, folder)
    progress: list[int] = []
    killed: dict[int, str] = {}

    def kill_one() -> None:
        """SIGKILL a worker that is in the middle of a shard, when some are done."""
        while len(progress) < 3:
            time.sleep(0.01)
        while not killed:
            for pid, path in readers(folder).items():
                os.kill(pid, signal.SIGKILL)
                killed[pid] = path
                break

    killer = threading.Thread(target=kill_one, daemon=True)
    killer.start()
    result = scan_on_ray(
        job, str(tmp_path / "found"), 2, 0.1, lambda done, hits: progress.append(done)
    )
    killer.join(timeout=1)
    ((pid, path),) = killed.items()
    assert not os.path.exists(f"/proc/{pid}")
    assert Path(path).parent == folder
    assert len(progress) == SHARDS  # each was taken in once
    assert result == read_result(str(tmp_path / "found"))
    assert result == scan(job, tmp_path / "threads", threads=2)
    assert sum(gram.count for gram in result.ngrams) > 1000
    assert result.corpus.documents == SHARDS * 140
    assert not result.issues


@pytest.mark.slow
@pytest.mark.usefixtures("workers")
def test_what_is_done_is_kept_and_threads_go_on(tmp_path: Path) -> None:
    for at in range(6):
        (tmp_path / f"{at}.jsonl").write_bytes(lines(at, 30))
    gone = CorpusSource(f"hf:{tmp_path}/none", "hub")  # of which a worker says that it is not there
    job = make_plan(MADE, *(tmp_path / f"{at}.jsonl" for at in range(6)), gone)
    output = str(tmp_path / "found")
    with pytest.raises(HansproofError, match=r"^hf:\S+none: no such folder$"):
        scan_on_ray(job, output, 2, 3600, lambda done, hits: None)
    numbered = checkpoint.read_checkpoint(output, job).records_read
    assert 6 not in numbered
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "train.jsonl").write_bytes(lines(7, 30))
    whole = scan_in_threads(job, output)
    assert whole == scan(job, tmp_path / "whole")
    assert whole.corpus.documents == 7 * 30


@pytest.mark.slow
@pytest.mark.usefixtures("workers")
def test_a_bug_is_not_hidden(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(1, 1))
    arrays = {name: array for name, array in MADE.arrays.items() if name != "hashes"}
    job = make_plan(NgramIndex(MADE.header, arrays), tmp_path / "a.jsonl")
    with pytest.raises(ray.exceptions.RayTaskError, match="KeyError: 'hashes'"):
        scan_on_ray(job, str(tmp_path / "found"), 2, 3, lambda done, hits: None)


def test_without_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(1, 1))
    monkeypatch.setitem(sys.modules, "ray", None)
    job = make_plan(MADE, tmp_path / "a.jsonl")
    with pytest.raises(MissingExtra, match=r"--engine ray needs an extra: .*hansproof\[ray\]"):
        scan_on_ray(job, str(tmp_path / "found"), 2, 3, lambda done, hits: None)
