"""Adding partners to items: same choices, another one right, in the group of the original."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from ..errors import BadInput
from ..records.location import format_columns, truncate
from ..types import Benchmark, Item, Items
from ._parts import replace_splits


def index_by_id(parts: Mapping[str, Items]) -> dict[str, Item]:
    """Return the items of several splits by id; raise BadInput if an id occurs twice."""
    items_by_id: dict[str, Item] = {}
    for split, items in parts.items():
        for item in items:
            if item.id in items_by_id:
                raise BadInput(
                    split,
                    f"several items have the id {truncate(item.id)}: choose a split with --split",
                )
            items_by_id[item.id] = item
    return items_by_id


def rewritten_field(items: Iterable[Item], requested: str | None) -> str:
    """Return the field to rewrite: the requested one, or the only one; all items must have it."""
    items = list(items)
    field_names = list(dict.fromkeys(name for item in items for name in item.fields))
    if not field_names:
        raise BadInput("--rewrite", "the items have no field that could be rewritten")
    if requested is None and len(field_names) != 1:
        raise BadInput(
            "--rewrite", f"name the field to rewrite, one of: {format_columns(field_names)}"
        )
    field = field_names[0] if requested is None else requested
    for item in items:
        if field not in item.fields:
            message = f"item {truncate(item.id)} has no field {truncate(field)}; it has: "
            raise BadInput("--rewrite", message + format_columns(item.fields))
    return field


def add_partners(
    benchmark: Benchmark, parts: Mapping[str, Items], partners: Mapping[str, Sequence[Item]]
) -> Benchmark:
    """Return the benchmark with the partners of each item right after it, in its group."""
    all_items = [item for items in benchmark.splits.values() for item in items]
    known_ids, groups = {item.id for item in all_items}, {item.group for item in all_items}
    for partner in (partner for item_partners in partners.values() for partner in item_partners):
        if partner.id in known_ids:
            raise BadInput(
                "--suffix",
                f"an item with the id {truncate(partner.id)} already exists: choose another suffix",
            )
    return replace_splits(
        benchmark,
        {
            split: tuple(
                member
                for item in items
                for member in _group_with_partners(item, partners.get(item.id, ()), groups)
            )
            for split, items in parts.items()
        },
    )


def _group_with_partners(
    item: Item, partners: Sequence[Item], groups: Container[str | None]
) -> Items:
    if not partners:
        return (item,)
    group = item.group or unused_group_name(item.id, groups)
    return tuple(replace(member, group=group) for member in (item, *partners))


def unused_group_name(name: str, groups: Container[str | None]) -> str:
    """Return a group name that no group has yet: `name`, with `+` appended as often as needed."""
    while name in groups:
        name += "+"
    return name
