"""Notes on the answers of systems: missing ones, and identical ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from .._infra.join_names import join_names
from ..inputs.systems import System, systems_by_split

MIN_IDENTICAL = 20  # items; fewer may well be answered alike


def write_missing_notes(systems: Sequence[System]) -> Iterator[str]:
    """Say of each system which items were not asked, and how many answers are missing and why."""
    for system in systems:
        n_all, n_asked = len(system.split_items), len(system.items)
        if n_asked < n_all:
            yield (
                f"{system.name}: {n_all - n_asked} of {n_all} items of {system.split} were not "
                "given to it and are left out."
            )
        reasons = system.count_reasons()
        if reasons:
            counts = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
            n_missing = sum(reasons.values())
            verbs = ("is", "counts") if n_missing == 1 else ("are", "count")
            yield (
                f"{system.name}: {n_missing} of {system.answered.size} answers in {system.split} "
                f"{verbs[0]} missing ({counts}) and {verbs[1]} as wrong: accuracy "
                f"{system.accuracy:.1%}. Guessing them instead would give "
                f"{system.accuracy_by_guessing:.1%}, leaving them out "
                f"{system.accuracy_left_out:.1%}."
            )


def write_identical_notes(systems: Sequence[System]) -> Iterator[str]:
    """Point out systems that gave the same answers to all items."""
    splits_by_names: dict[tuple[str, ...], list[System]] = defaultdict(list)
    for split_systems in systems_by_split(systems).values():
        by_answers: dict[object, list[System]] = defaultdict(list)
        for system in split_systems:
            if len(system.items) >= MIN_IDENTICAL and not _is_trivial(system):
                ids = tuple(item.id for item in system.items)
                by_answers[ids, frozenset(_run_answers(system))].append(system)
        for copies in by_answers.values():
            if len(copies) > 1:
                splits_by_names[tuple(system.name for system in copies)].append(copies[0])
    for names, split_copies in splits_by_names.items():
        n_items = sum(len(system.items) for system in split_copies)
        splits = ", ".join(system.split for system in split_copies)
        yield (
            f"{join_names(names)} gave identical answers to all {n_items} items of {splits}: "
            "check that they are not copies of the same run."
        )


def _is_trivial(system: System) -> bool:
    """Whether others would answer the same: all right, or the same position everywhere."""
    return bool(system.credits.min() == 1) or all(
        len(set(answers)) == 1 for answers in _run_answers(system)
    )


def _run_answers(system: System) -> list[tuple[tuple[int, ...], ...]]:
    """Return for each run the choices with the highest score, by item; none without an answer."""
    return [
        tuple(_best_choices(run.scores.get(item.id, ())) for item in system.items)
        for run in system.runs
    ]


def _best_choices(scores: tuple[float, ...]) -> tuple[int, ...]:
    best = max(scores, default=0.0)
    return tuple(index for index, score in enumerate(scores) if score == best)
