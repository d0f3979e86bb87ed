"""McNemar's exact test: of the items only one of two systems gets right, which gets more?

McNemar 1947, with the exact binomial p: under the null each such item is either's with
probability 1/2. Only for single runs scored 0 or 1; elsewhere see `randomisation`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .binomial import binomial_p


def mcnemar_test(first: ArrayLike, second: ArrayLike) -> tuple[int, int, float]:
    """Items only the one, only the other gets right, and the two-sided p."""
    a, b = np.asarray(first, bool), np.asarray(second, bool)
    only_first, only_second = int((a & ~b).sum()), int((b & ~a).sum())
    return only_first, only_second, float(binomial_p(only_first, only_first + only_second, 0.5))
