"""Partners of items: the same choices, another of them right, one group with the original."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    known = {item.id for items in benchmark.splits.values() for item in items}
    for one in (one for some in partners.values() for one in some):
        if one.id in known:
            raise BadInput("--suffix", f"{shown(one.id)} is an item already")
    return with_splits(
        benchmark,
        {
            split: tuple(
                member for item in items for member in _tied(item, partners.get(item.id, ()))
            )
            for split, items in parts.items()
        },
    )


def _tied(item: Item, partners: Sequence[Item]) -> Items:
    if not partners:
        return (item,)
    return tuple(replace(one, group=item.group or item.id) for one in (item, *partners))
