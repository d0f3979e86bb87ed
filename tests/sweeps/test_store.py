"""The store: whole records and nothing else, whoever writes, is killed, or spoils them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hansproof import logs
from hansproof._infra.locks import Locks
from hansproof.errors import BadInput
from hansproof.predictions import BenchmarkSplits
from hansproof.sweeps.store import RunKey, RunMetrics, RunStore, file_stem
from hansproof.types import Benchmark, Item, Predictions

from ..support.sweep_factories import holding

ITEMS = tuple(Item(f"i{n}", {"q": f"ask {n}"}, ("a", "b"), n % 2) for n in range(5))
BENCH = Benchmark("b", {"test": ITEMS})
RUN = Predictions(
    "b",
    "test",
    BENCH.sha256()["test"],
    "m",
    "full",
    {item.id: (0.1, 1 / 3) for item in ITEMS},
    seed=1,
    params={"rates": (1, 2)},
)
METRICS: RunMetrics = {"accuracy": 0.4, "n": 5}


def entry(seed: int = 1, **more: Any) -> RunKey:
    return RunKey(file_stem("m", "test", "full", str(seed)), {"model": "m", "seed": seed, **more})


ENTRY = entry()


def done(store: RunStore, one: RunKey = ENTRY) -> bool:
    """Do it, if it is ours to do."""
    ours = store.claim(one) == "ours"
    if ours:
        store.write_record(one, RUN, METRICS)
        store.release(one)
    return ours


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


def test_a_record_is_a_file_of_predictions_that_says_more(tmp_path: Path) -> None:
    with RunStore(str(tmp_path)) as store:
        assert not store.has_record(ENTRY)
        assert done(store)
        assert store.has_record(ENTRY)
        assert store.claim(ENTRY) == "finished"
        assert store.read_record(ENTRY, BenchmarkSplits(BENCH)) == RUN
    assert files(tmp_path) == [f"m.test.full.1.{ENTRY.digest[:12]}.jsonl"]
    assert logs.read([f"{tmp_path}/*.jsonl"], BENCH) == (RUN,)
    header = json.loads(Path(store.record_path(ENTRY)).read_text().splitlines()[0])
    assert header["run"] == ENTRY.digest
    assert header["parts"] == ENTRY.parts
    assert header["metrics"] == METRICS


def test_the_same_run_is_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        with RunStore(str(tmp_path / name)) as store:
            done(store)
    a, b = (next((tmp_path / name).glob("*.jsonl")) for name in "ab")
    assert a.read_bytes() == b.read_bytes()


def test_names_are_safe() -> None:
    assert file_stem("./x y.py", "a/b", "q+choices/alone", "-3") == "x-y-py.a-b.q+choices-alone.3"
    assert file_stem("日本", "test") == "test"
    assert len(file_stem("x" * 500, "y" * 500)) < 150
    assert file_stem("x" * 500) != file_stem("x" * 501)
    assert file_stem("x" * 60) == "x" * 60


def spoilt(content: bytes, how: str) -> bytes:
    header, _, rest = content.partition(b"\n")
    return {
        "cut off": content[:-9],
        "without its last line": content[: content.rstrip().rfind(b"\n") + 1],
        "empty": b"",
        "in its first line": content[:40],
        "another score": content.replace(b"0.33333", b"0.43333", 1),
        "another metric": content.replace(b'"accuracy": 0.4', b'"accuracy": 0.9'),
        "no digest": header.replace(b'"digest"', b'"digits"') + b"\n" + rest,
        "no JSON": b"\x00\xff\n" + rest,
        "no object": b"[1]\n" + rest,
        "deep": b"[" * 100_000,
        "one bit": content[:-30] + bytes([content[-30] ^ 1]) + content[-29:],
    }[how]


@pytest.mark.parametrize(
    "how",
    ["cut off", "without its last line", "empty", "in its first line", "another score",
     "another metric", "no digest", "no JSON", "no object", "deep", "one bit"],
)  # fmt: skip
def test_a_damaged_record_is_set_aside_and_done_again(tmp_path: Path, how: str) -> None:
    said: list[str] = []
    with RunStore(str(tmp_path), said.append) as store:
        done(store)
        path = Path(store.record_path(ENTRY))
        whole = path.read_bytes()
        for number in (1, 2):
            path.write_bytes(spoilt(whole, how))
            assert not store.has_record(ENTRY)
            assert done(store)
            assert path.read_bytes() == whole
            assert len(said) == number
    assert said[0].startswith(f"{path}: is damaged: ")
    assert said[0].endswith(f"renamed to {path.name}.damaged, and the run is repeated")
    assert "\n" not in said[0]
    assert files(tmp_path) == [path.name + end for end in ("", ".damaged", ".damaged.2")]
    assert logs.read([f"{tmp_path}/*.jsonl"], BENCH) == (RUN,)


def test_a_record_under_the_name_of_another(tmp_path: Path) -> None:
    said: list[str] = []
    other = entry(seed=2)
    with RunStore(str(tmp_path), said.append) as store:
        done(store)
        os.rename(store.record_path(ENTRY), store.record_path(other))
        assert not store.has_record(other)
        assert done(store, other)
    assert "is the record of another run; renamed" in said[0]


def test_what_is_claimed_and_not_done_leaves_nothing(tmp_path: Path) -> None:
    with RunStore(str(tmp_path)) as store:
        assert store.claim(ENTRY) == "ours"
        store.release(ENTRY)
        assert files(tmp_path) == []
        assert done(store)


def test_several_are_ours_until_each_is_freed(tmp_path: Path) -> None:
    some = [entry(seed) for seed in range(3)]
    with RunStore(str(tmp_path)) as store:
        assert [store.claim(one) for one in some] == ["ours"] * 3
        assert seen_by_another(tmp_path, some) == ["taken"] * 3
        store.write_record(some[1], RUN, METRICS)
        store.release(some[1])
        store.release(some[2])
        assert seen_by_another(tmp_path, some) == ["taken", "finished", "ours"]
    assert files(tmp_path) == [some[1].file_name]


LOOK = """
import sys
from hansproof.sweeps.store import RunKey, RunStore
with RunStore(sys.argv[1]) as store:
    for stem, seed in zip(sys.argv[2::2], sys.argv[3::2]):
        print(store.claim(RunKey(stem, {"model": "m", "seed": int(seed)})))
"""


def seen_by_another(folder: Path, keys: list[RunKey]) -> list[str]:
    """How runs stand for another process, which ends at once."""
    told = [part for key in keys for part in (key.stem, str(key.parts["seed"]))]
    command = [sys.executable, "-c", LOOK, str(folder), *told]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_records_by_other_code(tmp_path: Path) -> None:
    old, new, else_ = (entry(version=v, data=d) for v, d in ((1, "x"), (2, "x"), (2, "y")))
    with RunStore(str(tmp_path)) as store:
        for one in (old, new, else_):
            done(store, one)
        (tmp_path / f"{new.stem}.notes.jsonl").write_text("not a record\n")
        (tmp_path / f"{new.stem}.empty.jsonl").write_text("")
        assert store.outdated_records([new]) == [old.file_name]
        assert store.outdated_records([else_]) == []


def test_what_another_process_is_at_is_left_alone_until_it_dies(tmp_path: Path) -> None:
    with RunStore(str(tmp_path)) as store, holding(tmp_path, ENTRY.digest) as other:
        assert store.claim(ENTRY) == "taken"
        assert done(store, entry(seed=2))  # that one is free
        other.kill()
        other.wait()
        assert done(store)


def test_what_killed_writers_left_is_removed(tmp_path: Path) -> None:
    with RunStore(str(tmp_path)) as store:
        alive, dead = (
            f"{store.record_path(one)}.{n}.part" for n, one in ((7, ENTRY), (8, entry(2)))
        )
        for path in (alive, dead, str(tmp_path / "mine.part")):
            Path(path).write_text("half")
        with holding(tmp_path, ENTRY.digest):
            store.remove_partial_files()
            assert files(tmp_path) == [os.path.basename(alive), "mine.part"]
        store.remove_partial_files()
        assert files(tmp_path) == ["mine.part"]


def test_a_lock_can_be_freed(tmp_path: Path) -> None:
    with holding(tmp_path, "0" * 64):
        locks = Locks(str(tmp_path / ".lock"))
        assert not locks.acquire("0" * 64)
        assert locks.acquire("f" * 64)
        locks.release("f" * 64)
        locks.close()


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="/file: is not a folder"):
        RunStore(str(tmp_path / "file"))


def test_a_folder_in_the_place_of_a_record(tmp_path: Path) -> None:
    with RunStore(str(tmp_path)) as store:
        os.mkdir(store.record_path(ENTRY))
        with pytest.raises(BadInput, match="cannot be read: Is a directory"):
            done(store)
