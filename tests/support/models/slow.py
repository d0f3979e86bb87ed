"""A learner for tests of the store: sums in floats, a nap of some length, a count kept outside.

`$HANSPROOF_COUNTED` names a file that gets a byte for every time it is trained.
"""

from __future__ import annotations

import os
import time
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hansproof.types import Items

SIZE = 256


@dataclass(frozen=True, slots=True)
class Slow:
    """Ridge regression on random features of the texts; matrices so large that threads matter."""

    nap: float = 0.02  # seconds

    def fit(self, items: Items, select: Items, seed: int) -> Fitted:
        """Solve for the weights."""
        counted = os.environ.get("HANSPROOF_COUNTED")
        if counted:
            with open(counted, "ab", buffering=0) as file:
                file.write(b".")
        time.sleep(self.nap)
        x = np.concatenate([features(i.fields, choice) for i in items for choice in i.choices])
        y = np.array([at == item.answer for item in items for at in range(len(item.choices))])
        noise = np.random.default_rng(seed).standard_normal(len(y)) / 10
        weights = np.linalg.solve(x.T @ x + np.eye(SIZE), x.T @ (y + noise))
        return Fitted(weights)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights."""

    weights: NDArray[np.float64]

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """The products with them."""
        return [
            tuple(float((features(item.fields, c) @ self.weights)[0]) for c in item.choices)
            for item in items
        ]


def features(fields: dict[str, str], choice: str) -> NDArray[np.float64]:
    """A row of numbers that the texts determine."""
    text = "|".join([*fields.values(), choice])
    return np.random.default_rng(zlib.crc32(text.encode())).standard_normal((1, SIZE))
