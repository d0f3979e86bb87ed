"""Runs of different files that cannot be told apart are refused, never merged."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from hansproof.benchmarks import load
from hansproof.errors import BadInput
from hansproof.inputs.systems import build_systems
from hansproof.logs import LogOverrides
from hansproof.logs import read_runs as read
from hansproof.predictions import write
from hansproof.types import NoAnswer, Predictions

from ..support.log_factories import BENCH, data_path, write_file
from ..support.markers import needs_data

RECORDED = ("bert_large", "bert_large_w", "bov_w")  # with predictions by item


def copy_recorded(folder: Path, experiment: str, name: str) -> None:
    source = data_path("arct_adversarial", "recorded", experiment, "preds-dev-test.csv.gz")
    with gzip.open(source, "rb") as file:
        write_file(folder, name, file.read())


@needs_data
def test_arct2_files_of_one_folder_are_different_systems(tmp_path: Path) -> None:
    for experiment in RECORDED:
        copy_recorded(tmp_path, experiment, f"preds_{experiment}.csv")
    benchmark = load("arct:test")
    runs = read([f"{tmp_path}/preds_*.csv"], benchmark)
    systems = build_systems(benchmark, runs)
    assert [(s.runs[0].model, s.runs[0].view, len(s.runs)) for s in systems] == [
        ("preds_bert_large", "unknown", 20),
        ("preds_bert_large", "choices", 20),
        ("preds_bov", "choices", 20),
    ]
    assert [round(s.accuracy, 3) for s in systems] == [0.671, 0.656, 0.57]


@needs_data
def test_arct2_files_that_share_a_name_are_refused(tmp_path: Path) -> None:
    for experiment in RECORDED[1:]:
        copy_recorded(tmp_path, experiment, f"{experiment}/preds.csv")
    benchmark = load("arct:test")
    with pytest.raises(BadInput) as caught:
        read([f"{tmp_path}/*/preds.csv"], benchmark)
    message = str(caught.value).replace(f"{tmp_path}/", "")
    assert message == (
        "bov_w/preds.csv: its run of preds (view unknown, test, seed 1) has different answers "
        "from the one in bert_large_w/preds.csv: name each system with --predictions NAME=FILES"
    )
    named = [f"bert={tmp_path}/bert_large_w/*", f"bov@choices={tmp_path}/bov_w/*"]
    assert {(run.model, run.view) for run in read(named, benchmark)} == {
        ("bert", "unknown"),
        ("bov", "choices"),
    }
    with pytest.raises(BadInput, match="seed 1"):  # one name does not make them one system
        read([f"one={tmp_path}/*/preds.csv"], benchmark)


def write_answers(folder: Path, name: str, answers: str, header: str = "id,model,choice") -> str:
    rows = [f"{id},m,{choice}" for id, choice in zip("abc", answers, strict=False)]
    return write_file(folder, name, "\n".join([header, *rows]) + "\n")


def test_files_without_a_seed_collide_unless_one_name_joins_them(tmp_path: Path) -> None:
    paths = [write_answers(tmp_path, name, a) for name, a in (("x.csv", "ABA"), ("y.csv", "BBA"))]
    with pytest.raises(BadInput, match=r"y\.csv: its run of m .* has different answers .*x\.csv"):
        read(paths, BENCH)
    assert len(read([f"m={tmp_path}/*.csv"], BENCH)) == 2
    assert len(read([f"m={path}" for path in paths], BENCH)) == 2
    assert len(read(paths, BENCH, overrides=LogOverrides(model="m"))) == 2
    apart = read([f"m={paths[0]}", f"n={paths[1]}"], BENCH)
    assert [run.model for run in apart] == ["m", "n"]
    with pytest.raises(BadInput, match=r"y\.csv: its run of m"):  # only one of them is named
        read([f"m={paths[0]}", paths[1]], BENCH)


def test_seeds_and_run_numbers_tell_runs_apart(tmp_path: Path) -> None:
    for seed, answers in enumerate(("ABA", "BBA")):
        rows = "".join(f"{id},m,{c},{seed}\n" for id, c in zip("abc", answers, strict=True))
        write_file(tmp_path, f"{seed}.csv", "id,model,choice,seed\n" + rows)
    assert [run.seed for run in read([str(tmp_path)], BENCH)] == [0, 1]
    rows = "".join(f"{id},m,{c},{run}\n" for run, c in enumerate("AB") for id in "abc")
    path = write_file(tmp_path, "several/runs.csv", "id,model,choice,run\n" + rows)
    assert len(read([path], BENCH)) == 2


def test_files_about_different_items_are_parts_of_a_run(tmp_path: Path) -> None:
    write_answers(tmp_path, "x.csv", "AB")
    write_file(tmp_path, "y.csv", "id,model,choice\nc,m,B\n")
    (run,) = read([f"{tmp_path}/*.csv"], BENCH)
    assert (set(run.scores), run.unanswered) == (set("abc"), {})
    write_file(tmp_path, "y.csv", "id,model,choice\nb,m,B\nc,m,B\n")
    with pytest.raises(BadInput, match=r"has different answers from the one in .*x\.csv"):
        read([f"{tmp_path}/*.csv"], BENCH)


def test_parts_are_not_joined_by_the_name_of_their_files(tmp_path: Path) -> None:
    """Both are called predictions.csv, which says nothing of the model."""
    write_file(tmp_path, "m/predictions.csv", "id,choice\na,A\nb,B\n")
    write_file(tmp_path, "n/predictions.csv", "id,choice\nc,B\n")
    with pytest.raises(BadInput, match="its run of predictions"):
        read([f"{tmp_path}/*/predictions.csv"], BENCH)
    (run,) = read([f"m={tmp_path}/*/predictions.csv"], BENCH)
    assert isinstance(run, Predictions)
    assert run.unanswered == {}


def test_a_run_that_was_recorded_twice_is_named_so(tmp_path: Path) -> None:
    """After an upgrade, a store has the run of both versions: other headers, the same answers."""
    items = BENCH.splits["test"]
    scores: dict[str, tuple[float, ...]] = {item.id: (0.9, 0.1) for item in items}
    old = Predictions("made", "test", BENCH.sha256()["test"], "m", "choices", scores, 0,
                      params={"way": "text", "requests": 3}, version="0.1.0+a")  # fmt: skip
    new = replace(old, version="0.1.0+b", params={"way": "text", "requests": 4})
    paths = [str(tmp_path / name) for name in ("x.jsonl", "y.jsonl")]

    def read_both(second: Predictions) -> str:
        for path, run in zip(paths, (old, second), strict=True):
            write(path, run)
        with pytest.raises(BadInput) as caught:
            read(paths, BENCH)
        return str(caught.value).replace(f"{tmp_path}/", "")

    subject = "y.jsonl: its run of m (view choices, test, seed 0)"
    assert read_both(new) == (
        f"{subject} is the same as the one in x.jsonl, by another version of hansproof (0.1.0+b "
        "and 0.1.0+a): give only one of them"
    )
    assert read_both(replace(new, version=old.version)) == (
        f"{subject} has the same answers as the one in x.jsonl: give only one of them"
    )
    assert "has different answers" in read_both(replace(new, scores={**scores, "a": (0.1, 0.9)}))
    texts: dict[str, int | NoAnswer] = {"a": 1}
    assert "has different answers" in read_both(replace(new, text_answers=texts))
