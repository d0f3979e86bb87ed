"""A scan that was stopped goes on where it was, and finds what one finds that was not."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hansproof.contamination import checkpoint
from hansproof.contamination import coordinator as runs
from hansproof.contamination import scan as jobs
from hansproof.contamination.checkpoint import checkpoint_path
from hansproof.contamination.coordinator import scan_in_threads
from hansproof.contamination.index import write_index
from hansproof.contamination.result import read_result
from hansproof.contamination.scan import ScanPlan, ShardState
from hansproof.contamination.scanner.hits import ScanHits
from hansproof.corpus import stream
from hansproof.errors import BadInput

from ..support.corpus_files import ANY, written
from ..support.index_factories import index
from ..support.scan_runs import make_plan, scan

WORDS = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("ad", "em", "iv", "or", "ül")]
ITEMS = [" ".join(random.Random(at).choices(WORDS, k=6)) for at in range(30)]
MADE = index(*ITEMS, n=4)
TIMES = 40


class Stopped(Exception):
    """Raised in the middle of a scan."""


def text(size: int, seed: int) -> str:
    """Words at random, every tenth an item."""
    rng = random.Random(seed)
    found: list[str] = []
    while size > 0:
        found.append(rng.choice(ITEMS) if rng.random() < 0.1 else " ".join(rng.choices(WORDS, k=9)))
        size -= len(found[-1])
    return " ".join(found)


def corpus(folder: Path, size: int) -> list[Path]:
    """Files of several kinds."""
    folder.mkdir()
    lines = "".join(
        json.dumps({"text": text(size // 40, seed)}) + "\n" for seed in range(40)
    ).encode()
    raws = {
        "a.txt": text(size, 1).encode(), "b.jsonl.gz": ANY["gz"](lines),
        "c.txt.zst": ANY["zst"](text(size, 2).encode()), "d.jsonl": lines,
    }  # fmt: skip
    for name, raw in raws.items():
        written(folder / name, raw)
    return [folder / name for name in raws]


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look and a state after every piece of text, and small pieces."""
    monkeypatch.setattr(jobs, "PROGRESS_INTERVAL", -1)
    monkeypatch.setattr(jobs, "MAX_STATE_SHARE", 1e9)
    monkeypatch.setattr(jobs, "MAX_STATE_SHARE", 1e9)
    monkeypatch.setattr(runs, "MAX_SAVE_SHARE", 1e9)
    monkeypatch.setattr(stream, "BLOCK_SIZE", 2000)


def reached_after(
    work: ScanPlan, number: int, pieces: int, known: ShardState | None
) -> ShardState | None:
    """How far a part is after some more pieces; None if it is done before."""
    last: list[ShardState] = []

    def tell(at: int, reached: ShardState | None) -> bool:
        assert reached is not None
        last.append(reached)
        return len(last) < pieces

    done = work.scan_shard(number, known, tell, interval=-1)
    return None if done is not None else last[-1]


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("name", ["a.txt", "b.jsonl.gz", "c.txt.zst", "d.jsonl"])
@pytest.mark.parametrize("chunk", [1, 1 << 19])
def test_from_any_piece_on(name: str, chunk: int, tmp_path: Path) -> None:
    """A state is all there is to know; written down and read again, too."""
    corpus(tmp_path / "corpus", 60_000)
    work = make_plan(MADE, tmp_path / "corpus" / name, chunk=chunk, stretch=25_000)
    rng = random.Random(6)
    stops = 0
    for number in range(len(work.shards)):
        whole = work.scan_shard(number)
        known: ShardState | None = None
        while (more := reached_after(work, number, rng.randrange(1, 7), known)) is not None:
            output = str(tmp_path / "found")
            progress = checkpoint.ScanProgress(unfinished={number: more})
            checkpoint.write_checkpoint(output, work, progress)
            known = checkpoint.read_checkpoint(output, work).unfinished[number]
            stops += 1
        assert work.scan_shard(number, known) == whole
    assert stops >= 5


@pytest.mark.usefixtures("small_steps")
def test_a_state_is_not_touched_by_who_goes_on_from_it(tmp_path: Path) -> None:
    corpus(tmp_path / "corpus", 60_000)
    work = make_plan(MADE, tmp_path / "corpus" / "a.txt", chunk=1)
    known = reached_after(work, 0, 5, None)
    assert known is not None
    before = checkpoint.ScanProgress(unfinished={0: known})
    checkpoint.write_checkpoint(str(tmp_path / "found"), work, before)
    first = Path(checkpoint_path(str(tmp_path / "found"))).read_bytes()
    assert reached_after(work, 0, 5, known) is not None
    checkpoint.write_checkpoint(str(tmp_path / "found"), work, before)
    assert Path(checkpoint_path(str(tmp_path / "found"))).read_bytes() == first


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("threads", [1, 3])
def test_stopped_again_and_again(threads: int, tmp_path: Path) -> None:
    paths = corpus(tmp_path / "corpus", 40_000)
    work = make_plan(MADE, *paths, chunk=1, stretch=15_000)
    (tmp_path / "out").mkdir()
    whole = scan(work, tmp_path / "out" / "whole")
    assert sum(gram.count for gram in whole.ngrams) > 1000
    rng = random.Random(threads)
    output = str(tmp_path / "out" / "found")
    stops = 0
    for _ in range(300):
        left = rng.randrange(5, 90)

        def show(done: int, hits: int) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise Stopped

        try:
            result = scan_in_threads(work, output, threads, interval=-1, show_progress=show)
            break
        except Stopped:
            stops += 1
    assert stops > 4
    assert result == whole == read_result(output)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["found", "whole"]


def test_an_error_in_a_thread_is_said_and_what_is_done_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = corpus(tmp_path / "corpus", 20_000)
    work = make_plan(MADE, *paths)
    whole = scan(work, tmp_path / "found")
    really, done = ScanPlan.scan_shard, []

    def failing(self: ScanPlan, number: int, *more: object) -> ScanHits | None:
        if number == 2:
            raise ZeroDivisionError("a bug")
        done.append(number)
        return really(self, number, *more)  # type: ignore[arg-type]

    output = str(tmp_path / "found")
    with monkeypatch.context() as patch:
        patch.setattr(ScanPlan, "scan_shard", failing)
        with pytest.raises(ZeroDivisionError, match="a bug"):
            scan_in_threads(work, output)
    assert [*checkpoint.read_checkpoint(output, work).records_read] == done == [0, 1]
    assert scan(work, tmp_path / "found") == whole


def begun(work: ScanPlan, output: str) -> Path:
    """How far a scan is that was stopped."""

    def show(done: int, hits: int) -> None:
        if os.path.exists(checkpoint_path(output)):
            raise Stopped

    with pytest.raises(Stopped):
        scan_in_threads(work, output, interval=-1, show_progress=show)
    return Path(checkpoint_path(output))


def test_another_scan_is_refused(tmp_path: Path) -> None:
    paths = corpus(tmp_path / "corpus", 20_000)
    output = str(tmp_path / "found")
    kept = begun(make_plan(MADE, *paths), output).read_bytes()
    os.utime(paths[0], ns=(1, 1))
    for other in (
        make_plan(MADE, *paths),  # a file was changed
        make_plan(MADE, *paths[1:]),
        make_plan(index(*ITEMS, n=5), *paths),
    ):
        with pytest.raises(BadInput, match=r"^\S+found.part: belongs to another scan") as told:
            scan_in_threads(other, output)
        assert "\n" not in str(told.value)
    assert Path(checkpoint_path(output)).read_bytes() == kept


def test_a_damaged_one_is_refused(tmp_path: Path) -> None:
    work = make_plan(MADE, *corpus(tmp_path / "corpus", 20_000))
    output = str(tmp_path / "found")
    path = begun(work, output)
    kept = path.read_bytes()
    digit = next(at for at in range(100, len(kept)) if kept[at : at + 1].isdigit())
    changed = kept[:digit] + (b"1" if kept[digit : digit + 1] != b"1" else b"2") + kept[digit + 1 :]
    for damaged in (b"", kept[:-1], kept[:70], b"\xff" * 99, b"[" * 99_999, b"{}", changed):
        path.write_bytes(damaged)
        with pytest.raises(BadInput, match=r"found.part: is damaged: delete it") as told:
            scan_in_threads(work, output)
        assert "\n" not in str(told.value)
        assert path.read_bytes() == damaged
    path.write_bytes(kept)
    assert scan_in_threads(work, output) == scan(work, tmp_path / "other")


def test_killed(tmp_path: Path) -> None:
    """Three times with SIGKILL, each time when it has written down how far it is."""
    paths = corpus(tmp_path / "corpus", 100_000)
    for path in paths:  # not to be done in a moment
        raw = path.read_bytes()
        path.write_bytes((raw + b" " * (path.name == "a.txt")) * TIMES)
    write_index(str(tmp_path / "index.npz"), MADE)
    output = tmp_path / "out" / "found.json"
    command = [
        sys.executable, "-m", "hansproof", "scan", str(tmp_path / "index.npz"),
        str(tmp_path / "corpus"), "-o", str(output), "--threads", "1", "--checkpoint", "0.1",
    ]  # fmt: skip
    for _ in range(3):
        before = _written(output)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None and _written(output) == before:
            time.sleep(0.01)
        process.kill()
        assert process.wait() == -signal.SIGKILL
    assert _written(output)
    plan = make_plan(MADE, *paths)
    assert scan(plan, output) == scan(plan, tmp_path / "whole")
    assert [path.name for path in output.parent.iterdir()] == [output.name]


def _written(output: Path) -> int:
    try:
        return os.stat(checkpoint_path(str(output))).st_mtime_ns
    except FileNotFoundError:
        return 0
