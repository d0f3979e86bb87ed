"""Items of made-up words, some of which tell."""

from __future__ import annotations

import numpy as np

from hansproof.cues.significant_cues import SignificantCues
from hansproof.stats import group_numbers
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Item, Items


def some_items(seed: int, n: int, choices: tuple[int, ...], telling: float = 0.0) -> Items:
    """Choices of words from a small vocabulary; `telling`: how often `tell` is in the right one."""
    rng = np.random.default_rng(seed)
    words = [*"abcdefgh", *(f"rare{i}" for i in range(20))]
    items = []
    for at in range(n):
        m = int(rng.choice(choices))
        texts = [list(rng.choice(words, 3)) for _ in range(m)]
        answer = int(rng.integers(m))
        if telling and rng.random() < 0.7:
            right = rng.random() < telling
            others = [c for c in range(m) if c != answer]
            texts[answer if right else int(rng.choice(others))].append("tell")
        items.append(Item(f"{at}", {"q": f"why {at}"}, tuple(map(" ".join, texts)), answer))
    return tuple(items)


def significant_cues(items: Items) -> tuple[SignificantCues, np.ndarray]:
    """The cues of all items taken together, and the group of every item."""
    group = group_numbers([item.group for item in items])
    parts = {"all": np.arange(len(items))}
    return SignificantCues.from_ngrams(items, group, parts, get_tokenizer("word"), 2, 0.05), group
