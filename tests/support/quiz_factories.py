"""Quizzes whose right choices are too long, and a writer who fits texts to lengths by machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from hansproof.types import Item, Items

WORDS = (
    "lamp", "river", "stone", "garden", "window", "paper", "winter", "castle", "button", "market",
    "silver", "pocket", "bridge", "candle", "orange", "kitchen", "mountain", "letter", "blanket",
    "engine", "feather", "harbour", "copper", "teacher", "village", "corner",
)  # fmt: skip
TOLERANCE = 0.06  # standard deviation of the logarithm of a written length


def uneven_quiz(
    seed: int, n: int, m: int = 4, share: float = 0.9, times: float = 2.0, marked: float = 0.0
) -> Items:
    """Items in which the right choice is so many times as long in a share of them.

    `marked`: the share of right choices that end with a full stop, which few others do.
    """
    rng = np.random.default_rng(seed)
    items = []
    for i in range(n):
        answer = int(rng.integers(m))
        lengths = rng.uniform(25, 45, m)
        if rng.random() < share:
            lengths[answer] *= times
        texts = [write_text(length, rng) for length in lengths]
        stops = [rng.random() < (marked if k == answer else 0.1 * marked) for k in range(m)]
        choices = tuple(f"{t}." if stop else t for t, stop in zip(texts, stops, strict=True))
        items.append(Item(f"q{i}", {"question": f"Why {i}?"}, choices, answer))
    return tuple(items)


def write_text(length: float, rng: np.random.Generator) -> str:
    """Return words that together have about so many characters."""
    words = [str(rng.choice(WORDS))]
    while len(" ".join(words)) < length - 3:
        words.append(str(rng.choice(WORDS)))
    return " ".join(words)


def fill_lengths(rows: Iterable[Mapping[str, str]], seed: int = 0) -> list[dict[str, str]]:
    """Fill the rows of a worksheet that name a length; it is met about as well as people would."""
    rng = np.random.default_rng(seed)
    filled = []
    for row in rows:
        text = ""
        if row["target_characters"]:
            target = float(row["target_characters"]) * float(np.exp(rng.normal(0, TOLERANCE)))
            text = write_text(target, rng)
        filled.append({**row, "new_choice": text})
    return filled
