"""Rules in plain words."""

from __future__ import annotations

from ...rules.columns import FeatureColumns
from ...rules.confirm import TestedRule

# rungs as sentences name them
RUNG_WORDS = {
    "typography": "length and typography",
    "place": "the place in the list",
    "words": "single words",
    "pairs": "pairs of words",
    "patterns": "word patterns and words at places",
    "word classes": "classes of words",
    "relations": "relations among the choices",
    "frequency": "how common the words are",
    "likelihood": "the likelihood under a language model",
    "encoder": "the meaning by an encoder",
}


def describe_rule(rule: TestedRule, columns: FeatureColumns) -> str:
    """Describe the choice that a rule picks: `the only choice that has “not”`."""
    description = rule.rule.describe([columns.name(f) for f in rule.rule.features])
    opening = "the choice" if description.startswith("is the ") else "the only choice"
    return f"{opening} that {description}"
