"""Records of one split become items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ..errors import BadInput
from ..types import POOLED, Item, Items, Scalar
from . import _labels, _own
from ._answers import Given, given, indices
from ._choices import Choices, gather
from ._mapping import Mapping
from ._record import Record, Records, Where
from ._shapes import Shape, find, flatten

META_LIMIT = 1000  # characters: a longer text is content, not a property to slice by

Rows = list[tuple[Where, Record]]


def build(file: str, records: Records, split: str, mapping: Mapping) -> Items:
    """The items of one split."""
    if split == POOLED:  # taken: all labelled splits together
        raise BadInput(file, f"a split may not be called {POOLED!r}")
    rows: Rows = []
    for line, record in records:
        where = Where(file, line)
        rows.append((where, flatten(record, where)))
    if not rows:
        raise BadInput(file, "holds no items")
    named = replace(mapping, drop_unlabelled=False) != Mapping()
    if not named and all(_own.is_own(record) for _, record in rows):
        return _as_written(rows, mapping.drop_unlabelled)
    columns = list(dict.fromkeys(name for _, record in rows for name in record))
    shape = find(columns, mapping, file, split)
    ids = _ids(rows, shape.id, split)
    answers = _answers(rows, shape, ids, mapping)
    found = zip(rows, ids, answers, indices(answers, shape.first), strict=True)
    items = [
        _item(where, record, shape, id, row.choices.texts, index)
        for (where, record), id, row, index in found
    ]
    return _labelled(items, answers, mapping.drop_unlabelled)


def _as_written(rows: Rows, drop: bool) -> Items:
    """Items that say themselves what is what."""
    items = [_own.item(record, where) for where, record in rows]
    _ids(rows, "id", "")  # each once
    answers = [
        Given(where, "answer", item.answer, Choices(item.choices))
        for item, (where, _) in zip(items, rows, strict=True)
    ]
    return _labelled(items, answers, drop)


def _ids(rows: Rows, column: str | None, split: str) -> list[str]:
    """The ids of the file, or split and number of the record."""
    if column is None:
        return [f"{split}-{number}" for number in range(1, len(rows) + 1)]
    seen: dict[str, int] = {}
    for where, record in rows:
        id = where.name(record.get(column), column)
        if id in seen:
            raise where.bad(column, f"{id!r} stands already in line {seen[id]}")
        seen[id] = where.line
    return list(seen)


def _answers(rows: Rows, shape: Shape, ids: Sequence[str], mapping: Mapping) -> list[Given]:
    """What the file, or the second file, says about the answers."""
    column = shape.answer or "label"
    labels = [(where, record.get(column)) for where, record in rows]
    if mapping.labels is not None:
        second = _labels.read(mapping.labels, ids)
        labels = [label or (where, None) for label, (where, _) in zip(second, rows, strict=True)]
    return [
        given(label, column, gather(record, shape.choices, where), place, shape.first)
        for (where, record), (place, label) in zip(rows, labels, strict=True)
    ]


def _item(
    where: Where,
    record: Record,
    shape: Shape,
    id: str,
    choices: tuple[str, ...],
    answer: int | None,
) -> Item:
    fields = {}
    for column, name in shape.fields.items():
        if column not in record:
            raise where.missing(column, record)
        fields[name] = where.text(record[column], column)
    group = record.get(shape.group) if shape.group else None
    return Item(
        id=id,
        fields=fields,
        choices=choices,
        answer=answer,
        group=None if group in (None, "") else where.name(group, str(shape.group)),
        meta=_meta(record, shape, where),
    )


def _meta(record: Record, shape: Shape, where: Where) -> dict[str, Scalar]:
    """What else is known of an item: plain values under the columns that were not used."""
    used = {*shape.fields, *shape.choices, shape.answer, shape.id, shape.group}
    found: dict[str, Scalar] = {}
    for column, value in record.items():
        if column in used or not isinstance(value, str | int | float):
            continue
        if isinstance(value, float) and not math.isfinite(value):
            continue
        if isinstance(value, str) and len(where.text(value, column)) > META_LIMIT:
            continue
        found[shape.meta.get(column, column)] = value
    return found


def _labelled(items: list[Item], answers: Sequence[Given], drop: bool) -> Items:
    """All items have an answer or none has, unless the user lets the rest go."""
    missing = [row for row in answers if row.answer is None]
    if not missing or len(missing) == len(items):
        return tuple(items)
    if not drop:
        what = "missing, while other items have one (--drop-unlabelled leaves such items out)"
        raise missing[0].where.bad(missing[0].column, what)
    return tuple(item for item in items if item.answer is not None)
