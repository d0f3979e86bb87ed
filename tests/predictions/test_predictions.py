"""Runs as files: written line by line, taken up after a kill, read only by their benchmark."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof import logs
from hansproof.errors import BadInput
from hansproof.predictions import (
    BenchmarkSplits,
    IncompleteRun,
    open_writer,
    read,
    read_benchmark_name,
    write,
    write_partial,
)
from hansproof.types import Benchmark, Item, Params, Predictions

from ..support.log_factories import write_file


def bench(ids: list[str], choices: int = 2) -> Benchmark:
    texts = tuple(f"choice {i}" for i in range(choices))
    return Benchmark("b", {"test": tuple(Item(id, {"q": id}, texts, 0) for id in ids)})


BENCH = bench(["a", "b", "c"])
RUN = Predictions(
    "b",
    "test",
    BENCH.sha256()["test"],
    "bert",
    "full",
    {"a": (0.1, 0.9), "b": (2.0, 1.0), "c": (0.0, -0.5)},
    seed=3,
    protocol="train-test",
    trained_on="train",
    train_accuracy=0.99,
    params={"lr": 1e-5, "layers": (1, 2), "x": None},
    tokenizer="t",
    device="cpu",
    version="1",
)
# names are shown in one line, so they can be
NAME = st.text(min_size=1, max_size=6).filter(str.isprintable)


def header(**changes: Any) -> dict[str, Any]:
    names = ("benchmark", "split", "sha256", "model", "view")
    return {"predictions": 1, **{name: getattr(RUN, name) for name in names}, **changes}


def fails(folder: Path, *lines: object, benchmark: Benchmark = BENCH) -> str:
    path = write_file(folder, "p.jsonl", list(lines))
    with pytest.raises(BadInput) as caught:
        read(path, BenchmarkSplits(benchmark))
    assert str(caught.value).isprintable()
    return str(caught.value).replace(f"{folder}/", "")


def test_round_trip(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "predictions.jsonl")
    write(path, RUN)
    assert read(path, BenchmarkSplits(BENCH)) == RUN
    assert os.listdir(tmp_path / "deep") == ["predictions.jsonl"]
    assert logs.read([path], BENCH) == (RUN,)
    given = logs.LogOverrides(model="other", seed=9)
    assert logs.read([path], BENCH, overrides=given) == (replace(RUN, model="other", seed=9),)


def test_training_that_fell_apart(tmp_path: Path) -> None:
    path = str(tmp_path / "p.jsonl")
    write(path, replace(RUN, train_accuracy=float("nan")))
    accuracy = read(path, BenchmarkSplits(BENCH)).train_accuracy
    assert accuracy is not None
    assert accuracy != accuracy


SCALAR = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
)
IDS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8), unique=True, min_size=1
)


@settings(max_examples=60)
@given(
    ids=IDS,
    params=st.dictionaries(st.text(max_size=5), SCALAR | st.lists(SCALAR, max_size=3).map(tuple)),
    seed=st.none() | st.integers(),
    names=st.tuples(*[NAME] * 4),
    draw=st.data(),
)
def test_any_run_is_read_as_it_was_written(
    ids: list[str],
    params: Params,
    seed: int | None,
    names: tuple[str, ...],
    draw: st.DataObject,
) -> None:
    score = st.floats(allow_nan=False, allow_infinity=False)
    scores = {id: tuple(draw.draw(st.lists(score, min_size=3, max_size=3))) for id in ids}
    benchmark = bench(ids, 3)
    model, view, tokenizer, device = names
    run = Predictions(
        "b",
        "test",
        benchmark.sha256()["test"],
        model,
        view,
        scores,
        seed=seed,
        params=params,
        tokenizer=tokenizer,
        device=device,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.jsonl")
        write(path, run)
        found = read(path, BenchmarkSplits(benchmark))
    assert found == run
    assert list(found.scores) == ids


def test_another_version(tmp_path: Path) -> None:
    write(str(tmp_path / "p.jsonl"), RUN)
    changed = Benchmark("b", {"test": (*BENCH.splits["test"][:2], Item("c", {}, ("x", "y"), 1))})
    with pytest.raises(
        BadInput, match=r"made for another version of b:test .sha256 .*make the predictions again"
    ):
        read(str(tmp_path / "p.jsonl"), BenchmarkSplits(changed))
    other = Benchmark("c", changed.splits)
    with pytest.raises(BadInput, match=r"p\.jsonl: are predictions for b, not for c"):
        read(str(tmp_path / "p.jsonl"), BenchmarkSplits(other))
    with pytest.raises(BadInput, match="split: unknown split 'test'; known: dev, pooled"):
        read(
            str(tmp_path / "p.jsonl"),
            BenchmarkSplits(Benchmark("b", {"dev": changed.splits["test"]})),
        )


def test_the_same_items_under_another_name(tmp_path: Path) -> None:
    write(str(tmp_path / "p.jsonl"), RUN)
    renamed = Benchmark("b", {"validation": BENCH.splits["test"]})
    assert read(str(tmp_path / "p.jsonl"), BenchmarkSplits(renamed)).split == "validation"


def test_only_the_split_that_is_asked_for(tmp_path: Path) -> None:
    write(str(tmp_path / "p.jsonl"), RUN)
    both = Benchmark("b", {**BENCH.splits, "dev": (Item("z", {}, ("x", "y"), 1),)})
    assert logs.read([str(tmp_path)], both, overrides=logs.LogOverrides(split="test"))
    with pytest.raises(BadInput, match="contains no run on dev"):
        logs.read([str(tmp_path)], both, overrides=logs.LogOverrides(split="dev"))


A, B, C = ({"id": id, "scores": [0.5, 1]} for id in "abc")


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ([A, B], "p.jsonl: 1 of 3 items are missing: c"),
        (
            [A, B, C, {"id": "d", "choice": 1}],
            "p.jsonl:5: id: d is not an item of this split (3 items)",
        ),
        ([A, B, C, A], "p.jsonl:5: id: a occurs twice"),
        ([{"id": "a", "scores": [1]}], "p.jsonl:2: scores: a has 1 scores for 2 choices"),
        ([{"id": "a", "scores": [1, float("nan")]}], "p.jsonl:2: scores: a: a score is nan"),
        ([{"id": "a", "scores": [1, float("-inf")]}], "p.jsonl:2: scores: a: a score is -inf"),
        ([{"id": "a", "scores": [1, 10**400]}], "p.jsonl:2: scores: a: too large"),
        ([{"id": "a", "scores": [1, True]}], "p.jsonl:2: scores: a: not a list of numbers"),
        ([{"id": "a", "scores": "12"}], "p.jsonl:2: scores: a: not a list of numbers"),
        (
            [{"id": "a", "choice": 2}],
            "p.jsonl:2: choice: a: choice 2 is out of range for 2 choices (the first is 0)",
        ),
        ([{"id": "a", "choice": "A"}], "p.jsonl:2: choice: a: not an index"),
        ([{"id": "a"}], "p.jsonl:2: a needs either scores or a choice"),
        ([{"id": 1, "choice": 1}], "p.jsonl:2: id: is not text"),
        ([[]], "p.jsonl:2: is not an object"),
    ],
)
def test_bad_lines(tmp_path: Path, lines: list[object], what: str) -> None:
    assert fails(tmp_path, header(), *lines) == what


@pytest.mark.parametrize(
    ("first", "what"),
    [
        ({}, "p.jsonl:1: is not a predictions file: its first line is not a header"),
        (
            header(predictions=2),
            "p.jsonl:1: predictions: version 2 is newer than this hansproof supports (1)",
        ),
        (header(seed="x"), 'p.jsonl:1: seed: "x" is not a valid value in the header'),
        (header(model=None), "p.jsonl:1: model: null is not a valid value in the header"),
        (header(protocol="x"), 'p.jsonl:1: protocol: "x" is not a valid value in the header'),
        (
            header(params={"a": {}}),
            'p.jsonl:1: params: {"a": {}} is not a valid value in the header',
        ),
        ({"predictions": 1}, "p.jsonl:1: benchmark: is missing in the header"),
    ],
)
def test_bad_headers(tmp_path: Path, first: object, what: str) -> None:
    assert fails(tmp_path, first, A, B, C).startswith(what)


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_last_line_that_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "p.jsonl"
    write(str(path), RUN)
    path.write_bytes(path.read_bytes()[: -1 - cut])
    what = "4: is incomplete: its writer was interrupted after 2 of 3 items"
    with pytest.raises(IncompleteRun, match=what) as caught:
        read(str(path), BenchmarkSplits(BENCH))
    assert set(caught.value.run.scores) == {"a", "b"}


def test_a_last_line_without_its_end(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    write(str(path), RUN)
    path.write_bytes(path.read_bytes()[:-1])
    assert read(str(path), BenchmarkSplits(BENCH)) == RUN


WRITER = """
import json, sys, time
from hansproof.predictions import open_writer
from hansproof.types import Predictions
path, count, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
run = Predictions("b", "test", sys.argv[4], "m", "full", {}, seed=1)
added = 0
with open_writer(path, run) as out:
    for i in range(count):
        if str(i) not in out.finished_scores:
            out.add_item(str(i), (i / 3, 1.0))
            added += 1
            time.sleep(pause)
print(added)
"""


def test_a_killed_writer_goes_on_where_it_was(tmp_path: Path) -> None:
    count = 400
    benchmark = bench([str(i) for i in range(count)])
    path = str(tmp_path / "p.jsonl")
    last = [path, str(count), "0.002", benchmark.sha256()["test"]]
    command = [sys.executable, "-c", WRITER, *last]
    process = subprocess.Popen(command)
    deadline = time.monotonic() + 60
    while not (os.path.exists(path + ".part") and os.path.getsize(path + ".part") > 2000):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()  # SIGKILL: nothing is cleaned up
    process.wait()
    assert not os.path.exists(path)
    with open(path + ".part", "ab") as file:
        file.write(b'{"id": "399", "sco')  # as if it had been killed in the middle of a line
    with pytest.raises(IncompleteRun, match="is incomplete") as caught:
        logs.read([path + ".part"], benchmark)
    kept = len(caught.value.run.scores)
    assert 0 < kept < count
    last[2] = "0"
    done = subprocess.run([sys.executable, "-c", WRITER, *last], capture_output=True, check=True)
    assert int(done.stdout) == count - kept
    run = read(path, BenchmarkSplits(benchmark))
    assert run.scores == {str(i): (i / 3, 1.0) for i in range(count)}
    assert len(Path(path).read_text().splitlines()) == count + 1
    assert os.listdir(tmp_path) == ["p.jsonl"]


def test_a_run_that_another_left(tmp_path: Path) -> None:
    path = str(tmp_path / "p.jsonl")
    assert write_partial(path, replace(RUN, scores={"a": (1.0, 2.0)})) == path + ".part"
    what = r"part: seed: was left by another run \(3, now 4\)"
    with pytest.raises(BadInput, match=what), open_writer(path, replace(RUN, seed=4)):
        pass
    with pytest.raises(BadInput, match=what):
        write_partial(path, replace(RUN, seed=4))
    with open_writer(path, RUN) as out:
        assert out.finished_scores == {"a": (1.0, 2.0)}
        with pytest.raises(ValueError, match="a has already been written"):
            out.add_item("a", (1.0, 2.0))
        out.add_item("b", (1.0, 2.0))
    with pytest.raises(IncompleteRun, match="1 of 3 items are missing: c") as caught:
        read(path, BenchmarkSplits(BENCH))
    assert caught.value.run.scores == {"a": (1.0, 2.0), "b": (1.0, 2.0)}


def test_an_error_leaves_what_was_said(tmp_path: Path) -> None:
    path = str(tmp_path / "p.jsonl")

    def breaks_off() -> None:
        with open_writer(path, RUN) as out:
            out.add_item("a", (1.0, 2.0))
            raise KeyError

    with pytest.raises(KeyError):
        breaks_off()
    write_partial(path, replace(RUN, scores={"b": (3.0, 4.0)}))
    with open_writer(path, RUN) as out:
        assert out.finished_scores == {"a": (1.0, 2.0), "b": (3.0, 4.0)}


def test_a_run_killed_in_its_first_line(tmp_path: Path) -> None:
    path = str(tmp_path / "p.jsonl")
    write_file(tmp_path, "p.jsonl.part", '{"predictions": 1, "bench')
    with open_writer(path, RUN) as out:
        for id, scores in RUN.scores.items():
            out.add_item(id, scores)
    assert read(path, BenchmarkSplits(BENCH)) == RUN
    assert read_benchmark_name(path) == "b"


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    write_file(tmp_path, "file", "")
    with pytest.raises(BadInput, match="cannot be written"):
        write(str(tmp_path / "file" / "p.jsonl"), RUN)


def test_choices_become_scores(tmp_path: Path) -> None:
    lines = [header(), *({"id": id, "choice": 1} for id in "cba")]
    run = read(write_file(tmp_path, "p.jsonl", lines), BenchmarkSplits(BENCH))
    assert run.scores == dict.fromkeys("abc", (0.0, 1.0))
    assert list(run.scores) == ["a", "b", "c"]
    assert json.loads(json.dumps(run.params)) == {}


def test_no_answer_is_written_and_read(tmp_path: Path) -> None:
    path = str(tmp_path / "p.jsonl")
    scores = {id: row for id, row in RUN.scores.items() if id != "b"}
    run = replace(RUN, scores=scores, unanswered={"b": "refused"})
    write(path, run)
    assert '{"id": "b", "no_answer": "refused"}' in Path(path).read_text()
    assert read(path, BenchmarkSplits(BENCH)) == run
    assert logs.read([path], BENCH) == (run,)


@pytest.mark.parametrize(
    "line",
    [{"choice": -1}, {"choice": None}, {"no_answer": "unparsed"}, {"scores": [None, None]}],
    ids=str,
)
def test_forms_of_no_answer(tmp_path: Path, line: dict[str, object]) -> None:
    lines = [header(), {"id": "a", "choice": 0}, {"id": "b", **line}, {"id": "c", "choice": 1}]
    run = read(write_file(tmp_path, "p.jsonl", lines), BenchmarkSplits(BENCH))
    assert run.unanswered == {"b": "unparsed"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            {"no_answer": "bored"},
            "p.jsonl:2: no_answer: bored is not a known reason; use one of: unparsed, ",
        ),
        ({"no_answer": "error", "choice": 1}, "p.jsonl:2: no_answer: a also has an answer"),
        ({"no_answer": "error", "scores": [1, 0]}, "p.jsonl:2: no_answer: a also has an answer"),
    ],
)
def test_reasons_that_cannot_be(tmp_path: Path, line: dict[str, object], message: str) -> None:
    assert fails(tmp_path, header(), {"id": "a", **line}).startswith(message)


def test_an_item_is_either_answered_or_not(tmp_path: Path) -> None:
    lines = [{"id": "a", "choice": 0}, {"id": "a", "no_answer": "error"}]
    assert fails(tmp_path, header(), *lines) == "p.jsonl:3: id: a occurs twice"


def test_a_writer_resumes_after_missing_answers(tmp_path: Path) -> None:
    path = str(tmp_path / "p.jsonl")
    write_partial(path, replace(RUN, scores={"a": (1.0, 2.0)}, unanswered={"b": "error"}))
    with open_writer(path, RUN) as out:
        assert (out.finished_scores, out.unanswered) == ({"a": (1.0, 2.0)}, {"b": "error"})
        with pytest.raises(ValueError, match="b has already been written"):
            out.add_item("b", (1.0, 2.0))
        out.add_no_answer("c", "cut off")
    run = read(path, BenchmarkSplits(BENCH))
    assert run.unanswered == {"b": "error", "c": "cut off"}


def test_files_of_several_benchmarks_are_told_apart_by_their_names(tmp_path: Path) -> None:
    """The files of a store begin with the name of their benchmark."""
    other = BenchmarkSplits(Benchmark("c", {"test": (Item("c", {}, ("x", "y"), 1),)}))

    def read_error(name: str) -> str:
        write(str(tmp_path / name), RUN)
        with pytest.raises(BadInput) as caught:
            read(str(tmp_path / name), other)
        return str(caught.value).replace(str(tmp_path), "store")

    plain = "are predictions for b, not for c"
    assert read_error("b.m.test.jsonl") == f"store/b.m.test.jsonl: {plain}"  # none is for c
    (tmp_path / "c.m.test.jsonl").touch()
    assert read_error("b.m.test.jsonl") == (
        f"store/b.m.test.jsonl: {plain}: give only those for c: 'store/c.*.jsonl'"
    )
    assert read_error("mine.jsonl") == f"store/mine.jsonl: {plain}"
