"""A greedy attack by synonyms on items with any number of choices (TextFooler, Jin et al. 2020).

    >>> rules = AttackRules(word_cosine=0.9, min_similarity=0.9)
    >>> resources = AttackResources(candidates, tagger, encoder)
    >>> for outcome in attack_all(items, model.score, rules, resources): ...

Scores, tags and similarities that many searches need are computed in batches.
"""

from __future__ import annotations

from .batching import attack_all
from .outcomes import AttackOutcome, WordSwap, apply_swaps
from .rules import AttackResources, AttackRules

__all__ = [
    "AttackOutcome",
    "AttackResources",
    "AttackRules",
    "WordSwap",
    "apply_swaps",
    "attack_all",
]
