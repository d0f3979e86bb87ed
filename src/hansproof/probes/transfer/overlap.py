"""Items that occur in two benchmarks, with the same texts and choices."""

from __future__ import annotations

from ...text.ngrams import normalise_text
from ...types import Item, Items


def shared_items(train_items: Items, items: Items) -> tuple[str, ...]:
    """Return the ids of items that also occur among the training items.

    Case, punctuation, the names of fields and the order of choices are ignored.
    """
    train_texts = {_normalised_texts(item) for item in train_items}
    return tuple(item.id for item in items if _normalised_texts(item) in train_texts)


def _normalised_texts(item: Item) -> tuple[tuple[str, ...], tuple[str, ...]]:
    fields = tuple(sorted(map(normalise_text, item.fields.values())))
    return fields, tuple(sorted(map(normalise_text, item.choices)))
