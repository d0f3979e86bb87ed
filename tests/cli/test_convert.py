"""What models said, by the commands that a user types: convert, compare, run, audit, edit."""

from __future__ import annotations

import json
import os
from math import nan
from pathlib import Path

import pytest

from hansproof import load, predictions
from hansproof.probes.compare import Compare
from hansproof.types import Benchmark, Result

from ..support.cli_runner import expect_one_line_error, run_here
from ..support.markers import needs_data
from ..support.probe_factories import predictions as made

REAL = Path(__file__).parents[1] / "logs" / "real"
DATA = os.environ.get("HANSPROOF_DATA", "")


@pytest.fixture(scope="module")
def toy() -> Benchmark:
    return load("toy:original")


@pytest.fixture(scope="module")
def folder(toy: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six runs: good, fair and blind, two seeds each."""
    folder = tmp_path_factory.mktemp("runs")
    for one in made(toy):
        predictions.write(str(folder / f"{one.model}.{one.seed}.jsonl"), one)
    return folder


def files(folder: Path, pattern: str) -> list[str]:
    return sorted(map(str, folder.glob(pattern)))


@pytest.mark.parametrize("how", ["wildcard", "list", "flags"])
def test_files_by_wildcard_by_list_and_by_flag(folder: Path, how: str) -> None:
    every = files(folder, "*.jsonl")
    args = {
        "wildcard": ["--predictions", f"{folder}/*.jsonl"],
        "list": ["--predictions", *every],  # as a shell expands it
        "flags": [arg for path in every for arg in ("--predictions", path)],
    }[how]
    done = run_here("run", "accuracy", "toy:original", *args, "--json")
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)["tables"]["systems"]
    assert [row[1] for row in table["rows"]] == ["blind on choices", "fair", "good"]


def test_audit_adds_what_predictions_allow(folder: Path, tmp_path: Path) -> None:
    args = ("--predictions", f"{folder}/*.jsonl", "-o", "out")
    done = run_here("audit", "toy:original", *args, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    audit = json.loads((tmp_path / "out/audit.json").read_text())
    assert {r["probe"] for r in audit["results"]} == {
        "balance", "cues", "class_balance", "partial_input", "surface", "integrity",
        "accuracy", "compare", "easy_hard", "seeds", "shortcuts",
    }  # fmt: skip
    assert "score hold up on items" in (tmp_path / "out/report.html").read_text()


def test_compare_prints_the_paired_result(folder: Path, toy: Benchmark) -> None:
    patterns = (f"{folder}/good*", f"{folder}/fair*")
    done = run_here("compare", *patterns, "--bench", "toy:original", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    runs = [one for one in made(toy) if one.view == "full"]
    expected: Result = Compare(a="good", b="fair")(toy, runs)
    assert found["estimates"][0]["value"] == expected.estimates[0].value
    assert found["summary"] == expected.summary
    assert "good" in run_here("compare", *patterns, "--bench", "toy:original").stdout


def test_compare_without_a_benchmark_it_can_name(folder: Path) -> None:
    done = run_here("compare", *files(folder, "good*"))
    assert "does not name a known benchmark: name it with --bench" in expect_one_line_error(done)


def test_convert_a_real_log_of_lm_eval(tmp_path: Path) -> None:
    (log,) = list(REAL.glob("lm_eval/**/samples_toy_id_*.jsonl"))
    done = run_here("convert", str(log), "--bench", "toy:original", "-o", "out", cwd=tmp_path)
    # the log has fewer items than the benchmark: the others were not asked
    assert done.returncode == 0, done.stderr
    (path,) = (tmp_path / "out").iterdir()
    lines = path.read_text().splitlines()
    n_asked = len(log.read_text().splitlines())
    assert len(lines) == 1 + 120
    assert sum('"no_answer": "not asked"' in line for line in lines) == 120 - n_asked


def test_convert_and_read_again(folder: Path, tmp_path: Path, toy: Benchmark) -> None:
    table = tmp_path / "mine.csv"
    items = toy.splits["original"]
    table.write_text("id,choice\n" + "".join(f"{i.id},{'AB'[i.answer or 0]}\n" for i in items))
    args = ("--bench", "toy:original", "--model", "perfect", "--view", "choices", "--seed", "7")
    done = run_here("convert", "mine.csv", *args, "-o", "out", cwd=tmp_path)
    assert done.stdout == "out/perfect.original.choices.7.jsonl\n"
    read = predictions.read(str(tmp_path / done.stdout.strip()), predictions.BenchmarkSplits(toy))
    assert (read.model, read.view, read.seed) == ("perfect", "choices", 7)
    assert all(read.scores[i.id][i.answer or 0] == 1 for i in items)


def test_edit_writes_a_benchmark_that_can_be_read(folder: Path, tmp_path: Path) -> None:
    args = ("--split", "original", "--predictions", *files(folder, "blind*"), "-o", "parts")
    done = run_here("edit", "easy-hard", "toy:original", *args, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    parts = load(str(tmp_path / "parts"))
    assert sorted(parts.splits) == ["original_easy", "original_hard"]
    written = {i.id: i for items in parts.splits.values() for i in items}
    for item in load("toy:original").splits["original"]:
        again = written[item.id]
        assert (again.fields, again.choices, again.answer) == (
            item.fields,
            item.choices,
            item.answer,
        )
        assert again.group == item.group
        assert again.meta == {**item.meta, "easy_hard": again.meta["easy_hard"]}


def spoilt(lines: list[str], how: str) -> str:
    header, first, *rest = lines
    return {
        "another version": "\n".join([header.replace('"sha256": "', '"sha256": "0'), first, *rest]),
        "missing": "\n".join([header, *rest]),
        "extra": "\n".join([*lines, '{"id": "nobody", "scores": [0, 1]}']),
        "twice": "\n".join([*lines, first]),
        "nan": "\n".join([header, json.dumps({**json.loads(first), "scores": [0, nan]}), *rest]),
        "cut off": "\n".join(lines)[:-10],
        "three scores": "\n".join([header, first.replace("]", ", 0.5]"), *rest]),
    }[how] + ("" if how == "cut off" else "\n")


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ("another version", "are predictions for b, not for toy"),
        ("missing", "1 of 120 items are missing: "),
        ("extra", "spoilt.jsonl:122: id: nobody is not an item of this split (120 items)"),
        ("twice", "occurs twice"),
        ("nan", "a score is nan"),
        ("cut off", "is incomplete: its writer was interrupted after 119 of 120 items"),
        ("three scores", "has 3 scores for 2 choices"),
    ],
)
def test_bad_predictions_are_met_with_one_line(
    folder: Path, tmp_path: Path, how: str, what: str
) -> None:
    text = spoilt((folder / "good.0.jsonl").read_text().splitlines(), how)
    path = tmp_path / "spoilt.jsonl"
    path.write_text(text)
    done = run_here("run", "accuracy", "toy:original", "--predictions", str(path))
    assert what in expect_one_line_error(done)
    assert path.read_text() == text  # nothing lost


def test_what_a_killed_writer_finished_is_recovered(folder: Path, tmp_path: Path) -> None:
    whole = (folder / "good.0.jsonl").read_text()
    (tmp_path / "cut.jsonl.part").write_text(whole[: len(whole) // 2])
    args = ("--bench", "toy:original", "-o", "out")
    done = run_here("convert", "cut.jsonl.part", *args, cwd=tmp_path)
    line = expect_one_line_error(done)
    (part,) = (tmp_path / "out").iterdir()
    kept = part.read_text()
    assert kept == whole[: len(kept)]
    finished = kept.count("\n") - 1
    assert f"interrupted after {finished} of 120 items" in line
    assert f"written to out/{part.name}" in line


def test_a_log_without_choices() -> None:
    log = str(REAL / "inspect_ai" / "free-text.eval")
    done = run_here("run", "accuracy", "toy:original", "--predictions", log)
    assert "its samples have no choices" in expect_one_line_error(done)


def test_predictions_that_are_not_there() -> None:
    done = run_here("run", "accuracy", "toy:original", "--predictions", "no/*.jsonl")
    assert expect_one_line_error(done) == "hansproof: no/*.jsonl: no such file\n"


def test_easy_ids_need_predictions(tmp_path: Path) -> None:
    done = run_here("audit", "toy:original", "--easy", "ids.json", cwd=tmp_path)
    assert "--easy: needs --predictions" in expect_one_line_error(done)


@needs_data
def test_the_published_archive_in_one_command(tmp_path: Path) -> None:
    archive = f"{DATA}/balanced_copa/predictions.tar.bz2"
    done = run_here("convert", archive, "--bench", "copa", "-o", "runs", cwd=tmp_path)
    assert sorted(done.stdout.split()) == [
        f"runs/{model}.test.{seed}.jsonl" for model in ("BERT", "RoBERTa") for seed in range(3)
    ]
    done = run_here("compare", "runs/BERT*", "runs/RoBERTa*", cwd=tmp_path)
    assert done.stdout.startswith(
        "clear  BERT (76.5%) and RoBERTa (87.7%) differ significantly on 500 items"
    )


def test_complete_runs_are_written_though_another_breaks_off(folder: Path, tmp_path: Path) -> None:
    whole = (folder / "good.0.jsonl").read_text()
    (tmp_path / "cut.jsonl").write_text(whole[: len(whole) // 2])
    logs = ("cut.jsonl", *files(folder, "fair*"))
    done = run_here("convert", *logs, "--bench", "toy:original", "-o", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "fair.original.0.jsonl", "fair.original.1.jsonl", "good.original.0.jsonl.part"
    ]  # fmt: skip


def test_another_run_is_not_overwritten(folder: Path, tmp_path: Path) -> None:
    args = ("--bench", "toy:original", "--model", "m", "--seed", "-5", "-o", "out")
    assert run_here("convert", *files(folder, "good.0*"), *args, cwd=tmp_path).stdout == (
        "out/m.original.-5.jsonl\n"
    )
    again = run_here("convert", *files(folder, "good.0*"), *args, cwd=tmp_path)
    assert again.returncode == 0  # the same content
    done = run_here("convert", *files(folder, "good.1*"), *args, cwd=tmp_path)
    assert "contains another run: write to another folder" in expect_one_line_error(done)


def test_files_before_the_benchmark(folder: Path) -> None:
    done = run_here("run", "accuracy", "--predictions", *files(folder, "good*"), "toy:original")
    assert done.returncode == 2
    assert "Give BENCH first, then the options that take files." in done.stderr


@pytest.mark.parametrize(
    ("field", "value"),
    [("train_accuracy", "Infinity"), ("train_accuracy", "95"), ("model", '""'),
     ("model", '"a\\nb"'), ("model", '"\\ud800"'), ("seed", "1.5"), ("params", "[1]")],
)  # fmt: skip
def test_headers_that_make_no_sense(folder: Path, tmp_path: Path, field: str, value: str) -> None:
    header, _, rest = (folder / "good.0.jsonl").read_text().partition("\n")
    parts = {k: json.dumps(v) for k, v in json.loads(header).items()} | {field: value}
    path = tmp_path / "odd.jsonl"
    path.write_text("{" + ", ".join(f'"{k}": {v}' for k, v in parts.items()) + "}\n" + rest)
    done = run_here("run", "seeds", "toy:original", "--predictions", str(path))
    assert f"odd.jsonl:1: {field}: " in expect_one_line_error(done)


def test_protocols_are_those_of_the_type() -> None:
    from typing import get_args

    from hansproof.cli.convert import PROTOCOLS
    from hansproof.types import TrainingProtocol

    assert get_args(TrainingProtocol) == PROTOCOLS


@needs_data
def test_items_of_helm_logs_are_a_benchmark_for_the_same_logs(tmp_path: Path) -> None:
    logs = f"{DATA}/helm/*/virology.json.gz"
    done = run_here("convert", logs, "--items", "virology.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "virology.jsonl: 166 items\n"
    args = ("run", "accuracy", "virology.jsonl", "--predictions", logs, "--json")
    done = run_here(*args, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)["tables"]["systems"]
    systems = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    accuracies = {system["system"]: system["accuracy"] for system in systems}
    assert len(accuracies) == 10
    assert accuracies["openai/gpt-4o-2024-05-13"] == pytest.approx(0.596, abs=5e-4)
    assert accuracies["meta/llama-3-70b"] == pytest.approx(0.590, abs=5e-4)


@needs_data
def test_items_of_different_benchmarks_are_refused(tmp_path: Path) -> None:
    folder = f"{DATA}/helm/meta_llama-3-70b"
    logs = [f"{folder}/virology.json.gz", f"{folder}/global_facts.json.gz"]
    done = run_here("convert", *logs, "--items", "both.jsonl", cwd=tmp_path)
    line = expect_one_line_error(done)
    assert line.startswith(f"hansproof: {logs[1]}: id")
    assert f"has another question than in {logs[0]}: " in line
    assert not list(tmp_path.iterdir())


def test_items_of_inspect_logs(tmp_path: Path) -> None:
    log = str(REAL / "inspect_ai" / "plain.eval")
    done = run_here("convert", log, "--items", "items.jsonl", cwd=tmp_path)
    assert done.stderr == "items.jsonl: 12 items\n"
    done = run_here("run", "accuracy", "items.jsonl", "--predictions", log, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "mockllm/model" in done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "--bench: is missing: name the benchmark, or use --items"),
        (("--items", "x.jsonl", "--bench", "copa"), "--bench: cannot be combined with --items"),
        (("--items", "x.jsonl", "-o", "runs"), "--output: cannot be combined with --items"),
        (("--items", "x.jsonl", "--seed", "3"), "--seed: cannot be combined with --items"),
        (("--items", ""), "--items: is empty"),
        (("--items", "x.csv"), "--items: 'x.csv' does not end in .jsonl"),
    ],
)
def test_items_go_with_no_option_about_runs(
    args: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    log = str(REAL / "inspect_ai" / "plain.eval")
    line = expect_one_line_error(run_here("convert", log, *args, cwd=tmp_path))
    assert line.startswith(f"hansproof: {message}")
    assert not list(tmp_path.iterdir())


def test_items_do_not_overwrite_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("work\n")
    log = str(REAL / "inspect_ai" / "plain.eval")
    line = expect_one_line_error(run_here("convert", log, "--items", "mine.jsonl", cwd=tmp_path))
    assert "mine.jsonl: exists" in line
    assert (tmp_path / "mine.jsonl").read_text() == "work\n"


def test_items_of_logs_that_contain_none(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,choice\n1,A\n")
    line = expect_one_line_error(run_here("convert", "a.csv", "--items", "i.jsonl", cwd=tmp_path))
    assert line.startswith("hansproof: a.csv: logs of table do not contain items")
