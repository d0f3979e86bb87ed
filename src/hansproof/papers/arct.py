"""ARCT in the papers: statistics of the word *not*, and mirrored arguments."""

from __future__ import annotations

from collections import defaultdict

from ..text.tokenizers import Tokenizer
from ..types import Item, Items
from .paper_data import PaperData

PAPER_SPLITS = {"train": ("train",), "validation": ("dev",), "test": ("test",)}
WORD = "not"


def select_items(data: PaperData, split: str) -> Items:
    """Return the items of a split by its name in the papers; all items for `all`."""
    splits = data.benchmark("arct").splits
    split_names = PAPER_SPLITS.get(split, tuple(splits))
    return tuple(item for name in split_names for item in splits[name])


def word_statistics(items: Items, tokens: Tokenizer, exclusive: bool = True) -> tuple[float, float]:
    """Compute productivity and coverage of the word.

    By definition the word applies to an item if exactly one choice contains it (`exclusive`); else
    it applies if any choice does.
    """
    hits = applies = 0
    for item in items:
        matching = [i for i, choice in enumerate(item.choices) if WORD in tokens.split(choice)]
        if len(matching) == 1 or (matching and not exclusive):
            applies += 1
            hits += item.answer in matching
    return (hits / applies if applies else 0.0), applies / len(items)


def group_pairs(items: Items, *fields: str) -> dict[object, list[Item]]:
    """Group items that have the same fields and the same warrants, in any order."""
    groups: dict[object, list[Item]] = defaultdict(list)
    for item in items:
        groups[tuple(item.fields[name] for name in fields), frozenset(item.choices)].append(item)
    return groups


def right_choice(item: Item) -> str:
    return item.choices[item.answer or 0]


def count_opposite_pairs(items: Items) -> int:
    """Count pairs that differ only in claim and answer; 0 unless all items are in such pairs."""
    groups = group_pairs(items, "reason").values()
    all_opposite = all(
        len(group) == len({right_choice(item) for item in group}) == 2 for group in groups
    )
    return len(groups) if all_opposite else 0
