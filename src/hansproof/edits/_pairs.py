"""Partners of items: the same choices, another of them right, one group with the original."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from ..errors import BadInput
from ..formats._record import listed, shown
from ..types import Benchmark, Item, Items
from ._parts import with_splits


def by_id(parts: Mapping[str, Items]) -> dict[str, Item]:
    """All items of some splits by their ids, which must be different."""
    found: dict[str, Item] = {}
    for split, items in parts.items():
        for item in items:
            if item.id in found:
                raise BadInput(split, f"{shown(item.id)} is an item twice: name a --split")
            found[item.id] = item
    return found


def field_of(items: Iterable[Item], named: str | None) -> str:
    """The field to rewrite: the one that was named, or the only one; every item must have it."""
    items = list(items)
    known = list(dict.fromkeys(name for item in items for name in item.fields))
    if not known:
        raise BadInput("--rewrite", "the items have no field that could be rewritten")
    if named is None and len(known) != 1:
        raise BadInput("--rewrite", f"which field is to be rewritten? There are: {listed(known)}")
    field = known[0] if named is None else named
    for item in items:
        if field not in item.fields:
            what = f"item {shown(item.id)} has no field {shown(field)}; it has: "
            raise BadInput("--rewrite", what + listed(item.fields))
    return field


def paired(
    benchmark: Benchmark, parts: Mapping[str, Items], partners: Mapping[str, Sequence[Item]]
) -> Benchmark:
    """The benchmark with the partners of an item right after it, all in its group."""
    every = [item for items in benchmark.splits.values() for item in items]
    known, groups = {item.id for item in every}, {item.group for item in every}
    for one in (one for some in partners.values() for one in some):
        if one.id in known:
            raise BadInput("--suffix", f"{shown(one.id)} is an item already")
    return with_splits(
        benchmark,
        {
            split: tuple(
                member
                for item in items
                for member in _tied(item, partners.get(item.id, ()), groups)
            )
            for split, items in parts.items()
        },
    )


def _tied(item: Item, partners: Sequence[Item], groups: Container[str | None]) -> Items:
    if not partners:
        return (item,)
    group = item.group or fresh(item.id, groups)
    return tuple(replace(one, group=group) for one in (item, *partners))


def fresh(name: str, groups: Container[str | None]) -> str:
    """The name for a group, or one like it where others are called so."""
    while name in groups:
        name += "+"
    return name
