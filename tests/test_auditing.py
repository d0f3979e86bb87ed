from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

import pytest

from hansproof import load
from hansproof.auditing import (
    MAX_EVIDENCE_ITEMS,
    default_probes,
    load_audit,
    run_audit,
    save_audit,
    set_tokenizer,
)
from hansproof.errors import BadInput, MissingExtra, UnknownName
from hansproof.probes.balance import Balance
from hansproof.probes.class_balance import ClassBalance
from hansproof.probes.cues import Cues
from hansproof.probes.surface import Surface
from hansproof.types import Audit, Benchmark, Item, Probe, Result


@pytest.fixture(scope="module")
def found() -> Audit:
    return run_audit(load("toy:original"))


def test_it_runs_every_probe_that_needs_no_model(found: Audit) -> None:
    assert [result.probe for result in found.results] == list(default_probes())
    assert {"class_balance", "cues", "integrity", "surface"} <= set(default_probes())
    assert found.failures == ()


def test_it_says_what_it_was_made_of(found: Audit) -> None:
    assert found.benchmark == "toy"
    assert found.sizes == {"original": 120}
    assert found.sha256 == load("toy:original").sha256()
    assert {"python", "numpy"} <= set(found.environment)


def test_it_survives_the_file(found: Audit, tmp_path: Path) -> None:
    save_audit(found, tmp_path / "deep" / "audit.json")
    assert load_audit(tmp_path / "deep" / "audit.json") == found
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["audit.json"]


def test_the_same_audit_is_the_same_bytes(found: Audit, tmp_path: Path) -> None:
    save_audit(found, tmp_path / "1")
    save_audit(run_audit(load("toy:original")), tmp_path / "2")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_items_are_quoted_once_and_not_too_many() -> None:
    items = tuple(Item(str(i), {}, (f"right {i}", f"wrong {i}"), 0) for i in range(300))
    made = run_audit(Benchmark("b", {"all": items}))
    (cues,) = (result for result in made.results if result.probe == "cues")
    assert len(cues.evidence["all: right"]) == 300
    assert (
        MAX_EVIDENCE_ITEMS
        <= len(made.items)
        == len({item.id for item in made.items})
        <= 2 * MAX_EVIDENCE_ITEMS
    )


class Broken:
    needs: ClassVar[tuple[str, ...]] = ()

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, benchmark: Benchmark) -> Result:
        raise self.error


def test_what_the_user_can_put_right_becomes_a_failure_and_a_bug_does_not() -> None:
    toy = load("toy:original")
    made = run_audit(toy, {"x": Broken(MissingExtra("nltk", "it"))})
    assert [(f.probe, f.error) for f in made.failures] == [
        ("x", "it needs an extra: pip install 'hansproof[nltk]'")
    ]
    with pytest.raises(ZeroDivisionError):
        run_audit(toy, {"x": Broken(ZeroDivisionError())})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"schema": 99}', r"schema: 99 is newer than this hansproof reads \(3\)"),
        ('{"schema": 1}', "schema: 1 is older than this hansproof reads .*: run the audit again"),
        ('{"schema": 3}', r"is not a saved audit \(Object missing required field"),
        ('{"schema": 3, "vers', r"is not a saved audit \(Input data was truncated"),
        ("", r"is not a saved audit \(.*\); give the folder"),
        ("[1]", r"is not a saved audit \(.*\); give the folder"),
        ("[" * 100_000, r"is not a saved audit \(.*\); give the folder"),
    ],
)
def test_a_file_that_is_no_audit_of_ours(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(BadInput, match=said):
        load_audit(tmp_path / "a.json")


def test_a_folder_without_an_audit_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r": is not a saved audit \(it contains no audit.json\)"):
        load_audit(tmp_path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        load_audit(tmp_path / "none.json")


def test_unknown_keys_of_the_same_schema_are_no_hindrance(found: Audit, tmp_path: Path) -> None:
    save_audit(found, tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text())
    data["later_addition"] = 1
    (tmp_path / "a.json").write_text(json.dumps(data))
    assert load_audit(tmp_path / "a.json") == found


def test_a_tokenizer_is_set_for_all_probes_that_choose_one_themselves() -> None:
    probes: dict[str, Probe] = {
        "balance": Balance(),
        "cues": Cues(tokenizer="whitespace"),
        "class_balance": ClassBalance(),
    }
    changed = set_tokenizer(probes, "chars")
    assert changed == {**probes, "balance": Balance(tokenizer="chars")}
    assert set_tokenizer(probes, "auto") == probes
    with pytest.raises(UnknownName, match="did you mean chars"):
        set_tokenizer(probes, "char")
    with pytest.raises(UnknownName, match="did you mean auto"):
        set_tokenizer(probes, "aut")


def test_the_tokenizer_of_an_audit_is_named_in_its_results() -> None:
    benchmark = load("toy:original")
    probes: dict[str, Probe] = {"surface": Surface(), "balance": Balance()}
    by_default = run_audit(benchmark, probes)
    assert {result.params["tokenizer"] for result in by_default.results} == {"word"}
    audit = run_audit(benchmark, probes, tokenizer="whitespace")
    assert {result.params["tokenizer"] for result in audit.results} == {"whitespace"}
