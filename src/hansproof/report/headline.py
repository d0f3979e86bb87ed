"""The whole audit in one sentence."""

from __future__ import annotations

import re

from ..types import Audit, Result
from .tables import records

_ORDER = ("exposed", "caution", "clear")
_LEADS = {"exposed": "is not Hans-proof", "caution": "calls for care"}


def title(audit: Audit) -> str:
    """The benchmark, and the part of it where only one was audited: `stable:original`."""
    only = list(audit.sizes) if len(audit.sizes) == 1 else []
    return ":".join([audit.benchmark, *only])


def headline(audit: Audit) -> str:
    """The worst finding in the probe's own words, what the cues say, and who else objects.

    The cues are always told of when they are not clear: a benchmark can have no cue that is
    significant by itself and still give answers away by all of them together.
    """
    ranked = sorted(audit.results, key=lambda r: (_ORDER.index(r.verdict), r.probe != "cues"))
    if not ranked:
        return f"{title(audit)} was not audited{_unrun(audit)}."
    worst = ranked[0]
    if worst.verdict == "clear":
        looked = _listed([result.probe for result in ranked])
        return f"{title(audit)} looks Hans-proof: nothing beyond chance in {looked}{_unrun(audit)}."
    told = [r for r in ranked if r is worst or (r.probe == "cues" and r.verdict != "clear")]
    clauses = [clause for result in told for clause in _clauses(result) + _together(result)]
    others = [r.probe for r in ranked if r.verdict == worst.verdict and r not in told]
    if others:
        clauses.append(f"{worst.verdict} as well: {_listed(others)}")
    return f"{title(audit)} {_LEADS[worst.verdict]}: {'; '.join(clauses)}{_unrun(audit)}."


def _clauses(result: Result) -> list[str]:
    """A probe's sentences as parts of a longer one."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", result.sentence.strip())
    return [_uncapitalised(sentence.rstrip(".")) for sentence in sentences]


def _together(result: Result) -> list[str]:
    """What all cues together say, where no single one is significant and the probe kept silent."""
    strength = result.tables.get("strength")
    if result.probe != "cues" or result.evidence or "together" in result.sentence:
        return []
    if strength is None or not strength.rows:
        return []
    least = min(records(strength), key=lambda row: row["p"])
    if least["p"] > result.params["level"]:
        return []
    words = "words" if least["order"] == 1 else f"{least['order']}-word phrases"
    where = f"all {words} of {least['split']}"
    return [f"{where} together say more than chance allows (p = {least['p']:.2g})"]


def _uncapitalised(text: str) -> str:
    """`No word` becomes `no word`; `COPA` stays as it is."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _listed(probes: list[str]) -> str:
    names = [probe.replace("_", " ") for probe in probes]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _unrun(audit: Audit) -> str:
    failed = len(audit.failures)
    if not failed:
        return ""
    return f"; {failed} {'probe' if failed == 1 else 'probes'} could not be run"
