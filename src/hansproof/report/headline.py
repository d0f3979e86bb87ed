"""The whole audit in one sentence."""

from __future__ import annotations

from ..types import Audit, Result
from .probe_order import FIRST_PROBES, probe_rank

_VERDICT_ORDER = ("exposed", "caution", "clear")
_LEAD_PHRASES = {"exposed": "is not Hans-proof", "caution": "calls for care"}


def audit_title(audit: Audit) -> str:
    """Return the benchmark, with its split if only one was audited: `stable:original`."""
    split_names = list(audit.sizes) if len(audit.sizes) == 1 else []
    return ":".join([audit.benchmark, *split_names])


def build_headline(audit: Audit) -> str:
    """Summarise an audit: the worst finding, cues and blind models, then other probes that object.

    Probes of models do not decide the claim about the benchmark; those that object are listed.
    A benchmark is called Hans-proof only if all probes of the benchmark could run.
    """
    benchmark_results = [result for result in audit.results if not _is_about_answers(result)]
    ranked = sorted(
        benchmark_results, key=lambda r: (_VERDICT_ORDER.index(r.verdict), probe_rank(r.probe))
    )
    if ranked and ranked[0].verdict != "clear":
        clauses = "; ".join(_finding_clauses(ranked) + _failure_clauses(audit))
        claim = f"{_LEAD_PHRASES[ranked[0].verdict]}: {clauses}"
    else:
        claim = _clear_claim(audit, ranked)
    objecting_probes = [
        r.probe for r in audit.results if _is_about_answers(r) and r.verdict != "clear"
    ]
    see_also = f"; see also {_join_names(objecting_probes)}" if objecting_probes else ""
    return f"{audit_title(audit)} {claim}{see_also}."


def _is_about_answers(result: Result) -> bool:
    return result.subject == "models"


def _finding_clauses(ranked: list[Result]) -> list[str]:
    """List the worst finding, then blind models and cues, then the equally bad probes by name."""
    worst = ranked[0]
    quoted_results = [
        r for r in ranked if r is worst or (r.probe in FIRST_PROBES and r.verdict != "clear")
    ]
    clauses = [clause for result in quoted_results for clause in _quoted_clauses(result, worst)]
    equally_bad = [
        r.probe for r in ranked if r.verdict == worst.verdict and r not in quoted_results
    ]
    return clauses + (
        [f"{worst.verdict} as well: {_join_names(equally_bad)}"] if equally_bad else []
    )


def _clear_claim(audit: Audit, clear_results: list[Result]) -> str:
    """Build the claim for a benchmark to which no probe objects."""
    clauses = (
        [f"found nothing beyond chance in {_join_names([r.probe for r in clear_results])}"]
        if clear_results
        else []
    )
    if any(failure.subject == "benchmark" for failure in audit.failures):
        return f"could not be judged: {'; '.join(_failure_clauses(audit) + clauses)}"
    if clauses:
        return f"looks Hans-proof: {'; '.join(clauses + _failure_clauses(audit))}"
    answer_probes = f", only answers to it: {_join_names([r.probe for r in audit.results])}"
    return f"was not audited{answer_probes if audit.results else ''}"


def _quoted_clauses(result: Result, worst: Result) -> list[str]:
    """Select the clauses to quote: only the first of blind models, and of cues after them."""
    follows_blind_models = worst.probe == "partial_input" and result.verdict == "exposed"
    first_only = result.probe == "partial_input" or follows_blind_models
    clauses = result.clauses or (result.summary.removesuffix("."),)
    return [*(clauses[:1] if first_only else clauses)]


def _join_names(probes: list[str]) -> str:
    names = [probe.replace("_", " ") for probe in probes]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _failure_clauses(audit: Audit) -> list[str]:
    n_failed = len(audit.failures)
    return (
        [f"{n_failed} {'probe' if n_failed == 1 else 'probes'} could not be run"]
        if n_failed
        else []
    )
