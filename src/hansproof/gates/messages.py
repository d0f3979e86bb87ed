"""Outcomes of limits as aligned lines of text, and the sentence about all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .._infra.join_names import join_names
from .._infra.plural import plural
from ..results import SKIPPED_PREFIX
from .limits_file import COUNT_LIMITS, DEFAULTS, Limits
from .outcomes import GateResult, LimitOutcome

RELATIONS = {
    ("pass", True): "≤", ("undecided", True): "≷", ("fail", True): ">",
    ("pass", False): "≥", ("undecided", False): "≶", ("fail", False): "<",
}  # fmt: skip


def gate_title(gate_result: GateResult) -> str:
    """Return the benchmark and its splits: `toy:original`."""
    return escape_unprintable(f"{gate_result.benchmark}:{'+'.join(gate_result.splits)}")


def describe_limits(limits: Limits) -> str:
    """Say where limits come from, and which of them are built in."""
    source = escape_unprintable(limits.source)
    if limits.worst_verdict is None:
        return source
    limited_names = {limit.name for limit in limits.limits}
    counts = [limit for limit in COUNT_LIMITS if limit.name not in limited_names]
    built_in = [f"{limit.name} {limit.bound:g}" for limit in counts]
    if limits.source == DEFAULTS.source:
        built_in = [f"worst verdict {limits.worst_verdict}", *built_in]
        return f"{source}: {', '.join(built_in)}"
    return f"{source}; built in: {', '.join(built_in)}" if built_in else source


def describe_gate(gate_result: GateResult, allow_undecided: bool = False) -> str:
    """Say whether the gate passes, and which limits decide that."""
    statuses = Counter[str](outcome.status for outcome in gate_result.outcomes)
    if gate_result.passes(allow_undecided):
        remarks = [f"{statuses['skipped']} skipped"] if statuses["skipped"] else []
        if statuses["undecided"]:
            remarks.append(f"{statuses['undecided']} undecided, which is allowed")
        suffix = f" ({'; '.join(remarks)})" if remarks else ""
        return f"Gate passed: {plural(len(gate_result.outcomes), 'limit')}{suffix}."
    blocking = {"fail": ("failed", "failed"), "not measured": ("was not measured",
                "were not measured")}  # fmt: skip
    if not allow_undecided:
        blocking["undecided"] = ("is undecided", "are undecided")
    clauses = [
        (statuses[status], singular if statuses[status] == 1 else several)
        for status, (singular, several) in blocking.items()
        if statuses[status]
    ]
    first, *further = clauses
    phrases = [f"{plural(first[0], 'limit')} {first[1]}", *(f"{n} {verb}" for n, verb in further)]
    is_hinted = statuses["undecided"] and not allow_undecided
    hint = " (undecided fails, unless --allow-undecided)" if is_hinted else ""
    return f"Gate failed: {join_names(phrases)}{hint}."


def outcome_columns(outcomes: Sequence[LimitOutcome]) -> list[str]:
    """Format the aligned columns of each limit: status, name, numbers."""
    rows = [
        (outcome.status, escape_unprintable(outcome.limit.name), describe_numbers(outcome))
        for outcome in outcomes
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def outcome_lines(outcomes: Sequence[LimitOutcome]) -> list[str]:
    """Format one line per limit, in columns: status, name, numbers, finding."""
    return [
        f"{columns}  {describe_finding(outcome)}"
        for columns, outcome in zip(outcome_columns(outcomes), outcomes, strict=True)
    ]


def describe_status(outcome: LimitOutcome) -> str:
    """Format the status and the numbers of one limit: `fail: exposed, allowed: caution`."""
    has_own_verdict = outcome.limit.worst_verdict is None or _has_own_verdict(outcome)
    return f"{outcome.status}{':' if has_own_verdict else ','} {describe_numbers(outcome)}"


def _has_own_verdict(outcome: LimitOutcome) -> bool:
    """Tell whether the verdict says more than the status: `exposed`, but not `undecided`."""
    return outcome.verdict is not None and outcome.verdict != outcome.status


def describe_numbers(outcome: LimitOutcome) -> str:
    """Format the verdict or the value, its interval, and their relation to the limit."""
    if outcome.limit.worst_verdict is not None:
        allowed = f"allowed: {outcome.limit.worst_verdict}"
        return f"{outcome.verdict}, {allowed}" if _has_own_verdict(outcome) else allowed
    bound = f"{outcome.limit.bound:g}"
    if outcome.measurement is None:
        return f"{RELATIONS['pass', outcome.limit.at_most]} {bound}?"
    estimate = outcome.measurement.excess
    if estimate.low is None or estimate.high is None:
        text = f"{estimate.value:g}"
    else:
        value, low, high = map(_format_short, (estimate.value, estimate.low, estimate.high))
        text = f"{value} [{low}, {high}]"
    return f"{text} {RELATIONS[outcome.status, outcome.limit.at_most]} {bound}"


def describe_finding(outcome: LimitOutcome) -> str:
    """Describe the finding, and for an undecided limit how many items would decide it."""
    if outcome.measurement is None:
        return escape_unprintable(_without_prefix(outcome.reason))
    worst_of = f" (worst of {outcome.n_compared})" if outcome.n_compared > 1 else ""
    return escape_unprintable(
        f"{outcome.measurement.description}{worst_of}{_items_needed_note(outcome)}"
    )


def _without_prefix(reason: str) -> str:
    """Drop the word that repeats the status: `Skipped: no mirrored pairs`."""
    text = reason.removeprefix(SKIPPED_PREFIX)
    return reason if text == reason else f"{text[:1].upper()}{text[1:]}"


def _items_needed_note(outcome: LimitOutcome) -> str:
    measurement = outcome.measurement
    if outcome.status != "undecided" or measurement is None or measurement.excess.n is None:
        return ""
    if outcome.items_needed is None:
        return "; the value is at the limit, so no number of items would be enough"
    return (
        f"; if the value stays the same, about {outcome.items_needed:,} {measurement.unit} are "
        f"needed to decide (now {measurement.excess.n:,})"
    )


def _format_short(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"


def escape_unprintable(text: str) -> str:
    """Write out all unprintable characters of untrusted text.

    The result is one line and safe in a terminal, a log and XML.
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
