"""The verdict, the summary and the notes on contamination."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..._infra.plural import plural
from ...contamination.levels import ANSWER, DIRTY, NEAR, SHORT, ItemFinding, NamedScan
from ...types import Benchmark, Verdict
from .accuracy_gap import CleanDirtyGap

EXPOSED_SHARE = 0.01  # of the items, matched with their answers: more than a few leaks

Findings = Mapping[str, Sequence[ItemFinding]]  # by split


def decide_verdict(findings: Findings, scans: Sequence[NamedScan]) -> Verdict:
    """Return exposed if enough items match with their answers; caution if any item matches.

    Caution as well where most items could not be searched for, or some text was not scanned;
    skipped where all items are too short to be searched for, or no text was scanned.
    """
    if explain_skip(findings, scans):
        return "skipped"
    levels = [finding.level for split_findings in findings.values() for finding in split_findings]
    if levels.count(ANSWER) >= EXPOSED_SHARE * len(levels) > 0:
        return "exposed"
    any_dirty = any(level in (*DIRTY, NEAR) for level in levels)
    mostly_unknown = levels.count(SHORT) > len(levels) / 2
    any_lost = any(scan.lost_text_issues() for _, scan in scans)
    return "caution" if any_dirty or mostly_unknown or any_lost else "clear"


def explain_skip(findings: Findings, scans: Sequence[NamedScan]) -> str:
    """Say why nothing could be searched for; empty where something was."""
    levels = {finding.level for split_findings in findings.values() for finding in split_findings}
    if levels <= {SHORT}:
        return "Skipped: all items are too short to be searched for."
    if not any(scan.corpus.words for _, scan in scans):
        return "Skipped: the scanned text is empty."
    return ""


def find_worst(gains: Sequence[CleanDirtyGap]) -> CleanDirtyGap | None:
    """Return the largest of the significant differences between dirty and clean items."""
    return max(gains, key=lambda gap: abs(gap.size), default=None)


def write_summary(findings: Findings, worst: CleanDirtyGap | None) -> str:
    """Count the items found by split, and name the system that gains or loses most by them."""
    clauses = []
    for split, split_findings in findings.items():
        count = {
            level: sum(finding.level == level for finding in split_findings)
            for level in (*DIRTY, NEAR, SHORT)
        }
        n_searchable = len(split_findings) - count[SHORT]
        n_dirty = sum(count[level] for level in DIRTY)
        verb = "occurs" if n_dirty == 1 else "occur"
        text = f"{n_dirty} of {plural(n_searchable, 'item')} of {split} {verb} in the scanned text"
        text += f", {count[ANSWER]} with the right choice nearby" if n_dirty else ""
        text += f"; {count[NEAR]} more as near-duplicates" if count[NEAR] else ""
        text += f"; {count[SHORT]} too short to be searched for" if count[SHORT] else ""
        clauses.append(text)
    if worst is not None:
        direction = "better" if worst.size > 0 else "worse"
        clauses.append(
            f"{worst.system.name} scores {100 * abs(worst.size):.1f} points {direction} on items "
            f"found in the text than on the others in {worst.system.split}"
        )
    return ". ".join(clauses) + "."


def write_notes(
    benchmark: Benchmark,
    findings: Findings,
    scans: Sequence[NamedScan],
    reference: Sequence[NamedScan],
) -> Iterator[str]:
    """Yield notes on what was not scanned, looked for or known."""
    for split in benchmark.splits:
        if split not in findings:
            yield f"{split}: not searched for, as the index does not contain this split."
    if not reference:
        yield (
            "Without a reference, common phrases may count as matches. Scan text that cannot "
            "contain the items with the same index, and give the result as --reference."
        )
    if not any(scan.index_header.has_sketches for _, scan in scans):
        yield (
            "Near-duplicates were not searched for; build the index with `hansproof index --near`."
        )
    lost = sum(len(scan.lost_text_issues()) for _, scan in scans)
    if lost:
        yield f"Some text could not be scanned ({plural(lost, 'case')}, see the table)."
    n = sum(
        finding.level == ANSWER
        and bool(finding.right_nearby)
        and len(_right_choice(finding).split()) == 1
        for split_findings in findings.values()
        for finding in split_findings
    )
    if n:
        yield (
            f"{n} of the items found with their answer have a one-word answer, which may be "
            "nearby by chance: compare the column wrong_near."
        )


def _right_choice(finding: ItemFinding) -> str:
    return finding.item.choices[finding.item.answer or 0]
