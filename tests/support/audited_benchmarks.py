"""Audits of benchmarks of which it is known what is wrong with them."""

from __future__ import annotations

import random
from functools import cache

from hansproof import load
from hansproof.auditing import run_audit
from hansproof.types import Audit, Benchmark, Item, Items

WORDS = (
    "amber", "birch", "cedar", "dunes", "ember", "fjord", "grove", "heath", "inlet", "knoll",
    "lakes", "marsh", "north", "oasis", "pines", "quays", "ridge", "shore", "trail", "vales",
)  # fmt: skip
LONGEST_RIGHT = 0.92


def plain_items(n: int, seed: str, first_share: float = 0.5) -> Items:
    """Items with two choices of the same length, without any shortcut but their position."""
    rng = random.Random(seed)
    n_first = round(n * first_share)
    answers = [0] * n_first + [1] * (n - n_first)
    rng.shuffle(answers)
    items = []
    for i, answer in enumerate(answers):
        words = rng.sample(WORDS, 6)
        choices = (" ".join(words[:3]), " ".join(words[3:]))
        items.append(Item(f"{seed}-{i}", {"question": f"Which is {seed} {i}?"}, choices, answer))
    return tuple(items)


def long_answers(n: int = 200) -> Benchmark:
    """Quizzes as a machine writes them: the right choice is the longest in 92 %, and says why."""
    rng = random.Random("quiz")
    items = []
    for i in range(n):
        answer = rng.randrange(4)
        choices = [" ".join(rng.sample(WORDS, 4)) for _ in range(4)]
        longest = answer if i < LONGEST_RIGHT * n else (answer + 1) % 4
        choices[longest] += " because of the tides and winds"
        items.append(Item(str(i), {"question": f"What follows from {i}?"}, tuple(choices), answer))
    return Benchmark("quiz", {"all": tuple(items)})


def named_benchmarks() -> dict[str, Benchmark]:
    """One of each kind, by what is known of it."""
    return {
        "exposed": load("toy:original"),
        "clear": load("toy:balanced"),
        "undecided": Benchmark("few", {"all": plain_items(60, "few")}),
        "caution": Benchmark("uneven", {"all": plain_items(2000, "uneven", 0.545)}),
        "tiny": Benchmark("tiny", {"all": plain_items(3, "tiny")}),
        "longest": long_answers(),
        "splits": Benchmark(
            "parted", {name: plain_items(n, name) for name, n in (("dev", 50), ("test", 90))}
        ),
    }


@cache
def audited(kind: str) -> Audit:
    """The audit of such a benchmark, made once."""
    return run_audit(named_benchmarks()[kind])


KINDS = ("exposed", "clear", "undecided", "caution", "tiny", "longest", "splits")
