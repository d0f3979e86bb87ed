"""A greedy attack by synonyms on items with any number of choices (TextFooler, Jin et al. 2020).

    >>> rules = Rules(word_cosine=0.9, sentence=0.9)
    >>> means = Means(candidates, tagger, meaning)
    >>> for outcome in attack(items, model.score, rules, means): ...

What the search for one item asks for is gathered over many items and answered in batches.
"""

from __future__ import annotations

from .batching import attack_all
from .outcomes import AttackOutcome, WordSwap, apply_swaps
from .rules import AttackResources, AttackRules

__all__ = [
    "AttackResources",
    "AttackOutcome",
    "AttackRules",
    "WordSwap",
    "attack_all",
    "apply_swaps",
]
