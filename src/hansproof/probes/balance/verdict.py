"""The verdict and the summary of a check of mirrored groups."""

from __future__ import annotations

from ...types import Verdict
from .findings import BalanceFindings
from .groups import CONTRADICTORY
from .partitions import Partition

NOTHING_MIRRORED = "Skipped: no mirrored pairs (items with the same choices and different answers)."


def decide_verdict(findings: BalanceFindings) -> Verdict:
    """Return caution if a group is broken, a cue is off balance or a partition splits a group.

    Without mirrored groups the verdict is skipped.
    """
    if not findings.groups:
        return "skipped"
    has_problems = findings.broken or findings.cues.n_unbalanced or findings.breaking_partitions
    return "caution" if has_problems else "clear"


def write_summary(findings: BalanceFindings, unmarked_notes: tuple[str, ...] = ()) -> str:
    """Describe what is broken, or say that nothing is."""
    if not findings.groups:
        return f"Skipped: {unmarked_notes[0]}" if unmarked_notes else NOTHING_MIRRORED
    problems, cues = _list_problems(findings), findings.cues
    balanced = [f"all {cues.n_cues:,} cues (words and phrases) are exactly balanced"]
    balanced = balanced if not cues.n_unbalanced else []
    if problems:
        return f"{_capitalise('; '.join(problems + balanced))}."
    return f"All {len(findings.groups):,} mirrored groups are complete, and {balanced[0]}."


def _list_problems(findings: BalanceFindings) -> list[str]:
    problems, cues = [], findings.cues
    if findings.broken:
        n_broken = len({flaw.group.name for flaw in findings.broken})
        description = _describe_broken(findings.count_reasons(), n_broken)
        problems.append(f"{n_broken:,} of {len(findings.groups):,} groups {description}")
    if cues.n_unbalanced:
        problems.append(
            f"{cues.n_unbalanced:,} of {cues.n_cues:,} cues (words and phrases) "
            f"{'is' if cues.n_unbalanced == 1 else 'are'} not balanced"
        )
    return problems + [_describe_partition(p) for p in findings.breaking_partitions]


def _describe_partition(partition: Partition) -> str:
    n = partition.n_split_groups
    return f"{n:,} {'group is' if n == 1 else 'groups are'} divided by {partition.name}"


def _describe_broken(counts: dict[str, int], n_groups: int) -> str:
    """Describe broken groups by reason, in short where they are all contradictions."""
    if list(counts) == [CONTRADICTORY]:
        return (
            f"{'contains' if n_groups == 1 else 'contain'} identical items with different answers"
        )
    listing = ", ".join(f"{reason}: {n:,}" for reason, n in counts.items())
    return f"{'is' if n_groups == 1 else 'are'} not properly mirrored ({listing})"


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
