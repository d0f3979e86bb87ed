"""Language models from the command line: given, found in the cache, declined and refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hansproof import api, auditing
from hansproof.errors import BadInput, UnknownName
from hansproof.models.lm import BlindLikelihood, Lm
from hansproof.probes.surface import Surface

from ..support.cli_runner import expect_one_line_error, run_here, run_on_terminal
from ..support.sample_plugins import MINE

NOTE = "likelihoods of lm:tiny from the cache (leave them out with --lm none)\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Audits run one probe, and a stand-in for the network says how likely texts are."""

    def score(
        self: Lm, choices: Any, on_batch: Callable[[Any], None] | None = None
    ) -> dict[str, BlindLikelihood]:
        return {t: BlindLikelihood(-float(len(t)), len(t.split()), False) for t in choices}

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
    assert names(lm=[]) == with_model
    for inputs, expected in (({}, with_model), ({"lm": "none"}, plain)):
        result = api.run("surface", "toy:original", **inputs)
        assert {row[2] for row in result.tables["tells"].rows} == expected


def test_an_input_that_is_declined_need_not_be_used() -> None:
    assert api.audit("toy:original", probes="class_balance", lm="none", encoder=["none"])
    with pytest.raises(BadInput, match="`lm`: is not used by any probe"):
        api.audit("toy:original", probes="class_balance", lm="models/tiny")


def test_a_probe_alone_looks_into_the_cache(tmp_path: Path) -> None:
    run = ("run", "surface", "toy:original", "--json")
    outcomes = []
    for flags in (("--lm", "a/tiny", "b/tiny"), (), ("--lm", "none")):
        done = run_here(*run, *flags, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        outcomes.append(("most likely choice (lm:tiny " in done.stdout, done.stderr[:29]))
    note = "likelihoods of lm:tiny "
    assert [is_there for is_there, _ in outcomes] == [True, True, False]
    assert [text.startswith(note) for _, text in outcomes] == [False, True, False]


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
        ("--encoder", "bow", "--probe", "shortcuts"): "--encoder: bow is not an encoder",
        ("--lm", "lm:x,score_by=letters"): "--lm: score_by has no effect here: leave it out",
        ("--encoder", "x"): "--encoder: is not used by any probe of this audit",
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


def test_everything_is_checked_before_a_model_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*arguments: Any) -> Any:
        raise AssertionError("too early")

    monkeypatch.setattr(Lm, "score_choices", read)
    flags = {
        "--blind nosuch": "unknown model 'nosuch'",
        "--blind saved:runs/1": "--blind: saved:runs/1 is trained already",
        "--model nosuch": "unknown model 'nosuch'",
        "--model bow --seeds 0": "--seeds: is 0, must be at least 1",
        "--trained nosuch --probe robustness": "unknown model 'nosuch'",
        "--trained bow": "--trained: is not used by any probe of this audit",
        "--easy easy.json": "--easy: needs --predictions",
        "--sample 9 --ratings r.csv": "--sample: samples the items, but --ratings cover all",
        "--deterministic": "is about training: name a model with --model or --blind",
    }
    audit = ("audit", "toy:original", "--lm", "models/tiny")
    probes = ("--probe", "shortcuts", "--probe", "accuracy", "--probe", "agreement")
    for given, message in flags.items():
        done = run_here(*audit, *probes, *given.split(), cwd=tmp_path)
        assert message in expect_one_line_error(done)
    with pytest.raises(UnknownName, match="unknown model 'nosuch'"):
        api.audit("toy:original", lm="models/tiny", blind="nosuch", probes=["surface", "shortcuts"])
    assert not (tmp_path / "audit").exists()


def test_parts_are_judged_with_likelihoods(tmp_path: Path) -> None:
    """Texts are those of the whole benchmark; blind models are left to other probes."""
    lines = [
        json.dumps({"q": f"why {i}", "choices": ["a " * (i % 5 + 1), "b"], "answer": 0, "s": i % 2})
        for i in range(60)
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(lines))
    flags = ("--by", "s", "--probe", "partial_input:randomisations=19", "--blind", "longest")
    done = run_here("audit", "q.jsonl", "--lm", "models/tiny", *flags, "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "out/audit.json").read_text())["results"]
    parts = next(result for result in results if result["probe"] == "parts")
    assert parts["params"]["lm"] == ["lm:tiny"]
    assert any("parts are judged without them" in note for note in parts["notes"])
