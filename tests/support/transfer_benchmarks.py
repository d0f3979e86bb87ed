"""Benchmarks whose right choices have a cue: two share it, a third has another."""

from __future__ import annotations

import numpy as np

from hansproof.types import Benchmark, Item, Items

WORDS = [f"w{at}" for at in range(50)]


def items(prefix: str, cue: str, n: int, field: str, choices: int = 2) -> Items:
    """Random words; the right choice has the cue nine times of ten."""
    draw, made = np.random.default_rng(len(prefix)), []
    for at in range(n):
        texts = [" ".join(draw.choice(WORDS, 3)) for _ in range(choices)]
        answer = int(draw.integers(choices))
        marked = answer if draw.random() < 0.9 else int(draw.integers(choices))
        texts[marked] += f" {cue}"
        made.append(Item(f"{prefix}{at}", {field: f"why {at}"}, tuple(texts), answer))
    return tuple(made)


def planted(name: str, cue: str, field: str = "q", choices: int = 2) -> Benchmark:
    parts = {s: items(f"{name}-{s}-", cue, 80, field, choices) for s in ("train", "test")}
    return Benchmark(name, parts, {"train": "train", "test": "test"})


ONE, LIKE, OTHER = (
    planted("one", "indeed"),
    planted("like", "indeed", "goal", 4),
    planted("x", "so"),
)
