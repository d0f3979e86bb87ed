"""A one-sided test of scores against guessing."""

from __future__ import annotations

from collections.abc import Sequence

from .binomial import Floats, binomial_sf
from .groups import group_count
from .randomisation import paired_randomisation_test


def p_above_chance(scores: Floats, guess: Floats, groups: Sequence[str | None]) -> float:
    """Return the one-sided p of scores, where `guess` is the expected credit of guessing per item.

    Guessing is not a system whose scores could be swapped with a model's, so the test is binomial
    where all scores are 0 or 1 and no items share a group. Elsewhere the paired randomisation test
    is used, which is conservative.
    """
    all_binary = {0.0, 1.0} >= {*scores.tolist()}
    if all_binary and group_count(groups) == scores.size:
        return float(binomial_sf(int(scores.sum()), scores.size, float(guess.mean())))
    return paired_randomisation_test(scores, guess, groups, alternative="greater").p
