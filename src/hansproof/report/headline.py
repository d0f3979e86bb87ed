"""The whole audit in one sentence."""

from __future__ import annotations

import re

from ..types import Audit, Result

_ORDER = ("exposed", "caution", "clear")
_LEADS = {"exposed": "is not Hans-proof", "caution": "calls for care"}


def title(audit: Audit) -> str:
    """The benchmark, and the part of it where only one was audited: `stable:original`."""
    only = list(audit.sizes) if len(audit.sizes) == 1 else []
    return ":".join([audit.benchmark, *only])


def headline(audit: Audit) -> str:
    """The worst finding in the probe's own words, what the cues say, and who else objects.

    A benchmark is called Hans-proof only where every probe could look.
    """
    ranked = sorted(audit.results, key=lambda r: (_ORDER.index(r.verdict), r.probe != "cues"))
    if not ranked or ranked[0].verdict == "clear":
        return f"{title(audit)} {_nothing_found(audit, ranked)}."
    worst = ranked[0]
    told = [r for r in ranked if r is worst or (r.probe == "cues" and r.verdict != "clear")]
    clauses = [clause for result in told for clause in _clauses(result)]
    others = [r.probe for r in ranked if r.verdict == worst.verdict and r not in told]
    if others:
        clauses.append(f"{worst.verdict} as well: {_listed(others)}")
    return f"{title(audit)} {_LEADS[worst.verdict]}: {'; '.join(clauses + _unrun(audit))}."


def _nothing_found(audit: Audit, clear: list[Result]) -> str:
    """What may be said where no probe objects."""
    found = [f"found nothing beyond chance in {_listed([r.probe for r in clear])}"] if clear else []
    if audit.failures:
        return f"could not be judged: {'; '.join(_unrun(audit) + found)}"
    return f"looks Hans-proof: {found[0]}" if found else "was not audited"


def _clauses(result: Result) -> list[str]:
    """A probe's sentences as parts of a longer one."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", result.sentence.strip())
    return [_uncapitalised(sentence.rstrip(".")) for sentence in sentences]


def _uncapitalised(text: str) -> str:
    """`No word` becomes `no word`; `COPA` stays as it is."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _listed(probes: list[str]) -> str:
    names = [probe.replace("_", " ") for probe in probes]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _unrun(audit: Audit) -> list[str]:
    failed = len(audit.failures)
    return [f"{failed} {'probe' if failed == 1 else 'probes'} could not be run"] if failed else []
