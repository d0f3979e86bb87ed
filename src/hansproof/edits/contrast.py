"""Mines a benchmark for a contrast set: pairs of items where each one's answer is the other's trap.

Gardner et al. 2020 have contrast sets written; here they are found. Two items are partners if the
answer of each is a wrong choice of the other, case and punctuation aside, and they do not ask the
same: what such a pair shares cannot tell which choice is right. Pairs that ask the same have
contradictory answers, and two choices that many items share (yes and no) are a form: both are
left out and told of.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container
from dataclasses import dataclass, field, replace
from itertools import product
from typing import ClassVar

from ..text import normalised
from ..training.units import FORM
from ..types import Account, Benchmark, Cell, Edited, Item, Table
from ..views import ASKS_FOR
from ._pairs import fresh
from ._parts import chosen, with_splits

NAMED = 5  # partners that an item names
EXAMPLES = 50  # ids that stand as evidence of a kind
LARGE = 50  # items: a group of more is hardly one contrast
SHARED = ("shared", "of", "pairs")
SIZES = ("items", "groups")
SPLITS = ("split", "items", "kept")

Entry = tuple[str, Item]  # split, item
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Contrast:
    """Only the items that have a partner; those that hang together by partners form a group.

    Partners may lie in different splits: name one with --split to look inside it alone.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it every labelled split

    def __call__(self, benchmark: Benchmark) -> Edited:
        before = chosen(benchmark, self.split)
        entries = [(split, item) for split, items in before.items() for item in items]
        found = _mined([item for _, item in entries])
        grouped = _grouped([item for _, item in entries], found.pairs)
        after: dict[str, list[Item]] = {split: [] for split in before}
        for at in sorted(grouped):
            after[entries[at][0]].append(grouped[at])
        whole = {split: tuple(items) for split, items in after.items()}
        return Edited(with_splits(benchmark, whole), _account(entries, found, grouped))


@dataclass(frozen=True, slots=True)
class _Mined:
    """Pairs by the places of their items, and how many items share each form."""

    pairs: list[Pair] = field(default_factory=list)
    contradictory: list[Pair] = field(default_factory=list)
    forms: Counter[tuple[str, ...]] = field(default_factory=Counter)


def _mined(items: list[Item]) -> _Mined:
    """Partners, found by what two choices they turn on: one is right here, the other there."""
    having: dict[tuple[str, str], list[int]] = defaultdict(list)  # answer and a wrong choice
    for at, item in enumerate(items):
        answer, *wrong = _texts(item)
        for text in {text for text in wrong if text not in ("", answer) and answer}:
            having[answer, text].append(at)
    found = _Mined()
    for (one, other), here in having.items():
        there = having.get((other, one), [])
        if not there or one > other:
            continue  # no partner, or met the other way round
        if len(here) + len(there) > FORM:
            found.forms[one, other] = len(here) + len(there)
            continue
        for i, j in product(here, there):
            same = _question(items[i]) == _question(items[j])
            (found.contradictory if same else found.pairs).append((min(i, j), max(i, j)))
    found.pairs.sort()
    return found


def _texts(item: Item) -> list[str]:
    """The answer first, then the wrong choices, as far as words go."""
    answer = item.answer or 0
    rest = [choice for at, choice in enumerate(item.choices) if at != answer]
    return [normalised(text) for text in (item.choices[answer], *rest)]


def _question(item: Item) -> tuple[object, ...]:
    fields = sorted((name, normalised(text)) for name, text in item.fields.items())
    return (*fields, item.meta.get(ASKS_FOR))


def _grouped(items: list[Item], pairs: list[Pair]) -> dict[int, Item]:
    """The items that have partners, with them in meta and in one group; by place."""
    partners: dict[int, list[int]] = defaultdict(list)
    for i, j in pairs:
        partners[i].append(j)
        partners[j].append(i)
    members: dict[str, list[int]] = defaultdict(list)
    for at in sorted(partners):
        if (group := items[at].group) is not None:
            members[group].append(at)
    groups = {item.group for item in items}
    found: dict[int, Item] = {}
    for start in sorted(partners):
        if start not in found:
            together = _hanging(start, partners, members, items)
            name = _name([items[at] for at in together], groups)
            for at in together:
                found[at] = _told(items[at], name, [items[p].id for p in sorted(partners[at])])
    return found


def _hanging(
    start: int, partners: dict[int, list[int]], members: dict[str, list[int]], items: list[Item]
) -> list[int]:
    """The places that can be reached over partners, and over groups that were there before."""
    seen, open_ = {start}, [start]
    while open_:
        at = open_.pop()
        group = items[at].group
        for other in (*partners[at], *(members[group] if group is not None else ())):
            if other not in seen:
                seen.add(other)
                open_.append(other)
    return sorted(seen)


def _name(items: list[Item], groups: Container[str | None]) -> str:
    """A group that was there before keeps its name."""
    had = [item.group for item in items if item.group is not None]
    return had[0] if had else fresh(f"contrast-{items[0].id}", groups)


def _told(item: Item, group: str, partners: list[str]) -> Item:
    told = {"edit": "contrast", "contrast_with": " ".join(partners[:NAMED])}
    return replace(item, group=group, meta={**item.meta, **told})


def _account(entries: list[Entry], found: _Mined, grouped: dict[int, Item]) -> Account:
    items = [item for _, item in entries]
    sizes = Counter(Counter(item.group for item in grouped.values()).values())
    before = Counter(split for split, _ in entries)
    after = Counter(entries[at][0] for at in grouped)
    evidence = {
        "contrast": tuple(item.id for item in grouped.values())[:EXAMPLES],
        "same question, different answers": tuple(
            items[at].id for pair in found.contradictory for at in pair
        ),
    }
    return Account(
        f"{len(grouped):,} of {len(items):,} items have a partner: {len(found.pairs):,} pairs in "
        f"{sum(sizes.values()):,} groups.",
        tables={
            "splits": Table(SPLITS, tuple((s, n, after[s]) for s, n in before.items())),
            "groups": Table(SIZES, tuple(sorted(sizes.items()))),
            "shared": Table(SHARED, _shared(items, found.pairs)),
        },
        evidence={what: ids for what, ids in evidence.items() if ids},
        notes=_notes(entries, found, max(sizes, default=0)),
    )


def _shared(items: list[Item], pairs: list[Pair]) -> tuple[tuple[Cell, ...], ...]:
    """How many choices partners share, of how many that the larger of the two has."""
    kinds: Counter[tuple[int, int]] = Counter()
    for i, j in pairs:
        one, other = Counter(_texts(items[i])), Counter(_texts(items[j]))
        kinds[(one & other).total(), max(one.total(), other.total())] += 1
    return tuple((*kind, n) for kind, n in sorted(kinds.items()))


def _notes(entries: list[Entry], found: _Mined, largest: int) -> tuple[str, ...]:
    notes = []
    across = sum(entries[i][0] != entries[j][0] for i, j in found.pairs)
    if across:
        notes.append(f"Pairs that lie in two splits: {across:,}")
    if largest > LARGE:
        notes.append(f"The largest group has {largest:,} items: partners of partners of partners")
    if found.contradictory:
        notes.append(
            "Pairs that ask the same with different answers, contradictions and no partners: "
            f"{len(found.contradictory):,}"
        )
    if found.forms:
        (form, most), *_ = found.forms.most_common(1)
        notes.append(
            f"Two choices that more than {FORM} items turn on are a form, and left out: "
            f"{len(found.forms):,} such, the widest “{' / '.join(form)}” of {most:,} items"
        )
    return tuple(notes)
