"""The whole audit in one sentence."""

from __future__ import annotations

import re

from ..types import Audit, Result
from .order import FIRST, place

_ORDER = ("exposed", "caution", "clear")
# About models, and answers that models and people gave; they judge those, not the benchmark. That
# scores fall on Hard items speaks of the benchmark only where it is more than selection.
_OF_ANSWERS = ("accuracy", "agreement", "compare", "robustness", "seeds", "sensitivity",
               "transfer")  # fmt: skip
_IF_EXPOSED = ("easy_hard",)
_LEADS = {"exposed": "is not Hans-proof", "caution": "calls for care"}


def title(audit: Audit) -> str:
    """The benchmark, and the part of it where only one was audited: `stable:original`."""
    only = list(audit.sizes) if len(audit.sizes) == 1 else []
    return ":".join([audit.benchmark, *only])


def headline(audit: Audit) -> str:
    """The worst finding in the probe's own words, what cues and blind models say, who else objects.

    Probes of answers do not decide what is said of the benchmark: those that object are named.
    A benchmark is called Hans-proof only where every probe of it could look.
    """
    of_it = [result for result in audit.results if not _of_answers(result)]
    ranked = sorted(of_it, key=lambda r: (_ORDER.index(r.verdict), place(r.probe)))
    if ranked and ranked[0].verdict != "clear":
        said = f"{_LEADS[ranked[0].verdict]}: {'; '.join(_found(ranked) + _unrun(audit))}"
    else:
        said = _nothing_found(audit, ranked)
    objecting = [r.probe for r in audit.results if _of_answers(r) and r.verdict != "clear"]
    also = f"; see also {_listed(objecting)}" if objecting else ""
    return f"{title(audit)} {said}{also}."


def _of_answers(result: Result) -> bool:
    only_here = result.probe in _IF_EXPOSED and result.verdict == "caution"
    return result.probe in _OF_ANSWERS or only_here


def _found(ranked: list[Result]) -> list[str]:
    """The worst first, then blind models and cues, then the names of those that are as bad."""
    worst = ranked[0]
    told = [r for r in ranked if r is worst or (r.probe in FIRST and r.verdict != "clear")]
    clauses = [clause for result in told for clause in _told(result, worst)]
    others = [r.probe for r in ranked if r.verdict == worst.verdict and r not in told]
    return clauses + ([f"{worst.verdict} as well: {_listed(others)}"] if others else [])


def _nothing_found(audit: Audit, clear: list[Result]) -> str:
    """What may be said where no probe of the benchmark objects."""
    found = [f"found nothing beyond chance in {_listed([r.probe for r in clear])}"] if clear else []
    if any(failure.probe not in (*_OF_ANSWERS, *_IF_EXPOSED) for failure in audit.failures):
        return f"could not be judged: {'; '.join(_unrun(audit) + found)}"
    if found:
        return f"looks Hans-proof: {'; '.join(found + _unrun(audit))}"
    seen = f", only answers to it: {_listed([r.probe for r in audit.results])}"
    return f"was not audited{seen if audit.results else ''}"


def _told(result: Result, worst: Result) -> list[str]:
    """What the headline takes of a sentence: of blind models, and of cues after them, the first."""
    after = worst.probe == "partial_input" and result.verdict == "exposed"
    return _clauses(result)[: 1 if result.probe == "partial_input" or after else None]


def _clauses(result: Result) -> list[str]:
    """A probe's sentences as parts of a longer one."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", result.sentence.strip())
    return [_uncapitalised(sentence.rstrip(".")) for sentence in sentences]


def _uncapitalised(text: str) -> str:
    """`No word` becomes `no word`, `A bag` `a bag`; `COPA` stays as it is."""
    plain = text[1:2].islower() or text.startswith("A ")
    return text[:1].lower() + text[1:] if plain else text


def _listed(probes: list[str]) -> str:
    names = [probe.replace("_", " ") for probe in probes]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _unrun(audit: Audit) -> list[str]:
    failed = len(audit.failures)
    return [f"{failed} {'probe' if failed == 1 else 'probes'} could not be run"] if failed else []
