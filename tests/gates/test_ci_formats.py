"""Outcomes for machines: JUnit XML and GitHub's annotations."""

from __future__ import annotations

from typing import Any

import defusedxml.ElementTree as ET  # noqa: N817
import pytest

from hansproof.gates import GateResult, Limit, Limits, judge_audit
from hansproof.gates.github import workflow_commands
from hansproof.gates.junit import to_junit
from hansproof.types import Estimate

from ..support.gate_factories import audit, cues, estimates, integrity, verdict_result

NASTY = "50%,\r\n::x:: <b>&\"' ]]> \x00\x08\ufffe\ud800\x1b \U0001f434"


@pytest.fixture
def judged() -> GateResult:
    """One of each outcome, all with text that would break out of anything."""
    cue = (NASTY, NASTY, 20, 18, 0.9, 0.7, 0.97, 0.5, "telling")
    made = audit(
        cues([cue]),
        estimates("p", Estimate(NASTY, 0.5, 0.4, 0.6, 100), Estimate("low", 0.0)),
        verdict_result(NASTY, "skipped"),
        integrity(),
        name=NASTY,
    )
    limits = (
        Limit("cue_lift", 0.1), Limit(f"p/{NASTY}", 0.45), Limit("p/low", 0.5),
        Limit(f"none/{NASTY}", 1.0),
    )  # fmt: skip
    return judge_audit(made, Limits("here", limits))


def parsed(content: bytes) -> tuple[Any, list[Any]]:
    """The suite and its cases, after a look at the shape that readers of JUnit expect."""
    root = ET.fromstring(content)
    (suite,) = root
    cases = list(suite)
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    for element in (root, suite):
        failures = [case for case in cases if case.find("failure") is not None]
        assert int(element.get("tests")) == len(cases)
        assert int(element.get("failures")) == len(failures)
        skipped = [case for case in cases if case.find("skipped") is not None]
        assert (element.get("errors"), element.get("skipped")) == ("0", str(len(skipped)))
        assert float(element.get("time")) >= 0
    for case in cases:
        assert case.tag == "testcase"
        assert {"classname", "name", "time"} == set(case.keys())
        assert {child.tag for child in case} <= {"failure", "system-out", "skipped"}
    return suite, cases


def test_junit_has_a_case_for_each_limit(judged: GateResult) -> None:
    suite, cases = parsed(to_junit(judged))
    assert suite.get("name") == "hansproof gate"
    failures = [case.find("failure") for case in cases]
    assert [None if failure is None else failure.get("type") for failure in failures] == [
        None, None, None, "fail", "undecided", None, "not measured", None, None,
    ]  # fmt: skip
    assert failures[3].get("message") == "fail: 0.400 [0.200, 0.470] > 0.1"
    assert "right 18 of 20 times" in failures[3].text
    assert failures[4].get("message").startswith("undecided: 0.500 [0.400, 0.600] ≷ 0.45")
    assert "about 401 items are needed to decide" in failures[4].text
    assert [case.find("skipped") is not None for case in cases] == [
        False, True, *[False] * 7,
    ]  # fmt: skip
    assert cases[1].find("skipped").get("message").endswith(" is skipped.")


def test_junit_passes_what_is_undecided_on_demand(judged: GateResult) -> None:
    _, cases = parsed(to_junit(judged, allow_undecided=True))
    assert [i for i, case in enumerate(cases) if case.find("failure") is not None] == [3, 6]
    assert cases[4].find("system-out").text.startswith("undecided: 0.500 [0.400, 0.600] ≷ 0.45")


def test_junit_keeps_text_as_far_as_xml_can(judged: GateResult) -> None:
    _, cases = parsed(to_junit(judged))
    assert "50%,\\r\\n::x:: <b>&\"' ]]> \\x00\\x08\\ufffe\\ud800\\x1b \U0001f434" in (
        cases[0].get("classname")
    )


def test_annotations_are_a_line_each(judged: GateResult) -> None:
    found = [*workflow_commands(judged)]
    kinds = [line.split(" ")[0] for line in found]
    assert kinds == ["::error"] * 3  # nothing for what passes or is skipped
    allowing = workflow_commands(judged, allow_undecided=True)
    assert [line.split(" ")[0] for line in allowing] == ["::error", "::warning", "::error"]
    for line in found:
        assert "\n" not in line
        assert "\r" not in line
        title, message = line.split(" title=", 1)[1].split("::", 1)
        assert ":" not in title
        assert "," not in title
        assert message.replace("%25", "").count("%") == 0


def test_annotations_say_what_the_line_says(judged: GateResult) -> None:
    first = next(iter(workflow_commands(judged)))
    assert first.startswith("::error title=hansproof cue_lift::")
    assert "0.400 [0.200, 0.470] > 0.1" in first
    assert "50%25,\\r\\n::x::" in first


def test_what_passes_says_nothing() -> None:
    made = audit(estimates("p", Estimate("e", 0.0)), integrity())
    result = judge_audit(made, Limits("", (Limit("p/e", 1.0),)))
    assert [*workflow_commands(result)] == []
    _, cases = parsed(to_junit(result))
    assert all(case.find("failure") is None for case in cases)
