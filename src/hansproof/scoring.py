"""What a row of scores earns: 1 if the answer is ahead, its share of the tie if it is not alone.

An argmax would give every tie to whichever choice stands first, and so to the position of the
answers; a tie among t choices is worth 1/t to each of them, which is what guessing among them is.
"""

from __future__ import annotations

from collections.abc import Sequence


def expected_credit(scores: Sequence[float], answer: int) -> float:
    """1 for the answer ahead of all others, 1/t for one of t that are ahead, else 0."""
    best = max(scores)
    return 1 / scores.count(best) if scores[answer] == best else 0.0


def is_tied(scores: Sequence[float]) -> bool:
    """Whether more than one choice is ahead."""
    return scores.count(max(scores)) > 1
