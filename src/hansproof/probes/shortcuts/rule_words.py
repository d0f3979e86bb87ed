"""Rungs and rules in plain words."""

from __future__ import annotations

from ...cues.significance import ELIMINATING, TELLING
from ...rules.columns import FeatureColumns
from ...rules.confirm import TestedRule
from ...rules.phrases import finish_subject
from ...types import Table

# rungs as sentences name them, in order
RUNG_WORDS = {
    "typography": "length and typography",
    "place": "the place in the list",
    "words": "single words",
    "pairs": "pairs of words",
    "patterns": "word patterns and words at places",
    "word classes": "classes of words",
    "relations": "relations among the choices",
    "frequency": "how common the words are",
    "likelihood": "how likely a language model finds the choices",
    "encoder": "the meaning of the choices, as an encoder sees it",
}
# why a rung may not have been tried
UNTRIED_REASONS = {
    "place": "the order was drawn at random",
    "word classes": "too few English function words",
    "likelihood": "add --lm MODEL",
    "encoder": "add --encoder MODEL",
}


def describe_rule(rule: TestedRule, columns: FeatureColumns) -> str:
    """Describe the choice that a rule picks: `the only choice with “not”`."""
    return rule.rule.describe([columns.name(f) for f in rule.rule.features])


def rule_kind(rule: TestedRule) -> str:
    """Return whether the choice that a rule picks tends to be right or wrong."""
    return TELLING if rule.is_telling else ELIMINATING


def describe_hits(rule: str, right: int, n: int, kind: str) -> str:
    """Say how often the choice that a rule picks is right, or wrong if it is rather wrong."""
    if kind == ELIMINATING:
        return f"{finish_subject(rule)} is wrong in {n - right:,} of {n:,} items"
    return f"{finish_subject(rule)} is right in {right:,} of {n:,} items"


def list_rules(rules: Table) -> list[str]:
    """Return the rules of the table as sentences, each with its share and chance.

    The list is empty if the table has other columns than the probe writes.
    """
    records = [dict(zip(rules.columns, row, strict=False)) for row in rules.rows]
    sentences = []
    for record in records:
        match record:
            case {"rule": str(rule), "kind": str(kind), "right": int(right), "n": int(n),
                  "chance": float(chance)} if n > 0:  # fmt: skip
                share = right / n
                if kind == ELIMINATING:
                    share, chance = 1 - share, 1 - chance
                hits = describe_hits(rule, right, n, kind)
                sentences.append(
                    f"{hits[:1].upper()}{hits[1:]} ({share:.1%}; chance {chance:.1%})."
                )
            case _:
                return []
    return sentences
