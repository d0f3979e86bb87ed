"""Compare two audits, for example of two versions of a benchmark."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from .types import Audit, Displayable, Estimate, Result


@dataclass(frozen=True, slots=True)
class EstimateChange:
    """An estimate before and after."""

    probe: str
    name: str
    old: Estimate
    new: Estimate


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """The verdict of a probe before and after; None where it was not run."""

    probe: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, repr=False)
class AuditDiff(Displayable):
    """All differences between two audits."""

    old: str
    new: str
    sizes: dict[str, tuple[int | None, int | None]]
    same_items: bool
    verdicts: tuple[VerdictChange, ...]
    estimates: tuple[EstimateChange, ...]
    removed: tuple[str, ...]  # flags in the old audit only
    added: tuple[str, ...]  # flags in the new audit only


def compare_audits(old: Audit, new: Audit) -> AuditDiff:
    """Compare two audits; splits are matched by name, or directly if each audit has one split."""
    new_names = _match_splits(old, new)
    before = {result.probe: result for result in old.results}
    after = {result.probe: result for result in new.results}
    probes = dict.fromkeys([*before, *after])
    # flags of a probe that was not run, or had nothing to test, are unknown
    shared_probes = {
        probe
        for probe in before.keys() & after.keys()
        if "skipped" not in (before[probe].verdict, after[probe].verdict)
    }
    old_flags, new_flags = (
        _name_flags(old, new_names, shared_probes),
        _name_flags(new, {}, shared_probes),
    )
    splits = dict.fromkeys([*(new_names.get(s, s) for s in old.sizes), *new.sizes])
    old_names = {new: old for old, new in new_names.items()}
    labels = {s: f"{old_names[s]} → {s}" for s in splits if old_names.get(s, s) != s}
    return AuditDiff(
        old=old.benchmark,
        new=new.benchmark,
        sizes={
            labels.get(s, s): (old.sizes.get(old_names.get(s, s)), new.sizes.get(s)) for s in splits
        },
        same_items=sorted(old.sha256.values()) == sorted(new.sha256.values()),
        verdicts=tuple(
            VerdictChange(p, _verdict_of(before.get(p)), _verdict_of(after.get(p))) for p in probes
        ),
        estimates=tuple(
            change
            for p in probes
            if p in before and p in after
            for change in _changed_estimates(before[p], after[p], new_names)
        ),
        removed=tuple(flag for flag, name in old_flags.items() if name not in new_flags.values()),
        added=tuple(flag for flag in new_flags if flag not in old_flags.values()),
    )


def _match_splits(old: Audit, new: Audit) -> dict[str, str]:
    if len(old.sizes) == len(new.sizes) == 1:
        return {next(iter(old.sizes)): next(iter(new.sizes))}
    return {}


def _verdict_of(result: Result | None) -> str | None:
    return result.verdict if result else None


def _rename_estimate(estimate: Estimate, new_names: dict[str, str]) -> str:
    """Return the name that an estimate of the old audit has in the new one."""
    if estimate.split not in new_names or not estimate.name.startswith(f"{estimate.split}: "):
        return estimate.name
    return new_names[estimate.split] + estimate.name.removeprefix(estimate.split)


def _rename_evidence(key: str, new_names: dict[str, str]) -> str:
    """Return the key that evidence of the old audit has in the new one."""
    for split, new_split in new_names.items():
        if key.startswith(f"{split}: "):
            return new_split + key.removeprefix(split)
    return key


def _changed_estimates(old: Result, new: Result, new_names: dict[str, str]) -> list[EstimateChange]:
    old_estimates = {_rename_estimate(e, new_names): e for e in old.estimates}
    return [
        EstimateChange(new.probe, e.name, old_estimates[e.name], e)
        for e in new.estimates
        if e.name in old_estimates and e.value != old_estimates[e.name].value
    ]


def _name_flags(audit: Audit, new_names: dict[str, str], probes: Set[str]) -> dict[str, str]:
    """Map the flags of an audit to the names that they would have in the new one."""
    return {
        f"{result.probe}/{flag}": f"{result.probe}/{_rename_evidence(flag, new_names)}"
        for result in audit.results
        if result.probe in probes
        for flag in result.evidence
    }
