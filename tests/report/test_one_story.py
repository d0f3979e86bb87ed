"""Audit, gate, card and diff of one benchmark tell the same story."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from hansproof.auditing import overall_verdict, save_audit
from hansproof.report.card import escape_markdown
from hansproof.report.headline import build_headline
from hansproof.types import Verdict

from ..support.audited_benchmarks import KINDS, audited
from ..support.cli_runner import run_here
from ..support.report_texts import all_reports, judge_by_defaults

every_kind = pytest.mark.parametrize("kind", KINDS)
VERDICTS: dict[str, Verdict] = {
    "exposed": "exposed", "clear": "clear", "undecided": "undecided", "caution": "caution",
    "tiny": "undecided", "longest": "exposed", "splits": "undecided",
}  # fmt: skip
OBJECTIONS = ("is not Hans-proof", "could not be judged", "is undecided", "was not audited")


@cache
def reports(kind: str) -> dict[str, str]:
    return all_reports(audited(kind), audited(kind))


def card_metadata(kind: str) -> dict[str, Any]:
    (block,) = re.findall(r"(?ms)^```yaml\n(.*?)^```$", reports(kind)["card"])
    return dict(yaml.safe_load(block)["hansproof"])


def verdicts_of(kind: str) -> dict[str, str]:
    return {result.probe: result.verdict for result in audited(kind).results}


@every_kind
def test_the_headline_is_the_same_everywhere(kind: str) -> None:
    headline = build_headline(audited(kind))
    for name in ("audit", "page", "diff"):
        assert headline in reports(kind)[name], name
    assert escape_markdown(headline) in reports(kind)["card"]
    assert reports(kind)["diff"].count(headline) == 2


@every_kind
def test_the_verdict_is_the_same_everywhere(kind: str) -> None:
    assert overall_verdict(audited(kind)) == VERDICTS[kind]
    assert card_metadata(kind)["verdict"] == VERDICTS[kind]
    assert card_metadata(kind)["verdicts"] == verdicts_of(kind)
    for probe, verdict in verdicts_of(kind).items():
        name = probe.replace("_", " ")
        assert re.search(rf"(?m)^{verdict} +{name} ", reports(kind)["audit"]), probe
        assert f"{name} {verdict}" in reports(kind)["card"]
        assert re.search(rf"│ {name}\s+│ {verdict}\s+│ {verdict}\s", reports(kind)["diff"]), probe
        line = next(li for li in reports(kind)["gate"].splitlines() if f" {probe} " in li)
        status = {"clear": "pass", "caution": "pass", "exposed": "fail"}.get(verdict, verdict)
        assert line.startswith(f"{status} "), probe
        repeats = verdict == status  # undecided, skipped: said once
        assert (" allowed: " if repeats else f" {verdict}, allowed: ") in line


@every_kind
def test_the_gate_passes_exactly_if_the_headline_does_not_object(kind: str) -> None:
    objects = any(phrase in build_headline(audited(kind)) for phrase in OBJECTIONS)
    assert judge_by_defaults(audited(kind)).passes() == (not objects)
    assert objects == (VERDICTS[kind] in ("exposed", "undecided"))


@every_kind
def test_the_numbers_are_the_same_everywhere(kind: str) -> None:
    for result in audited(kind).results:
        if result.verdict not in ("caution", "exposed"):
            continue
        shares = re.findall(r"[\d.]+%", result.headline)
        assert shares, result.probe
        table = [line for line in reports(kind)["card"].splitlines() if line.startswith("|")]
        assert any(f"| {shares[0]} |" in row for row in table), result.probe
        assert result.headline in reports(kind)["gate"]
        assert shares[0] in result.summary
        assert result.summary in reports(kind)["audit"]
        assert result.summary in reports(kind)["page"]


@every_kind
def test_a_benchmark_does_not_differ_from_itself(kind: str) -> None:
    text = reports(kind)["diff"]
    assert "items: the same in both" in text
    assert "numbers that changed" not in text
    assert "flags" not in text


@pytest.mark.parametrize("kind", ["exposed", "clear", "undecided", "caution"])
def test_the_commands_tell_it_too(kind: str, tmp_path: Path) -> None:
    save_audit(audited(kind), tmp_path / "audit.json")
    gate = run_here("gate", "audit.json", cwd=tmp_path)
    objects = any(phrase in build_headline(audited(kind)) for phrase in OBJECTIONS)
    assert gate.returncode == int(objects)
    allowed = run_here("gate", "audit.json", "--allow-undecided", "--json", cwd=tmp_path)
    assert json.loads(allowed.stdout)["passed"] == (VERDICTS[kind] != "exposed")
    card = run_here("card", "audit.json", cwd=tmp_path)
    assert escape_markdown(build_headline(audited(kind))) in card.stdout
    diff = run_here("diff", "audit.json", "audit.json", "--json", cwd=tmp_path)
    changes = json.loads(diff.stdout)
    assert {change["probe"]: change["new"] for change in changes["verdicts"]} == verdicts_of(kind)
    assert changes["estimates"] == []
    words = " ".join(run_here("diff", "audit.json", "audit.json", cwd=tmp_path).stdout.split())
    assert words.count(build_headline(audited(kind))) == 2
