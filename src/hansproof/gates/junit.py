"""Outcomes as JUnit XML: a test suite with one case per limit.

JUnit has no warnings: an undecided limit passes with a note, or fails if the gate is strict.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from .messages import describe_finding, describe_numbers, escape_unprintable, gate_title
from .outcomes import GateResult, LimitOutcome


def to_junit(gate_result: GateResult, strict: bool = False) -> bytes:
    """Build the content of the XML file."""
    outcomes = gate_result.outcomes
    counts = {
        "tests": str(len(outcomes)),
        "failures": str(sum(outcome.fails(strict) for outcome in outcomes)),
        "errors": "0",
        "skipped": "0",
        "time": "0",  # judging takes no noticeable time
    }
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", {"name": "hansproof gate", **counts})
    for outcome in outcomes:
        suite.append(_test_case(outcome, f"hansproof.{gate_title(gate_result)}", strict))
    ET.indent(root)
    xml: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return xml + b"\n"


def _test_case(outcome: LimitOutcome, suite: str, strict: bool) -> ET.Element:
    attributes = {"classname": suite, "name": escape_unprintable(outcome.limit.name), "time": "0"}
    case = ET.Element("testcase", attributes)
    message = f"{outcome.status}: {describe_numbers(outcome)}"
    if outcome.fails(strict):
        failure = ET.SubElement(case, "failure", {"message": message, "type": outcome.status})
        failure.text = describe_finding(outcome)
    else:
        ET.SubElement(case, "system-out").text = f"{message}  {describe_finding(outcome)}"
    return case
