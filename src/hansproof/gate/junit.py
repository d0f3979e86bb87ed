"""Outcomes as JUnit XML: a suite with a case for each limit.

It has no word for a warning: what is undecided passes and says so, and fails where that is strict.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from .outcomes import Judged, Outcome
from .wording import finding, numbers, plain, title


def junit(judged: Judged, strict: bool = False) -> bytes:
    """The file, whole."""
    outcomes = judged.outcomes
    counts = {
        "tests": str(len(outcomes)),
        "failures": str(sum(outcome.fails(strict) for outcome in outcomes)),
        "errors": "0",
        "skipped": "0",
        "time": "0",  # judging takes none worth a number
    }
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", {"name": "hansproof gate", **counts})
    for outcome in outcomes:
        suite.append(_case(outcome, f"hansproof.{title(judged)}", strict))
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _case(outcome: Outcome, suite: str, strict: bool) -> ET.Element:
    about = {"classname": suite, "name": plain(outcome.limit.name), "time": "0"}
    case = ET.Element("testcase", about)
    said = f"{outcome.status}: {numbers(outcome)}"
    if outcome.fails(strict):
        failure = ET.SubElement(case, "failure", {"message": said, "type": outcome.status})
        failure.text = finding(outcome)
    else:
        ET.SubElement(case, "system-out").text = f"{said}  {finding(outcome)}"
    return case
