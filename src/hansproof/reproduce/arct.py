"""ARCT in the papers: the word *not*, and arguments that are there twice."""

from __future__ import annotations

from collections import defaultdict

from ..text import Tokenizer
from ..types import Item, Items
from .released import Released

SPLITS = {"train": ("train",), "validation": ("dev",), "test": ("test",)}
WORD = "not"


def items_of(released: Released, split: str) -> Items:
    splits = released.benchmark("arct").splits
    wanted = SPLITS.get(split, tuple(splits))  # all
    return tuple(item for name in wanted for item in splits[name])


def word(items: Items, tokens: Tokenizer, apart: bool = True) -> tuple[float, float]:
    """Productivity and coverage of the word, by the definition; or counted wherever it stands."""
    hits = applies = 0
    for item in items:
        where = [at for at, choice in enumerate(item.choices) if WORD in tokens.split(choice)]
        if len(where) == 1 or (where and not apart):
            applies += 1
            hits += item.answer in where
    return (hits / applies if applies else 0.0), applies / len(items)


def pairs(items: Items, *fields: str) -> dict[object, list[Item]]:
    """Items with the same fields and the same warrants, in whatever order."""
    found: dict[object, list[Item]] = defaultdict(list)
    for item in items:
        found[tuple(item.fields[name] for name in fields), frozenset(item.choices)].append(item)
    return found


def right(item: Item) -> str:
    return item.choices[item.answer or 0]


def opposite(items: Items) -> int:
    """How many pairs are alike but for the claim and have opposite answers; 0 unless all are so."""
    tied = pairs(items, "reason").values()
    whole = all(len(some) == len({right(item) for item in some}) == 2 for some in tied)
    return len(tied) if whole else 0
