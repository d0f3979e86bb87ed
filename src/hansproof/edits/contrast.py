"""Finds a contrast set: pairs of items where the answer of each is a wrong choice of the other.

Contrast sets are usually written by people (Gardner et al. 2020); here they are found in the
benchmark. Two items are partners if the answer of each is a wrong choice of the other, ignoring
case and punctuation, and their questions differ: then nothing that the pair shares can tell which
choice is right. Pairs with the same question contradict each other, and two choices that many items
share (yes and no) are just a form: both are left out and reported.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container
from dataclasses import dataclass, field, replace
from itertools import product
from typing import ClassVar

from ..text.ngrams import normalise_text
from ..training.leakage_groups import MAX_COPIES
from ..types import Benchmark, Cell, EditReport, EditResult, Item, Table
from ..views import ASKS_FOR
from ._partners import unused_group_name
from ._parts import replace_splits, select_labelled

MAX_NAMED_PARTNERS = 5  # partners listed in the meta of an item
MAX_EXAMPLES = 50  # ids listed as evidence of each kind
LARGE_GROUP = 50  # items: larger groups get a note
SHARED_COLUMNS = ("shared", "of", "pairs")
SIZE_COLUMNS = ("items", "groups")
SPLIT_COLUMNS = ("split", "items", "kept")

SplitItem = tuple[str, Item]  # split, item
IndexPair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Contrast:
    """Keeps only the items that have a partner; items linked by partners form a group.

    Partners may be in different splits: choose one with --split to search only within it.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; default: every labelled split

    def __call__(self, benchmark: Benchmark) -> EditResult:
        before = select_labelled(benchmark, self.split)
        entries = [(split, item) for split, items in before.items() for item in items]
        mined = _mine_pairs([item for _, item in entries])
        grouped = _group_partners([item for _, item in entries], mined.pairs)
        after: dict[str, list[Item]] = {split: [] for split in before}
        for index in sorted(grouped):
            after[entries[index][0]].append(grouped[index])
        new_splits = {split: tuple(items) for split, items in after.items()}
        return EditResult(
            replace_splits(benchmark, new_splits), _build_report(entries, mined, grouped)
        )


@dataclass(frozen=True, slots=True)
class _ContrastPairs:
    """Pairs of item indices, and how many items share each form."""

    pairs: list[IndexPair] = field(default_factory=list)
    contradictory: list[IndexPair] = field(default_factory=list)
    forms: Counter[tuple[str, ...]] = field(default_factory=Counter)


def _mine_pairs(items: list[Item]) -> _ContrastPairs:
    """Find partners: the answer of each item is a wrong choice of the other."""
    items_by_choices: dict[tuple[str, str], list[int]] = defaultdict(
        list
    )  # by answer and a wrong choice
    for index, item in enumerate(items):
        answer, *wrong = _normalised_choices(item)
        for text in {text for text in wrong if text not in ("", answer) and answer}:
            items_by_choices[answer, text].append(index)
    mined = _ContrastPairs()
    for (first_choice, second_choice), first_indices in items_by_choices.items():
        second_indices = items_by_choices.get((second_choice, first_choice), [])
        if not second_indices or first_choice > second_choice:
            continue  # no partner, or found in the other order
        if len(first_indices) + len(second_indices) > MAX_COPIES:
            mined.forms[first_choice, second_choice] = len(first_indices) + len(second_indices)
            continue
        for i, j in product(first_indices, second_indices):
            same_question = _question_key(items[i]) == _question_key(items[j])
            (mined.contradictory if same_question else mined.pairs).append((min(i, j), max(i, j)))
    mined.pairs.sort()
    return mined


def _normalised_choices(item: Item) -> list[str]:
    """Return the normalised choices, the answer first."""
    answer = item.answer or 0
    wrong_choices = [choice for index, choice in enumerate(item.choices) if index != answer]
    return [normalise_text(text) for text in (item.choices[answer], *wrong_choices)]


def _question_key(item: Item) -> tuple[object, ...]:
    fields = sorted((name, normalise_text(text)) for name, text in item.fields.items())
    return (*fields, item.meta.get(ASKS_FOR))


def _group_partners(items: list[Item], pairs: list[IndexPair]) -> dict[int, Item]:
    """Return by index the items that have partners, with meta and group set."""
    partners: dict[int, list[int]] = defaultdict(list)
    for i, j in pairs:
        partners[i].append(j)
        partners[j].append(i)
    members: dict[str, list[int]] = defaultdict(list)
    for index in sorted(partners):
        if (group := items[index].group) is not None:
            members[group].append(index)
    groups = {item.group for item in items}
    grouped_items: dict[int, Item] = {}
    for start in sorted(partners):
        if start not in grouped_items:
            component = _connected_items(start, partners, members, items)
            name = _group_name([items[index] for index in component], groups)
            for index in component:
                grouped_items[index] = _mark_item(
                    items[index], name, [items[partner].id for partner in sorted(partners[index])]
                )
    return grouped_items


def _connected_items(
    start: int, partners: dict[int, list[int]], members: dict[str, list[int]], items: list[Item]
) -> list[int]:
    """Return the indices that are connected by partners and by existing groups."""
    visited, queue = {start}, [start]
    while queue:
        index = queue.pop()
        group = items[index].group
        for neighbour in (*partners[index], *(members[group] if group is not None else ())):
            if neighbour not in visited:
                visited.add(neighbour)
                queue.append(neighbour)
    return sorted(visited)


def _group_name(items: list[Item], groups: Container[str | None]) -> str:
    """Return the name of an existing group, or a new one."""
    existing = [item.group for item in items if item.group is not None]
    return existing[0] if existing else unused_group_name(f"contrast-{items[0].id}", groups)


def _mark_item(item: Item, group: str, partners: list[str]) -> Item:
    new_meta = {"edit": "contrast", "contrast_with": " ".join(partners[:MAX_NAMED_PARTNERS])}
    return replace(item, group=group, meta={**item.meta, **new_meta})


def _build_report(
    entries: list[SplitItem], mined: _ContrastPairs, grouped: dict[int, Item]
) -> EditReport:
    items = [item for _, item in entries]
    sizes = Counter(Counter(item.group for item in grouped.values()).values())
    before = Counter(split for split, _ in entries)
    after = Counter(entries[index][0] for index in grouped)
    evidence = {
        "contrast": tuple(item.id for item in grouped.values())[:MAX_EXAMPLES],
        "same question, different answers": tuple(
            items[index].id for pair in mined.contradictory for index in pair
        ),
    }
    return EditReport(
        f"{len(grouped):,} of {len(items):,} items have a partner: {len(mined.pairs):,} pairs in "
        f"{sum(sizes.values()):,} groups.",
        tables={
            "splits": Table(SPLIT_COLUMNS, tuple((s, n, after[s]) for s, n in before.items())),
            "groups": Table(SIZE_COLUMNS, tuple(sorted(sizes.items()))),
            "shared": Table(SHARED_COLUMNS, _shared_choice_rows(items, mined.pairs)),
        },
        evidence={kind: ids for kind, ids in evidence.items() if ids},
        notes=_report_notes(entries, mined, max(sizes, default=0)),
    )


def _shared_choice_rows(items: list[Item], pairs: list[IndexPair]) -> tuple[tuple[Cell, ...], ...]:
    """Count pairs by the number of shared choices and the larger number of choices."""
    kinds: Counter[tuple[int, int]] = Counter()
    for i, j in pairs:
        first, second = (
            Counter(_normalised_choices(items[i])),
            Counter(_normalised_choices(items[j])),
        )
        kinds[(first & second).total(), max(first.total(), second.total())] += 1
    return tuple((*kind, n) for kind, n in sorted(kinds.items()))


def _report_notes(entries: list[SplitItem], mined: _ContrastPairs, largest: int) -> tuple[str, ...]:
    notes = []
    n_across = sum(entries[i][0] != entries[j][0] for i, j in mined.pairs)
    if n_across:
        notes.append(f"Pairs across two splits: {n_across:,}")
    if largest > LARGE_GROUP:
        notes.append(f"The largest group has {largest:,} items, linked through shared partners")
    if mined.contradictory:
        notes.append(
            "Left out pairs with the same question but different answers (contradictions): "
            f"{len(mined.contradictory):,}"
        )
    if mined.forms:
        (form, n_items), *_ = mined.forms.most_common(1)
        notes.append(
            f"Left out pairs of choices shared by more than {MAX_COPIES} items (such as yes and "
            f"no): {len(mined.forms):,}, the most frequent “{' / '.join(form)}” in {n_items:,} "
            "items"
        )
    return tuple(notes)
