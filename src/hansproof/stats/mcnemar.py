"""McNemar's exact test of two systems on the same items (McNemar 1947).

It counts the items that only one of them gets right; under the null each system has probability
1/2 to be that one. It applies to single runs scored 0 or 1; otherwise use `randomisation`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .binomial import binomial_p


def mcnemar_test(first: ArrayLike, second: ArrayLike) -> tuple[int, int, float]:
    """Return the items only the first, only the second system gets right, and the two-sided p."""
    a, b = np.asarray(first, bool), np.asarray(second, bool)
    only_first, only_second = int((a & ~b).sum()), int((b & ~a).sum())
    return only_first, only_second, float(binomial_p(only_first, only_first + only_second, 0.5))
