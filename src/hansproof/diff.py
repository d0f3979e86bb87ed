"""What a new version of a benchmark changed, from two audits of it."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from .types import Audit, Estimate, Result


@dataclass(frozen=True, slots=True)
class Change:
    """One number before and after."""

    probe: str
    name: str
    old: Estimate
    new: Estimate


@dataclass(frozen=True, slots=True)
class Turn:
    """One probe's verdict before and after; None where it was not run."""

    probe: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Diff:
    """All that differs between two audits."""

    old: str
    new: str
    sizes: dict[str, tuple[int | None, int | None]]
    same_items: bool
    verdicts: tuple[Turn, ...]
    estimates: tuple[Change, ...]
    gone: tuple[str, ...]  # flags that stood in the old audit only
    come: tuple[str, ...]  # flags that stand in the new audit only


def compare(old: Audit, new: Audit) -> Diff:
    """The differences. Splits are matched by name, or if each side has but one, with each other."""
    renamed = _renamed(old, new)
    before = {result.probe: result for result in old.results}
    after = {result.probe: result for result in new.results}
    probes = dict.fromkeys([*before, *after])
    both = before.keys() & after.keys()  # a probe that was not run says nothing of its flags
    then, now = _flags(old, renamed, both), _flags(new, {}, both)
    splits = dict.fromkeys([*(renamed.get(s, s) for s in old.sizes), *new.sizes])
    back = {new: old for old, new in renamed.items()}
    return Diff(
        old=old.benchmark,
        new=new.benchmark,
        sizes={s: (old.sizes.get(back.get(s, s)), new.sizes.get(s)) for s in splits},
        same_items=sorted(old.sha256.values()) == sorted(new.sha256.values()),
        verdicts=tuple(Turn(p, _verdict(before.get(p)), _verdict(after.get(p))) for p in probes),
        estimates=tuple(
            change
            for p in probes
            if p in before and p in after
            for change in _changes(before[p], after[p], renamed)
        ),
        gone=tuple(flag for flag in then if flag not in now),
        come=tuple(flag for flag in now if flag not in then),
    )


def _renamed(old: Audit, new: Audit) -> dict[str, str]:
    if len(old.sizes) == len(new.sizes) == 1:
        return {next(iter(old.sizes)): next(iter(new.sizes))}
    return {}


def _verdict(result: Result | None) -> str | None:
    return result.verdict if result else None


def _rename(name: str, renamed: dict[str, str]) -> str:
    split, colon, rest = name.partition(": ")
    return f"{renamed.get(split, split)}{colon}{rest}"


def _changes(old: Result, new: Result, renamed: dict[str, str]) -> list[Change]:
    then = {_rename(e.name, renamed): e for e in old.estimates}
    return [
        Change(new.probe, e.name, then[e.name], e)
        for e in new.estimates
        if e.name in then and e.value != then[e.name].value
    ]


def _flags(audit: Audit, renamed: dict[str, str], probes: Set[str]) -> dict[str, int]:
    return {
        f"{result.probe}/{_rename(flag, renamed)}": len(ids)
        for result in audit.results
        if result.probe in probes
        for flag, ids in result.evidence.items()
    }
