"""What the reports on all ways to choose a subset have in common."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Table

SELECTION_NOTE = (
    "Items were selected by their answers, so finding nothing among those kept is not a "
    "test. Test them with a model without the question that was not used here."
)


def refer_to_items(count: int) -> str:
    """Return `these 60 items`, or `this item`."""
    return "this item" if count == 1 else f"these {count:,} items"


def items_table(before: Mapping[str, int], after: Mapping[str, int]) -> Table:
    """Return the number of items of each split, before and after."""
    rows = ((name, n, after.get(name, 0)) for name, n in before.items())
    return Table(("split", "before", "kept"), tuple(rows))
