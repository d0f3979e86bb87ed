"""The verdict, the summary and the notes on gaps between Easy and Hard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..._infra.plural import plural
from ...inputs.systems import SeedCounting, System
from ...types import FULL, Verdict
from .._text import POOLED_NOTE
from .gaps import EasyHardGap
from .sources import MIN_ITEMS, EasySource


def decide_verdict(
    judged: list[EasyHardGap], wide: list[EasyHardGap], by_place: list[EasyHardGap]
) -> Verdict:
    """Return exposed if a control confirms a significant gap, caution if none does.

    `judged` are the gaps that were tested, `wide` those of them that are significant, `by_place`
    those that are significant only if places of right choices are ignored; where there are none to
    test, the verdict is skipped. A gap of which the places cannot be told apart clears nothing.
    """
    if not judged:
        return "skipped"
    if any(gap.is_controlled for gap in wide):
        return "exposed"
    cannot_tell = any(not gap.is_comparable for gap in by_place)
    return "caution" if wide or cannot_tell else "clear"


def find_worst(wide: list[EasyHardGap]) -> EasyHardGap | None:
    """Return the largest significant gap, of those that a control confirms if there are any."""
    return max(_confirmed_or_all(wide), key=lambda gap: gap.size, default=None)


def _confirmed_or_all(wide: list[EasyHardGap]) -> list[EasyHardGap]:
    return [gap for gap in wide if gap.is_controlled] or wide


def write_summary(
    judged: list[EasyHardGap], wide: list[EasyHardGap], by_place: list[EasyHardGap]
) -> str:
    """Describe the largest gap and what it may be taken for; there must be gaps to judge.

    `by_place` are the gaps that are significant only if places of right choices are ignored.
    """
    n_tested, worst = _count_systems(judged), find_worst(wide)
    if worst is None:
        return _write_clear_summary(judged, by_place)
    n_systems = _count_systems(_confirmed_or_all(wide))
    opening = (
        f"{worst.system.name} scores significantly higher on Easy than on Hard items,"
        if n_tested == 1
        else f"{n_systems} of {n_tested:,} scores {'is' if n_systems == 1 else 'are'} "
        f"significantly higher on Easy than on Hard items: {worst.system.name}"
    )
    text = (
        f"{opening} by {100 * worst.size:.1f} points in {worst.system.split} "
        f"({worst.easy.mean():.1%} against {worst.hard.mean():.1%}, Easy items chosen by "
        f"{worst.source.name})"
    )
    return f"{text}; {_interpret_gap(worst, judged)}."


def _write_clear_summary(judged: list[EasyHardGap], by_place: list[EasyHardGap]) -> str:
    """Say that no gap is significant, or only such as go with the places of the right choices."""
    widest = find_worst(by_place)
    opening = (
        f"None of {plural(_count_systems(judged), 'score')} is significantly higher on Easy than "
        "on Hard items"
    )
    tested = f"({plural(len(judged), 'gap')} tested)"
    if widest is None:
        return f"{opening} {tested}."
    return (
        f"{opening} with the right choice at the same place {tested}; the gap of "
        f"{100 * widest.size:.1f} points of {widest.system.name} in {widest.system.split} (Easy "
        f"items chosen by {widest.source.name}) {_relate_to_places(widest)}."
    )


def _count_systems(gaps: list[EasyHardGap]) -> int:
    return len({(gap.system.split, gap.system.name) for gap in gaps})


def explain_skip(sources: dict[str, list[EasySource]], systems: Sequence[System], view: str) -> str:
    """Say why no gap could be tested: no run saw everything, or nothing tells Easy from Hard."""
    if not any(system.runs[0].view == FULL for system in systems):
        return (
            f"Skipped: needs predictions of a model that saw the whole item; make them with "
            f"`hansproof predict … --views {FULL}`."
        )
    models = [s for part in sources.values() for s in part if not s.is_rules]
    if not models:
        return (
            f"Skipped: needs predictions of a model that saw only the {view}; make them with "
            f"`hansproof predict … --views {view}`."
        )
    names = ", ".join(dict.fromkeys(source.name for source in models))
    at_chance = [source for source in models if source.is_at_chance]
    if len(at_chance) < len(models):
        return (
            f"Skipped: judged by {names}, fewer than {MIN_ITEMS} items are Easy or fewer than "
            f"{MIN_ITEMS} are Hard, too few to compare."
        )
    best = max(at_chance, key=lambda source: (source.accuracy or 0) - source.chance)
    return (
        f"Skipped: the runs without the question ({names}) are not clearly above chance (at "
        f"best {best.accuracy:.1%}, chance {best.chance:.1%}), so they cannot tell Easy items from "
        "Hard."
    )


def _interpret_gap(worst: EasyHardGap, judged: list[EasyHardGap]) -> str:
    """Say whether a gap shows reliance on shortcuts or may be mere selection."""
    if worst.source.is_rules:
        return "these rules use only words of the choices, so the score depends on such words"
    if worst.is_controlled:
        return "another model chose the Easy items, so the gap is more than the model's own luck"
    if any(gap.is_controlled for gap in judged):
        return "no other model or rules confirm the gap, so part or all of it may be selection"
    return "without another blind model as a control, part or all of the gap may be selection"


def write_place_notes(by_place: list[EasyHardGap]) -> Iterator[str]:
    """Say of each gap that goes with the places of the right choices how large it is without."""
    for gap in by_place:
        same_place = (
            "Between Easy and Hard items with the right choice at the same place it is "
            f"{100 * gap.same_place.difference:.1f} points, which is not significant."
            if gap.is_comparable
            else "No Easy and Hard items have the right choice at the same place."
        )
        yield (
            f"{gap.system.name} in {gap.system.split}, Easy items chosen by {gap.source.name}: the "
            f"gap of {100 * gap.size:.1f} points {_relate_to_places(gap)}. {same_place}"
        )


def _relate_to_places(gap: EasyHardGap) -> str:
    """Say whether a gap goes with places, or may: what is left may be hidden by too few items."""
    is_gone = gap.is_comparable and gap.same_place.difference <= gap.size / 2
    verb = "goes" if is_gone else "may go"
    return f"{verb} with the places of the right choices"


def write_notes(
    sources: dict[str, list[EasySource]], gaps: list[EasyHardGap], view: str, seeds: SeedCounting
) -> Iterator[str]:
    """Yield notes on sources that were left out, missing controls and pooled runs."""
    for split, split_sources in sources.items():
        for source in split_sources:
            if not source.has_both_parts:
                fewest = plural(source.smaller_part, "item")
                yield (
                    f"{split}: Easy items from {source.name} were left out: Easy or Hard has only "
                    f"{fewest}."
                )
    if not any(gap.is_controlled for gap in gaps):
        yield (
            f"For a control, give runs of other models that saw only the {view}; mark logs of "
            f"such runs with `hansproof convert --view {view}`."
        )
    if seeds == "pooled":
        yield POOLED_NOTE
