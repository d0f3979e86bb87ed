"""Notes on the answers of systems: missing ones, and identical ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from .._infra.join_names import join_names
from .._infra.plural import plural
from ..inputs.systems import System, drop_controls, drop_repeats, drop_silent, systems_by_split
from ..scoring import best_choices, count_mismatches, find_preferred_place
from ..types import Predictions
from ._text import name_ordinal

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


def write_control_note(predictions: Sequence[Predictions]) -> Iterator[str]:
    """Say how many runs are not counted as systems."""
    compared = drop_controls(predictions)
    n_left_out = len(predictions) - len(compared)
    if n_left_out:
        yield (
            f"{plural(n_left_out, 'run')} of random words, with the choices in another order, or "
            f"that {'shows' if n_left_out == 1 else 'show'} no choices, {_be(n_left_out)} left out."
        )
    counted = drop_repeats(compared)
    n_repeats = len(compared) - len(counted)
    if n_repeats:
        yield (
            f"{plural(n_repeats, 'run')} {_be(n_repeats)} left out: another run of the same system "
            "has the same seed and the same answers."
        )
    silent = [run for run in counted if run not in drop_silent(counted)]
    for name in dict.fromkeys(f"{run.model}, {run.view} of {run.split}" for run in silent):
        yield f"{name}: is left out, as it has no answer to any item."


def _be(count: int) -> str:
    return "is" if count == 1 else "are"


def write_place_notes(systems: Sequence[System]) -> Iterator[str]:
    """Point out systems that pick one place nearly always, though others are often right."""
    for system in systems:
        preferred = find_preferred_place(system.runs, system.items)
        if preferred is None:
            continue
        is_mixed = any(len(item.choices) != preferred.n_choices for item in system.items)
        which = f" to items with {preferred.n_choices} choices" if is_mixed else ""
        yield (
            f"{system.name} picks the {name_ordinal(preferred.place + 1)} choice in "
            f"{preferred.n_picks} of {preferred.n_answers} answers{which} in {system.split}: its "
            "accuracy says little about what it knows."
        )


def write_mismatch_notes(systems: Sequence[System]) -> Iterator[str]:
    """Say how often the first token and the text of an answer name different choices."""
    for system in systems:
        n_different, n_pairs = count_mismatches(system.runs)
        if n_pairs:
            yield (
                f"{system.name}: the first token and the text of an answer name different choices "
                f"in {n_different} of {plural(n_pairs, 'answer')} in {system.split} "
                f"({n_different / n_pairs:.1%}); the accuracy is that of the first token."
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
        tuple(best_choices(run.scores.get(item.id, ())) for item in system.items)
        for run in system.runs
    ]
