"""Language models from the command line: given, found in the cache, declined and refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hansproof import api, auditing
from hansproof.models.lm import Lm
from hansproof.probes.surface import Surface

from ..support.cli_runner import expect_one_line_error, run_here, run_on_terminal
from ..support.sample_plugins import MINE

NOTE = "likelihoods of lm:tiny from the cache (leave them out with --lm none)\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Audits run one probe, and a stand-in for the network says how likely texts are."""

    def score(
        self: Lm, choices: Any, on_batch: Callable[[Any], None] | None = None
    ) -> dict[str, tuple[float, int]]:
        return {text: (-float(len(text)), len(text.split())) for text in choices}

    monkeypatch.setattr(auditing, "default_probes", lambda inputs: {"surface": Surface()})
    monkeypatch.setattr(Lm, "score_choices", score)
    monkeypatch.setattr("hansproof.pretrained.checkpoint.fingerprint", lambda source: source)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))


def tells(folder: Path) -> set[str]:
    (result,) = json.loads((folder / "audit.json").read_text())["results"]
    table = result["tables"]["tells"]
    return {row[table["columns"].index("tell")] for row in table["rows"]}


def audit(folder: Path, *flags: str) -> tuple[set[str], str]:
    done = run_here("audit", "toy:original", "-o", "out", *flags, cwd=folder)
    assert done.returncode == 0, done.stderr
    return tells(folder / "out"), done.stderr


def test_what_one_audit_computes_the_next_finds(tmp_path: Path) -> None:
    plain, stderr = audit(tmp_path)
    assert "cache" not in stderr
    with_model, stderr = audit(tmp_path, "--lm", "lm:models/tiny,device=cpu")
    assert with_model - plain == {"most likely choice", "least likely choice"}
    assert "cache" not in stderr
    again, stderr = audit(tmp_path)
    assert again == with_model
    assert stderr.startswith(NOTE)
    declined, stderr = audit(tmp_path, "--lm", "none")
    assert declined == plain
    assert "cache" not in stderr
    assert audit(tmp_path, "-q") == (with_model, "")


def test_python_does_the_same() -> None:
    def names(**inputs: Any) -> set[Any]:
        (result,) = api.audit("toy:original", probes="surface", **inputs).results
        return {row[2] for row in result.tables["tells"].rows}

    plain, with_model = names(), names(lm="models/tiny")
    assert with_model - plain == {"most likely choice", "least likely choice"}
    assert names() == with_model
    assert names(lm="none") == plain
    assert {row[2] for row in api.run("surface", "toy:original").tables["tells"].rows} == plain
    result = api.run("surface", "toy:original", lm="models/tiny")
    assert {row[2] for row in result.tables["tells"].rows} == with_model


def test_a_probe_alone_takes_models_and_does_not_look_into_the_cache(tmp_path: Path) -> None:
    run = ("run", "surface", "toy:original", "--json")
    for flags, is_there in ((("--lm", "a/tiny", "b/tiny"), True), ((), False)):
        done = run_here(*run, *flags, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert ("most likely choice (lm:tiny " in done.stdout) == is_there


def test_a_sample_needs_only_its_own_texts(tmp_path: Path) -> None:
    audit(tmp_path, "--lm", "models/tiny", "--sample", "30")
    (path,) = (tmp_path / "xdg/hansproof/likelihoods").glob("*.jsonl")
    assert len(path.read_text().splitlines()) == 61
    assert "most likely choice" not in audit(tmp_path)[0]  # of all items


def test_the_next_step_gives_models_again(tmp_path: Path) -> None:
    _, screen = run_on_terminal(
        "audit", "toy:original", "--lm", "models/tiny", "--sample", "30", cwd=tmp_path
    )
    assert "hansproof audit toy:original --lm models/tiny" in " ".join(screen.split())


def test_what_is_refused(tmp_path: Path) -> None:
    flags = {
        ("--lm", "bow"): "--lm: bow is not a causal language model",
        ("--lm", "lm:depth=3"): "unknown parameter of lm 'depth'",
        ("--lm", "x.jsonl"): "x.jsonl: no such file",
        ("--encoder", "bow"): "--encoder: bow is not an encoder",
        ("--encoder", "none"): "--encoder: is not used by any probe of this audit",
    }
    for given, message in flags.items():
        done = run_here("audit", "toy:original", *given, cwd=tmp_path)
        assert message in expect_one_line_error(done)
    assert not (tmp_path / "audit").exists()


def test_a_setting_with_the_name_of_an_input_has_one_value(tmp_path: Path) -> None:
    """`--encoder` of the probe robustness, before BENCH."""
    done = run_here("run", "robustness", "--encoder", "none", "toy:original", cwd=tmp_path)
    assert "--encoder: is none, so sentences cannot be" in expect_one_line_error(done)


def test_a_probe_of_ones_own_takes_vectors(tmp_path: Path) -> None:
    mine = MINE.replace(
        "    colour", '    uses: ClassVar[tuple[str, ...]] = ("encoder",)\n    colour'
    )
    (tmp_path / "mine.py").write_text(mine)
    done = run_here("run", "./mine.py", "toy:original", "--encoder", "bow", cwd=tmp_path)
    assert "--encoder: bow is not an encoder" in expect_one_line_error(done)
