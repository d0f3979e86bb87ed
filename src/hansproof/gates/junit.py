"""Outcomes as JUnit XML: a test suite with one case per limit.

JUnit has no warnings: an undecided limit fails, or passes with a note if the gate allows it.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from .messages import describe_finding, describe_status, escape_unprintable, gate_title
from .outcomes import GateResult, LimitOutcome


def to_junit(gate_result: GateResult, allow_undecided: bool = False) -> bytes:
    """Build the content of the XML file."""
    outcomes = gate_result.outcomes
    counts = {
        "tests": str(len(outcomes)),
        "failures": str(sum(outcome.fails(allow_undecided) for outcome in outcomes)),
        "errors": "0",
        "skipped": str(sum(outcome.status == "skipped" for outcome in outcomes)),
        "time": "0",  # judging takes no noticeable time
    }
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", {"name": "hansproof gate", **counts})
    for outcome in outcomes:
        suite.append(_test_case(outcome, f"hansproof.{gate_title(gate_result)}", allow_undecided))
    ET.indent(root)
    xml: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return xml + b"\n"


def _test_case(outcome: LimitOutcome, suite: str, allow_undecided: bool) -> ET.Element:
    attributes = {"classname": suite, "name": escape_unprintable(outcome.limit.name), "time": "0"}
    case = ET.Element("testcase", attributes)
    message = describe_status(outcome)
    if outcome.fails(allow_undecided):
        failure = ET.SubElement(case, "failure", {"message": message, "type": outcome.status})
        failure.text = describe_finding(outcome)
    elif outcome.status == "skipped":
        ET.SubElement(case, "skipped", {"message": describe_finding(outcome)})
    else:
        ET.SubElement(case, "system-out").text = f"{message}. {describe_finding(outcome)}"
    return case
