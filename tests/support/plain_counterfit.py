"""Counter-fitting as it was published: word by word and pair by pair, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations

Row = list[float]
Pair = tuple[str, str]
Rows = dict[str, Row]


def product(a: Row, b: Row) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def normal(row: Row) -> Row:
    length = math.sqrt(product(row, row))
    return [x / length for x in row]


def both_ways(pairs: Iterable[Pair]) -> list[Pair]:
    return [way for one, other in pairs for way in ((one, other), (other, one))]


def distance(rows: Rows, one: str, other: str) -> float:
    return 1 - product(rows[one], rows[other])


def slope(u: Row, v: Row) -> Row:
    """How the distance of two unit vectors grows with the first."""
    along = product(u, v)
    return [x * along - y for x, y in zip(u, v, strict=True)]


def counterfitted(vectors: Rows, synonyms: set[Pair], antonyms: set[Pair], steps: int = 20) -> Rows:
    """The published procedure with its published numbers, neighbours as in the paper."""
    rows = {word: normal(row) for word, row in vectors.items()}
    apart = both_ways(antonyms)
    together = [pair for pair in both_ways(synonyms) if pair not in apart]
    near = {
        pair: distance(rows, *pair)
        for pair in both_ways(combinations(vectors, 2))
        if distance(rows, *pair) <= 0.2 and pair not in apart
    }
    for _ in range(steps):
        rows = stepped(rows, together, apart, near)
    return rows


def stepped(rows: Rows, together: list[Pair], apart: list[Pair], near: dict[Pair, float]) -> Rows:
    """All words moved once, each by the mean of what its pairs ask for."""
    wanted: dict[str, list[Row]] = {}

    def ask(one: str, other: str, weight: float) -> None:
        asked = [weight * x for x in slope(rows[one], rows[other])]
        wanted.setdefault(one, []).append(asked)

    for pair in apart:
        if distance(rows, *pair) < 1.0:
            ask(*pair, 0.1)
    for pair in together:
        if distance(rows, *pair) > 0.0:
            ask(*pair, -0.1)
    for pair, before in near.items():
        if before < distance(rows, *pair) - 1e-12:
            ask(*pair, -0.1)
    moved = dict(rows)
    for word, asked in wanted.items():
        mean = [sum(column) / len(asked) for column in zip(*asked, strict=True)]
        moved[word] = normal([x + m for x, m in zip(rows[word], mean, strict=True)])
    return moved
