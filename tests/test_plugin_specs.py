"""Plug-ins of any kind with their parameters in one word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hansproof import auditing, plugins
from hansproof.cli import cli
from hansproof.errors import BadInput, HansproofError, UnknownName
from hansproof.models.bow import Bow
from hansproof.probes.class_balance import ClassBalance
from hansproof.probes.cues import Cues

from .support.sample_plugins import MINE


def test_every_kind_is_made_the_same_way() -> None:
    assert plugins.build_plugin("models", "bow:1") == Bow(ngram=1)
    assert plugins.build_plugin("probes", "cues:ngram=1,tokenizer=nltk") == Cues(
        ngram=1, tokenizer="nltk"
    )
    assert plugins.build_plugin("probes", "class-balance") == ClassBalance()


def test_of_a_probe_too_the_first_value_needs_no_name() -> None:
    assert plugins.build_plugin("probes", "cues:a+b,ngram=3") == Cues(split="a+b", ngram=3)


def test_a_parameter_is_added_unless_it_is_there() -> None:
    assert plugins.with_parameter("probes", "cues", "seed", "3") == "cues:seed=3"
    assert plugins.with_parameter("probes", "cues:dev,seed=1", "seed", "3") == "cues:dev,seed=1"
    assert plugins.with_parameter("probes", "cues", "depth", "3") is None
    assert plugins.with_parameter("probes", "cues", "seed", "3", str) is None


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("cues:ngram=one", "cues:ngram: is 'one', must be of type int"),
        ("cues:ngram=0", "ngram"),
        ("cues:ngram=1,ngram=2", "ngram is given twice"),
    ],
)
def test_a_wrong_flag_is_one_line(spec: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        plugins.build_plugin("probes", spec)


def test_unknown_names_are_met_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="unknown parameter of cues 'ngrm'; did you mean ngram"):
        plugins.build_plugin("probes", "cues:ngrm=1")
    with pytest.raises(UnknownName, match="unknown probe 'cuse'; did you mean cues"):
        plugins.build_plugin("probes", "cuse:ngram=1")


def test_what_is_no_dataclass_is_refused_by_its_kind(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    pass\n")
    with pytest.raises(
        BadInput, match="Mine is not a dataclass: a probe's fields are its parameters"
    ):
        plugins.build_plugin("probes", str(tmp_path / "mine.py"))


@pytest.fixture
def none_unasked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An audit of what is asked for, and of nothing else; a probe of one's own beside it."""
    monkeypatch.setattr(
        auditing, "default_probes", lambda inputs: {"class_balance": ClassBalance()}
    )
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE)


@pytest.mark.usefixtures("none_unasked")
def test_an_audit_asks_with_flags() -> None:
    asked = ["--probe", "./mine.py:colour=red", "--probe", "class-balance:level=0.01"]
    done = CliRunner().invoke(cli, ["audit", "toy:original", *asked])
    assert done.exit_code == 0, done.output
    results = {
        one["probe"]: one for one in json.loads(Path("audit/audit.json").read_text())["results"]
    }
    assert results["mine"]["summary"] == "It is red."
    assert results["class_balance"]["params"]["level"] == 0.01
    assert len(results) == 2


@pytest.mark.usefixtures("none_unasked")
@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        (["cues", "cues:ngram=1"], "--probe: cues is given twice: an audit runs each probe once"),
        (["cues:ngrm=1"], "unknown parameter of cues 'ngrm'"),
    ],
    ids=["twice", "unknown flag"],
)
def test_a_wrong_probe_is_told_before_anything_is_done(asked: list[str], complaint: str) -> None:
    flags = [part for spec in asked for part in ("--probe", spec)]
    done = CliRunner().invoke(cli, ["audit", "nowhere.jsonl", *flags])
    assert isinstance(done.exception, HansproofError)
    assert str(done.exception).startswith(complaint)
