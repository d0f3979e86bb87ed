"""An outcome in words: one line, aligned with the others."""

from __future__ import annotations

from collections.abc import Sequence

from .outcomes import GateResult, LimitOutcome

RELATIONS = {
    ("pass", True): "≤", ("undecided", True): "≷", ("fail", True): ">",
    ("pass", False): "≥", ("undecided", False): "≶", ("fail", False): "<",
}  # fmt: skip


def gate_title(gate_result: GateResult) -> str:
    """The benchmark and its splits: `stable:original`."""
    return escape_unprintable(f"{gate_result.benchmark}:{'+'.join(gate_result.splits)}")


def outcome_lines(outcomes: Sequence[LimitOutcome]) -> list[str]:
    """One line for each limit, in columns: status, name, numbers, what was found."""
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
    """The value, its interval, and how they stand to the limit."""
    bound = f"{outcome.limit.bound:g}"
    if outcome.measurement is None:
        return f"{RELATIONS['pass', outcome.limit.at_most]} {bound}?"
    estimate = outcome.measurement.excess
    if estimate.low is None or estimate.high is None:
        text = f"{estimate.value:g}"
    else:
        text = f"{_format_short(estimate.value)} [{_format_short(estimate.low)}, {_format_short(estimate.high)}]"
    return f"{text} {RELATIONS[outcome.status, outcome.limit.at_most]} {bound}"


def describe_finding(outcome: LimitOutcome) -> str:
    """What was found where, and what would decide what is not decided."""
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
        return "; at the limit, so no number of items would decide"
    return (
        f"; about {outcome.items_needed:,} {measurement.unit} would decide if the value stays "
        f"(there are {measurement.excess.n:,})"
    )


def _format_short(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"


def escape_unprintable(text: str) -> str:
    """A benchmark's text and names may hold anything: what is not visible is written out.

    So a line stays one, and what is left may stand in a terminal, a log and in XML.
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
