"""The recorded runs that papers published, read from their own files."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from hansproof.benchmarks import load
from hansproof.errors import BadInput
from hansproof.logs import LogOverrides, _unpack, read

from ..support.log_factories import (
    BENCH,
    accuracy,
    chosen_indices,
    data_path,
    fails,
    read_one,
    write_file,
)
from ..support.markers import needs_data

PREDS = ("arct_adversarial", "recorded")
NAME = "BERT_Original_COPA_DEV_predictions_test.csv"
CSV = b"QuestionNumber,SystemOutput_Seed0,SystemOutput_Seed7,CorrectAnswer\nQ1,2,1,1\nQ2,2,2,2\n"
HEADER = "run_no,dataset,id,prob0,prob1,pred,correct\n"


@needs_data
def test_copa_keys() -> None:
    copa = load("copa")
    runs = read([data_path("copa", "*.dev"), data_path("copa", "*.test")], copa)
    assert {(run.model, run.split): round(accuracy(run, copa), 3) for run in runs} == {
        ("PMIgutenbergW5", "dev"): 0.578,
        ("PMIgutenbergW5", "test"): 0.588,
        ("baselineFirst", "dev"): 0.5,
        ("baselineFirst", "test"): 0.5,
        ("gold", "dev"): 1.0,
        ("gold", "test"): 1.0,
    }


def test_copa_keys_with_ties_and_faults(tmp_path: Path) -> None:
    run = read_one(write_file(tmp_path, "pmi.dev", "1 1 1\n2 0 1\n"))
    assert run.scores == {"1": (1.0, 1.0), "2": (0.0, 1.0)}
    assert run.model == "pmi"
    silent = read_one(write_file(tmp_path, "x.dev", "1 1 0\n2 0 0\n"))
    assert silent.unanswered == {"2": "unparsed"}
    cut = "".join(f"{i} 1 0\n" for i in range(1, 900)) + "2 x\n"
    assert fails(write_file(tmp_path, "x.dev", cut)).startswith(
        "x.dev:900: is not an id followed by 0 or 1"
    )
    assert fails(write_file(tmp_path, "x.dev", "1 1 0 0\n2 0 1 0\n")) == (
        "x.dev:1: scores: 1 has 3 scores for 2 choices"
    )


@needs_data
def test_balanced_copa() -> None:
    copa = load("copa")
    runs = read([data_path("balanced_copa", "predictions.tar.bz2")], copa)
    assert {(run.model, run.seed): accuracy(run, copa) for run in runs} == {
        ("BERT", 0): 0.74,
        ("BERT", 1): 0.802,
        ("BERT", 2): 0.752,
        ("RoBERTa", 0): 0.864,
        ("RoBERTa", 1): 0.882,
        ("RoBERTa", 2): 0.884,
    }
    assert {(run.split, run.trained_on) for run in runs} == {("test", "Original_COPA_DEV")}
    assert read([data_path("balanced_copa", "predictions.tar.bz2")], load("balanced_copa"))


def archive(path: Path, mode: str, members: dict[str, bytes], link: str = "") -> str:
    if mode == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zip:
            for name, content in members.items():
                zip.writestr(name, content)
        return str(path)
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        if link:
            info = tarfile.TarInfo("link.csv")
            info.type, info.linkname = tarfile.SYMTYPE, link
            tar.addfile(info)
    return str(path)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("x.tar.bz2", "w:bz2"),
        ("x.tgz", "w:gz"),
        ("x.tar.xz", "w:xz"),
        ("x.tar", "w"),
        ("x.zip", "zip"),
    ],
)
def test_archives(tmp_path: Path, name: str, mode: str) -> None:
    path = archive(tmp_path / name, mode, {"notes.csv": b"a,b\n", f"p/{NAME}": CSV})
    runs = read([path], BENCH, overrides=LogOverrides(split="dev"))
    assert [(run.model, run.seed, chosen_indices(run)) for run in runs] == [
        ("BERT", 0, {"1": 1, "2": 1}),
        ("BERT", 7, {"1": 0, "2": 1}),
    ]


def test_hostile_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    climbs = archive(tmp_path / "x.tar.gz", "w:gz", {NAME: CSV, "../out.csv": CSV})
    assert (
        fails(climbs)
        == "x.tar.gz: '../out.csv' would be unpacked outside the target folder: refused"
    )
    climbs = archive(tmp_path / "x.zip", "zip", {NAME: CSV, "/out.csv": CSV})
    assert fails(climbs) == "x.zip: '/out.csv' would be unpacked outside the target folder: refused"
    linked = archive(tmp_path / "y.tar", "w", {NAME: CSV}, link="/etc/hostname")
    assert fails(linked) == "y.tar: 'link.csv' is a link: refused"
    monkeypatch.setattr(_unpack, "LIMIT", 2**20)
    for name, mode in (("z.tar.bz2", "w:bz2"), ("z.tar.xz", "w:xz")):
        bomb = archive(tmp_path / name, mode, {NAME: CSV, "b.csv": bytes(2**22)})
        assert fails(bomb) == f"{name}: is larger than 1 MiB when unpacked"
    bomb = archive(tmp_path / "z.zip", "zip", {NAME: CSV, "b.csv": bytes(2**22)})
    assert "z.zip: is " in fails(bomb)
    assert sorted(os.listdir(tmp_path)) == [
        "x.tar.gz", "x.zip", "y.tar", "z.tar.bz2", "z.tar.xz", "z.zip"
    ]  # fmt: skip


def test_balanced_copa_faults(tmp_path: Path) -> None:
    dev = LogOverrides(split="dev")
    run = read([write_file(tmp_path, "mine.csv", CSV)], BENCH)[0]
    assert (run.model, run.trained_on, run.split) == ("mine", None, "dev")
    path = write_file(tmp_path, NAME, CSV.replace(b"Q2,2", b"Q2,3"))
    assert fails(path, overrides=dev) == f"{NAME}:3: SystemOutput_Seed0: '3' is not a valid value"
    path = write_file(tmp_path, NAME, CSV.replace(b"2,2\n", b"2,1\n"))
    assert f"{NAME}:3: says choice 0 is right for 2" in fails(path, overrides=dev)
    path = write_file(
        tmp_path,
        "x.tar.bz2",
        Path(archive(tmp_path / "y.tar.bz2", "w:bz2", {NAME: CSV})).read_bytes()[:60],
    )
    assert "is not a supported predictions file" in fails(path)
    with pytest.raises(BadInput, match="cannot be unpacked: "):
        read([path], BENCH, kind="balanced-copa")


@needs_data
def test_semeval2018() -> None:
    arct = load("arct")
    runs = read([data_path("arct_semeval2018", "submissions", "*.txt")], arct)
    found = {run.model: round(accuracy(run, arct), 3) for run in runs}
    assert len(found) == len(runs) == 23
    assert (found["GIST"], found["TakeLab"], found["rgtjf"], found["Joker"]) == (
        (0.712, 0.541, 0.613, 0.586)
    )
    assert {run.split for run in runs} == {"test"}
    assert accuracy(read_one(data_path("arct_semeval2018", "truth.txt"), arct), arct) == 1.0


def test_names_of_submissions(tmp_path: Path) -> None:
    for number in ("11", "12", "13"):
        write_file(tmp_path, f"submissions/{number}.txt", "#id\tlabel\na\t1\nb 0\nc\t1\n")
    everything = str(tmp_path / "submissions")
    assert [run.model for run in read([everything], BENCH)] == ["11", "12", "13"]
    names = {"11": 'systemName="x"', "12": 'systemName="" username="x"'}
    tags = [f'<participant submissionID="{n}" {name} />' for n, name in names.items()]
    write_file(tmp_path, "metadata-public.xml", f"<m>{''.join(tags)}</m>")
    assert [run.model for run in read([everything], BENCH)] == ["x (11)", "x (12)", "13"]
    bomb = '<!DOCTYPE m [<!ENTITY a "b">]><m>&a;</m>'
    write_file(tmp_path, "metadata-public.xml", bomb)
    with pytest.raises(
        BadInput, match=r"metadata-public.xml: broken XML: entities are not allowed"
    ):
        read([everything], BENCH)
    write_file(tmp_path, "metadata-public.xml", "<m>")
    with pytest.raises(BadInput, match=r"metadata-public.xml: broken XML: "):
        read([everything], BENCH)


@needs_data
def test_arct2_on_test() -> None:
    arct = load("arct")
    runs = read([data_path(*PREDS, "*", "preds*")], arct, overrides=LogOverrides(split="test"))
    assert len(runs) == 60
    assert {(run.model, run.view, run.trained_on) for run in runs} == {
        ("bert_large", "full", "arct:train"),
        ("bert_large", "choices", "arct:train"),
        ("bov", "choices", "arct:train"),
    }
    best = max(runs, key=lambda run: accuracy(run, arct))
    assert (best.model, best.view, best.split) == ("bert_large", "full", "test")
    first = runs[0]
    assert (first.seed, first.train_accuracy) == (5514, 1.0)
    assert accuracy(first, arct) == pytest.approx(0.7139639639639641)


@needs_data
def test_runs_on_splits_that_are_not_loaded_are_left_out() -> None:
    path = data_path(*PREDS, "bert_large", "preds-dev-test.csv.gz")
    assert {run.split for run in read([path], load("arct:test"))} == {"test"}
    with pytest.raises(BadInput, match="is not an item of train"):
        read([path], load("arct:train"))


@needs_data
def test_arct2_dev_has_the_order_of_the_adversarial_set() -> None:
    path = data_path(*PREDS, "bert_large", "preds-dev-test.csv.gz")
    with pytest.raises(
        BadInput, match=r"another order of choices \(in dev; to leave it out, load only another"
    ):
        read([path], load("arct"))
    run = read([path], load("arct_adversarial"), overrides=LogOverrides(split="dev"))[0]
    assert Counter(run.unanswered.values()) == {"not asked": 316}


@needs_data
def test_arct2_without_its_table_of_seeds(tmp_path: Path) -> None:
    path = str(tmp_path / "bert_large_adv_rw.csv.gz")
    shutil.copy(data_path(*PREDS, "bert_large", "preds-dev-test.csv.gz"), path)
    runs = read([path], load("arct"), overrides=LogOverrides(split="test"))
    assert [run.seed for run in runs] == list(range(1, 21))
    assert (runs[0].model, runs[0].view) == ("bert_large", "reason+choices")
    assert (runs[0].trained_on, runs[0].train_accuracy) == ("arct_adversarial:train", None)


def test_arct2_faults(tmp_path: Path) -> None:
    path = write_file(
        tmp_path, "preds.csv", HEADER + "1,dev,1,.9,.1,0,True\n1,dev,2,.5,.5,0,False\n"
    )
    assert read_one(path).scores == {"1": (0.9, 0.1), "2": (0.5, 0.5)}
    write_file(tmp_path, "accs.csv", "run_no,seed,train\n1,77,nan\n")
    assert read_one(path).seed == 77
    assert str(read_one(path).train_accuracy) == "nan"
    for row, what in {
        "1,dev,1,.9,.1,1,True": "preds.csv:2: pred: 1 is the less probable choice",
        "1,dev,1,.9,x,1,True": "preds.csv:2: prob1: 'x' is not a valid value",
        "1,dev,1,.9,.1,0,yes": "preds.csv:2: correct: 'yes' is not a valid value",
        "1,dev,1,.9,.1,0": "preds.csv:2: has 6 cells, but the header has 7",
        "1,dev,1,nan,nan,0,True": "preds.csv:2: scores: 1: a score is nan",
        "1,dev,1,.9,.1,0,False": "preds.csv:2: says choice 1 is right for 1",
    }.items():
        assert fails(write_file(tmp_path, "preds.csv", HEADER + row + "\n")).startswith(what)


def test_gzip_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    monkeypatch.setattr(_unpack, "LIMIT", 2**20)
    path = write_file(tmp_path, "p.csv.gz", gzip.compress(HEADER.encode() + b"\n" * 2**21))
    assert fails(path) == "p.csv.gz: is larger than 1 MiB when unpacked"
    whole = gzip.compress(HEADER.encode() + os.urandom(9000).hex().encode())
    assert "cannot be unpacked" in fails(write_file(tmp_path, "p.csv.gz", whole[:-20]))
