"""Orders of the choices of an item: rotations, all permutations, or a balanced random list.

An order is a tuple: at place j stands the choice `order[j]`. Number 0 of every kind is the
published order.

    rotation=k      place j has choice (j + k) mod m
    permutation=k   the k-th permutation, in lexicographic order; of more than four choices, which
                    have too many, the k-th rotation
    random=k        each m orders in a row have every choice once at every place; after m! orders,
                    every permutation has come once

Some items must keep their order: choices that refer to each other (`all of the above`), and numbers
in rising or falling order.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, pairwise, permutations
from typing import Literal, get_args

import numpy as np

from .errors import BadInput
from .text.choice_references import find_choice_references
from .types import ChoiceOrder, Item, Items, OrderKind

MAX_ALL = 4  # of more choices there are too many permutations to run them all
MIN_NUMBERS = 3  # two numbers are in rising or in falling order whatever the author did

Order = tuple[int, ...]
FixedReason = Literal["references", "numbers"]

_NUMBER = re.compile(r"[-+−]?(?:\d[\d,]*(?:\.\d+)?|(?<!\w)\.\d+)")
_COUNT = re.compile(r"\d{1,9}")


def plan_orders(setting: str, items: Items) -> tuple[ChoiceOrder, ...]:
    """Return the orders of `all`, `rotations` or a number of orders, the published one first.

    Items with fewer choices than others have fewer orders: further orders leave them out.
    """
    sizes = {len(item.choices) for item in items if not find_fixed_reason(item)} or {1}
    if setting == "all":
        counts = (_count_orders("permutation", size) for size in sizes)
        return _list_orders("permutation", max(counts))
    if setting == "rotations":
        return _list_orders("rotation", max(sizes))
    if not _COUNT.fullmatch(setting) or int(setting) < 1:
        raise BadInput("--orders", f"is {setting!r}: give all, rotations, or a number of orders")
    return _list_orders("random", min(int(setting), math.factorial(max(sizes))))


def _list_orders(kind: OrderKind, count: int) -> tuple[ChoiceOrder, ...]:
    return tuple(ChoiceOrder(kind, number) for number in range(count))


def parse_order(text: str) -> ChoiceOrder:
    """Parse `rotation=1`, `permutation=5` or `random=3`."""
    kind, _, number = text.partition("=")
    if kind not in get_args(OrderKind) or not _COUNT.fullmatch(number):
        message = "give an order as rotation=1, permutation=5 or random=3"
        raise BadInput("--views", f"{text!r} is not an order of the choices: {message}")
    return ChoiceOrder(kind, int(number))  # type: ignore[arg-type]


def find_order(order: ChoiceOrder | None, item: Item) -> Order | None:
    """Return the order in which an item is shown; None if it has fewer orders than that.

    Items that must keep their order are shown as published. `random` depends on the id of the item.
    """
    n_choices = len(item.choices)
    if order is None or order.number == 0 or find_fixed_reason(item):
        return tuple(range(n_choices))
    if order.number >= _count_orders(order.kind, n_choices):
        return None
    if order.kind == "random":
        return _find_random_order(item.id, n_choices, order.number)
    if order.kind == "permutation" and n_choices <= MAX_ALL:
        return next(islice(permutations(range(n_choices)), order.number, None))
    return tuple((place + order.number) % n_choices for place in range(n_choices))


def _count_orders(kind: OrderKind, n_choices: int) -> int:
    if kind == "rotation" or (kind == "permutation" and n_choices > MAX_ALL):
        return n_choices
    return math.factorial(n_choices)


def _find_random_order(id: str, n_choices: int, number: int) -> Order:
    """Return an order of a random list that begins with the published order.

    The item's cycle through its choices is drawn at random. A block of the list is a permutation
    that keeps choice 0 in its place, followed by the steps of the cycle.
    """
    seed = int.from_bytes(hashlib.sha256(id.encode("utf-8", "replace")).digest()[:8], "big")
    generator = np.random.default_rng(seed)
    cycle = generator.permutation(n_choices).tolist()
    block, step = divmod(number, n_choices)
    blocks: list[Order] = [tuple(range(n_choices))]
    while len(blocks) <= block:
        drawn = (0, *(1 + generator.permutation(n_choices - 1)).tolist())
        if drawn not in blocks:
            blocks.append(drawn)
    place_in_cycle = {choice: i for i, choice in enumerate(cycle)}
    return tuple(
        blocks[block][cycle[(place_in_cycle[place] + step) % n_choices]]
        for place in range(n_choices)
    )


def find_fixed_reason(item: Item) -> FixedReason | None:
    """Return why the choices of an item must keep their order; None if they need not."""
    return _find_reason(item.choices)


@lru_cache(maxsize=2**16)  # every order of an item asks
def _find_reason(choices: tuple[str, ...]) -> FixedReason | None:
    if find_choice_references(choices):
        return "references"
    return "numbers" if _are_sorted_numbers(choices) else None


def _are_sorted_numbers(choices: Sequence[str]) -> bool:
    """Tell whether choices differ in one number alone, which rises or falls along the list."""
    if len(choices) < MIN_NUMBERS:
        return False
    choices = [choice.strip() for choice in choices]
    matches = [_NUMBER.search(choice) for choice in choices]
    if not all(matches) or len({_NUMBER.sub("#", choice, count=1) for choice in choices}) > 1:
        return False
    numbers = [float(match[0].replace(",", "").replace("−", "-")) for match in matches if match]
    steps = {np.sign(later - former) for former, later in pairwise(numbers)}
    return steps in ({1.0}, {-1.0})


def count_fixed(items: Items) -> Counter[FixedReason]:
    """Count the items that keep their order, by reason."""
    return Counter(reason for item in items if (reason := find_fixed_reason(item)))
