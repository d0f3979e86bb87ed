"""McNemar's exact test: of the items only one of two systems gets right, which gets more?

McNemar 1947, with the exact binomial p: under the null each such item is either's with
probability 1/2. Only for single runs scored 0 or 1; elsewhere see `randomisation`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .binomial import binomial_p


def mcnemar(one: ArrayLike, other: ArrayLike) -> tuple[int, int, float]:
    """Items only the one, only the other gets right, and the two-sided p."""
    a, b = np.asarray(one, bool), np.asarray(other, bool)
    only_one, only_other = int((a & ~b).sum()), int((b & ~a).sum())
    return only_one, only_other, float(binomial_p(only_one, only_one + only_other, 0.5))
