"""Models that an audit runs on the choices alone: `--blind`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hansproof import api, auditing
from hansproof.errors import BadInput
from hansproof.probes.partial_input import PartialInput
from hansproof.probes.shortcuts import Shortcuts

from ..support import torch_models
from ..support.cli_runner import expect_one_line_error, run_here, run_on_terminal


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits run the two probes that take blind models, quickly."""
    probes = {
        "partial_input": PartialInput(randomisations=19, cuts=3, ngram=1),
        "shortcuts": Shortcuts(randomisations=20),
    }
    monkeypatch.setattr(auditing, "default_probes", lambda inputs: {**probes})


def audit(folder: Path, *flags: str) -> tuple[dict[str, Any], str]:
    done = run_here("audit", "toy:original", "-o", "out", *flags, cwd=folder)
    assert done.returncode == 0, done.stderr
    results = json.loads((folder / "out/audit.json").read_text())["results"]
    return {result["probe"]: result for result in results}, done.stderr


def rows(result: dict[str, Any], table: str) -> list[dict[str, Any]]:
    found = result["tables"][table]
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


def test_a_bag_of_words_is_cross_validated_and_judged(tmp_path: Path) -> None:
    results, _ = audit(tmp_path, "--blind", "bow:ngram=2")
    views = [row for row in rows(results["partial_input"], "views") if row["model"] != "bow"]
    assert [(row["view"], row["protocol"]) for row in views] == [("choices", "cv")]
    assert views[0]["q"] is not None
    assert "bow" in views[0]["model"]
    assert any("fold by fold" in note for note in results["partial_input"]["notes"])
    models = [row["model"] for row in rows(results["shortcuts"], "blind")]
    assert len(models) == 2
    (path,) = (tmp_path / "out/runs").glob("*.jsonl")
    header, *lines = map(json.loads, path.read_text().splitlines())
    assert (header["view"], header["protocol"]) == ("choices", "cv")
    assert {line["fold"] for line in lines} == {0, 1, 2}


def test_runs_are_kept_and_used_again(tmp_path: Path) -> None:
    first, _ = audit(tmp_path, "--blind", "bow:ngram=2")
    (path,) = (tmp_path / "out/runs").glob("*.jsonl")
    before = path.stat().st_mtime_ns
    again, _ = audit(tmp_path, "--blind", "bow:ngram=2")
    assert path.stat().st_mtime_ns == before
    assert first == again
    # the same run as predictions adds nothing
    both, _ = audit(tmp_path, "--blind", "bow:ngram=2", "--predictions", str(path))
    assert rows(both["partial_input"], "views") == rows(first["partial_input"], "views")
    assert rows(both["shortcuts"], "blind") == rows(first["shortcuts"], "blind")


def test_several_models_and_those_that_need_no_training(tmp_path: Path) -> None:
    """The option takes several values, and may be repeated."""
    results, _ = audit(tmp_path, "--blind", "longest", "wordfreq", "--blind", "majority")
    protocols = {row["model"]: row["protocol"] for row in rows(results["partial_input"], "views")
                 if row["model"] != "bow"}  # fmt: skip
    assert protocols == {"longest": "given", "wordfreq": "cv", "majority": "cv"}


def test_python_does_the_same(tmp_path: Path) -> None:
    by_command, _ = audit(tmp_path, "--blind", "bow:ngram=2")
    result = {r.probe: r for r in api.audit("toy:original", blind="bow:ngram=2").results}
    for probe, table in (("partial_input", "views"), ("shortcuts", "blind")):
        command_rows = by_command[probe]["tables"][table]["rows"]
        assert [list(row) for row in result[probe].tables[table].rows] == command_rows
    assert not (tmp_path / "runs").exists()


def test_a_probe_alone_takes_blind_models(tmp_path: Path) -> None:
    flags = ("--randomisations", "19", "--cuts", "3", "--ngram", "1")
    done = run_here(
        "run", "partial_input", "toy:original", "--blind", "longest", *flags, "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "longest" in {row["model"] for row in rows(json.loads(done.stdout), "views")}


def test_what_is_refused(tmp_path: Path) -> None:
    flags = {
        ("saved:runs/1",): "--blind: saved:runs/1 is trained already",
        ("nonesuch",): "nonesuch",
        ("bow:depth=3",): "unknown parameter of bow 'depth'",
        ("lm:./missing",): "missing",
    }
    for given, message in flags.items():
        done = run_here("audit", "toy:original", "--blind", *given, cwd=tmp_path)
        assert message in expect_one_line_error(done)
    assert not list(tmp_path.glob("audit/audit.json"))
    with pytest.raises(BadInput, match=r"^`blind`: saved:runs/1 is trained already"):
        api.audit("toy:original", blind="saved:runs/1")


def test_the_next_step_gives_models_again(tmp_path: Path) -> None:
    _, screen = run_on_terminal(
        "audit", "toy:original", "--blind", "longest", "--sample", "30", cwd=tmp_path
    )
    assert "hansproof audit toy:original --blind longest" in " ".join(screen.split())


@pytest.mark.parametrize("kind", ["encoder_linear", "lm"])
def test_models_of_transformers(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    specs = {"encoder_linear": torch_models.encoder_linear, "lm": torch_models.lm}
    spec = specs[kind](tmp_path)
    results, _ = audit(tmp_path, "--blind", spec, "--jobs", "1", "--sample", "60")
    (row,) = (row for row in rows(results["partial_input"], "views") if row["model"] != "bow")
    assert row["protocol"] == ("cv" if kind == "encoder_linear" else "given")
    assert row["q"] is not None
    assert len(rows(results["shortcuts"], "blind")) == 2
    (path,) = (tmp_path / "out/runs").glob("*.jsonl")
    header = json.loads(path.read_text().splitlines()[0])
    assert header["model"].startswith(kind)
    if kind == "lm":
        assert header["params"]["score_by"] == "token"
