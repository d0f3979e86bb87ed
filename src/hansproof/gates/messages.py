"""Outcomes of limits as aligned lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from .outcomes import GateResult, LimitOutcome

RELATIONS = {
    ("pass", True): "≤", ("undecided", True): "≷", ("fail", True): ">",
    ("pass", False): "≥", ("undecided", False): "≶", ("fail", False): "<",
}  # fmt: skip


def gate_title(gate_result: GateResult) -> str:
    """Return the benchmark and its splits: `toy:original`."""
    return escape_unprintable(f"{gate_result.benchmark}:{'+'.join(gate_result.splits)}")


def outcome_lines(outcomes: Sequence[LimitOutcome]) -> list[str]:
    """Format one line per limit, in columns: status, name, numbers, finding."""
    rows = [
        (
            outcome.status,
            escape_unprintable(outcome.limit.name),
            describe_numbers(outcome),
            describe_finding(outcome),
        )
        for outcome in outcomes
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]])
        for row in rows
    ]


def describe_numbers(outcome: LimitOutcome) -> str:
    """Format the verdict or the value, its interval, and their relation to the limit."""
    if outcome.limit.worst_verdict is not None:
        return f"{outcome.verdict or 'no verdict'} (limit: {outcome.limit.worst_verdict})"
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
        return escape_unprintable(outcome.reason)
    worst_of = f" (worst of {outcome.n_compared})" if outcome.n_compared > 1 else ""
    return escape_unprintable(
        f"{outcome.measurement.description}{worst_of}{_items_needed_note(outcome)}"
    )


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
