"""Checks benchmarks that may be made by hand: what files are checked for when they are read."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any

from ..errors import BadInput
from ..records.location import truncate
from ..types import Benchmark, Item, Items


def check_benchmark(benchmark: Benchmark) -> Benchmark:
    """Return a benchmark whose items are valid, with lists as tuples, or raise BadInput."""
    if not isinstance(benchmark.splits, Mapping) or not any(map(bool, benchmark.splits.values())):
        raise BadInput(benchmark.name, "has no items: `splits` is a dict from name to items")
    splits = {
        split: _check_items(items, f"{benchmark.name}:{split}")
        for split, items in benchmark.splits.items()
    }
    is_same = all(splits[split] is items for split, items in benchmark.splits.items())
    return benchmark if is_same else replace(benchmark, splits=splits)


def _check_items(items: Any, label: str) -> Items:
    """Check the items of a split; the same object is returned if nothing is to be converted."""
    if not isinstance(items, list | tuple):
        raise BadInput(label, f"is of type {type(items).__name__}, must be a tuple of Items")
    ids: set[str] = set()
    converted = []
    for item in items:
        if not isinstance(item, Item):
            raise BadInput(label, f"contains {type(item).__name__}, must contain Items")
        converted.append(_check_item(item, label))
        if item.id in ids:
            raise _item_error(label, item, "is the id of several items")
        ids.add(item.id)
    if isinstance(items, tuple) and all(map(operator.is_, items, converted)):
        return items
    return tuple(converted)


def _check_item(item: Item, label: str) -> Item:
    """Check one item; choices in a list become a tuple, whole numbers of NumPy an `int`."""
    if not isinstance(item.id, str):
        raise _item_error(label, item, "is not text", "id")
    texts = item.fields.values() if isinstance(item.fields, Mapping) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise _item_error(label, item, "must be a dict from name to text", "fields")
    if not isinstance(item.choices, list | tuple) or not item.choices:
        raise _item_error(label, item, "has no choices", "choices")
    if not all(isinstance(choice, str) for choice in item.choices):
        raise _item_error(label, item, "must be texts", "choices")
    answer = item.answer
    if answer is not None:
        if isinstance(answer, bool) or not isinstance(answer, Integral):
            raise _item_error(label, item, f"is {answer!r:.60}, must be an index", "answer")
        if not 0 <= answer < len(item.choices):
            message = f"is {answer}, out of range for {len(item.choices)} choices (the first is 0)"
            raise _item_error(label, item, message, "answer")
    if isinstance(item.choices, tuple) and (answer is None or type(answer) is int):
        return item
    return replace(
        item, choices=tuple(item.choices), answer=None if answer is None else int(answer)
    )


def _item_error(label: str, item: Item, message: str, field: str | None = None) -> BadInput:
    return BadInput(label, message, field=": ".join(filter(None, (truncate(str(item.id)), field))))
