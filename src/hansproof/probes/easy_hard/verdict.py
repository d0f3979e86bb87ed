"""The verdict, the summary and the notes on gaps between Easy and Hard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...inputs.systems import SeedCounting, System
from ...types import FULL, Verdict
from .._text import POOLED_NOTE, plural
from .gaps import EasyHardGap
from .sources import CROSS_VALIDATED, MIN_ITEMS, EasySource


def decide_verdict(judged: list[EasyHardGap], wide: list[EasyHardGap]) -> Verdict:
    """Return exposed if a control confirms a significant gap, caution if none does.

    `judged` are the gaps that were tested, `wide` those of them that are significant; where there
    are none to test, the verdict is skipped.
    """
    if not judged:
        return "skipped"
    if any(gap.is_controlled for gap in wide):
        return "exposed"
    return "caution" if wide else "clear"


def find_worst(wide: list[EasyHardGap]) -> EasyHardGap | None:
    """Return the largest significant gap, of those that a control confirms if there are any."""
    return max(_confirmed_or_all(wide), key=lambda gap: gap.size, default=None)


def _confirmed_or_all(wide: list[EasyHardGap]) -> list[EasyHardGap]:
    return [gap for gap in wide if gap.is_controlled] or wide


def write_summary(judged: list[EasyHardGap], wide: list[EasyHardGap]) -> str:
    """Describe the largest gap and what it may be taken for; there must be gaps to judge."""
    n_tested, worst = _count_systems(judged), find_worst(wide)
    if worst is None:
        return (
            f"None of {plural(n_tested, 'score')} is better on Easy than on Hard beyond chance "
            f"({plural(len(judged), 'gap')} tested)."
        )
    n_systems = _count_systems(_confirmed_or_all(wide))
    text = (
        f"{n_systems} of {plural(n_tested, 'score')} {'is' if n_systems == 1 else 'are'} "
        f"better on Easy than on Hard beyond chance: {worst.system.name} by "
        f"{100 * worst.size:.1f} points in {worst.system.split} ({worst.easy.mean():.1%} "
        f"against {worst.hard.mean():.1%}, Easy from {worst.source.name})"
    )
    return f"{text}; {_interpret_gap(worst, judged)}."


def _count_systems(gaps: list[EasyHardGap]) -> int:
    return len({(gap.system.split, gap.system.name) for gap in gaps})


def explain_skip(sources: dict[str, list[EasySource]], systems: Sequence[System], view: str) -> str:
    """Say why no gap could be tested: nobody saw everything, or no source knows what is Easy."""
    if not any(system.runs[0].view == FULL for system in systems):
        return f"Skipped: needs predictions of a model that saw the whole item (view {FULL})."
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
            f"Skipped: by what was given ({names}), Easy or Hard has fewer than {MIN_ITEMS} of the "
            "items, too few to compare."
        )
    best = max(at_chance, key=lambda source: (source.accuracy or 0) - source.chance)
    return (
        f"Skipped: blind runs were given ({names}), but they are not above chance (at best "
        f"{best.accuracy:.1%}, chance {best.chance:.1%}), so they cannot tell Easy items from Hard."
    )


def _interpret_gap(worst: EasyHardGap, judged: list[EasyHardGap]) -> str:
    """Say whether a gap shows reliance on shortcuts or may be mere selection."""
    if worst.source.is_rules:
        return "these rules read words of the choices alone, so the score leans on them"
    if worst.relation == CROSS_VALIDATED:
        return "Easy was cross-validated, so it is more than selection"
    if worst.is_controlled:
        return "Easy was chosen by another model, so it is more than selection"
    if any(gap.is_controlled for gap in judged):
        return "no control confirms it, so selection may be all there is to it"
    return "no other blind model was there as a control, so it may be mere selection"


def write_notes(
    sources: dict[str, list[EasySource]], gaps: list[EasyHardGap], view: str, seeds: SeedCounting
) -> Iterator[str]:
    """Yield notes on sources that were left out, missing controls and pooled runs."""
    for split, split_sources in sources.items():
        for source in split_sources:
            if not source.has_both_parts:
                fewest = plural(source.smaller_part, "item")
                yield f"{split}: Easy from {source.name} was left out: one part has {fewest}."
    if not any(gap.is_controlled for gap in gaps):
        yield (
            f"Runs of other models that saw only the {view} would be a control: give "
            f"them, or mark logs of such runs by `hansproof convert --view {view}`."
        )
    if seeds == "pooled":
        yield POOLED_NOTE
