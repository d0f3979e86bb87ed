"""An outcome in words: one line, aligned with the others."""

from __future__ import annotations

from collections.abc import Sequence

from .outcomes import Judged, Outcome

RELATIONS = {
    ("pass", True): "≤", ("undecided", True): "≷", ("fail", True): ">",
    ("pass", False): "≥", ("undecided", False): "≶", ("fail", False): "<",
}  # fmt: skip


def title(judged: Judged) -> str:
    """The benchmark and its splits: `stable:original`."""
    return plain(f"{judged.benchmark}:{'+'.join(judged.splits)}")


def lines(outcomes: Sequence[Outcome]) -> list[str]:
    """One line for each limit, in columns: status, name, numbers, what was found."""
    rows = [(o.status, plain(o.limit.name), numbers(o), finding(o)) for o in outcomes]
    widths = [max((len(row[at]) for row in rows), default=0) for at in range(3)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]])
        for row in rows
    ]


def numbers(outcome: Outcome) -> str:
    """The value, its interval, and how they stand to the limit."""
    bound = f"{outcome.limit.bound:g}"
    if outcome.measured is None:
        return f"{RELATIONS['pass', outcome.limit.at_most]} {bound}?"
    estimate = outcome.measured.beyond
    if estimate.low is None or estimate.high is None:
        text = f"{estimate.value:g}"
    else:
        text = f"{_short(estimate.value)} [{_short(estimate.low)}, {_short(estimate.high)}]"
    return f"{text} {RELATIONS[outcome.status, outcome.limit.at_most]} {bound}"


def finding(outcome: Outcome) -> str:
    """What was found where, and what would decide what is not decided."""
    if outcome.measured is None:
        return plain(outcome.why)
    worst = f" (worst of {outcome.looked_at})" if outcome.looked_at > 1 else ""
    return plain(f"{outcome.measured.what}{worst}{_deciding(outcome)}")


def _deciding(outcome: Outcome) -> str:
    measured = outcome.measured
    if outcome.status != "undecided" or measured is None or measured.beyond.n is None:
        return ""
    if outcome.needed is None:
        return "; at the limit, so no number of items would decide"
    return (
        f"; about {outcome.needed:,} {measured.things} would decide if the value stays "
        f"(there are {measured.beyond.n:,})"
    )


def _short(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"


def plain(text: str) -> str:
    """A benchmark's text and names may hold anything: what is not visible is written out.

    So a line stays one, and what is left may stand in a terminal, a log and in XML.
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
