"""A benchmark of made-up words, some of whose questions occur in a scanned text."""

from __future__ import annotations

import numpy as np

from hansproof.types import Benchmark, Item

from .scan_factories import scan_of

WORDS = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("abo", "emi", "ilo", "onu")]


def items(count: int) -> tuple[Item, ...]:
    rng = np.random.default_rng(1)
    return tuple(
        Item(
            f"q{at}",
            {"question": " ".join(rng.choice(WORDS, 12)) if at % 10 else "why"},
            tuple(" ".join(rng.choice(WORDS, 3)) for _ in range(2)),
            int(rng.integers(2)),
        )
        for at in range(count)
    )


BENCHMARK = Benchmark("made", {"test": items(200)})
DIRTY = [item for at, item in enumerate(BENCHMARK.splits["test"]) if at % 10 and at % 4 == 0]
SCANS = [
    ("found.json", scan_of(BENCHMARK, *(f"so: {item.fields['question']} yes" for item in DIRTY)))
]
