"""Mirrored groups that the benchmark does not mark: same choices, each of them right once."""

from __future__ import annotations

from collections import Counter, defaultdict

from ..._infra.plural import plural
from ...types import Item, Items
from .groups import MirrorGroup, answer_text, sorted_choices

MIN_SHARE = 0.5  # of a split's items without a group; fewer pairs may be accidental


def find_unmarked(parts: dict[str, Items]) -> tuple[list[MirrorGroup], tuple[str, ...]]:
    """Find items without a group that mirror each other, and return a note on how.

    They are as many as their choices. What more items share (`yes` and `no`) is a form, as are
    near copies for leakage groups.
    """
    candidates = _find_candidates(parts)
    if not candidates:
        return [], ()
    mirrored = Counter(split for group in candidates for split, _ in group.members)
    n_ungrouped = {split: sum(i.group is None for i in items) for split, items in parts.items()}
    mostly = {split for split, n in mirrored.items() if n >= MIN_SHARE * n_ungrouped[split]}
    selected = [g for g in candidates if any(split in mostly for split, _ in g.members)]
    if not selected:
        n, n_items = mirrored.total(), sum(n_ungrouped.values())
        return [], (
            f"only {n:,} of {n_items:,} items share their choices with another item but not the "
            "answer, too few for a mirrored benchmark.",
        )
    return selected, (
        f"{plural(len(selected), 'group')} found without a column `group`: items with the same "
        "choices, each of which is right exactly once.",
    )


def _find_candidates(parts: dict[str, Items]) -> list[MirrorGroup]:
    members: dict[tuple[str, ...], list[tuple[str, Item]]] = defaultdict(list)
    for split, items in parts.items():
        for item in items:
            if item.group is None:
                members[sorted_choices(item)].append((split, item))
    return [
        MirrorGroup(" + ".join(item.id for _, item in alike), tuple(alike))
        for choices, alike in members.items()
        if sorted(answer_text(item) for _, item in alike) == sorted(set(choices))
    ]
