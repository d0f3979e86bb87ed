"""Describes the choice that a rule picks, from the names of its features.

A feature is named by what a choice with it is like: `is the longest`, `has “not”`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .._infra.join_names import join_names

SUPERLATIVE = re.compile(r"(is|has|shares) the |is (most|least) ")
PLAIN_SUPERLATIVE = re.compile(r"is the ((second )?\w+)")  # the longest, the second longest
NOT_WITHOUT = re.compile("has (the|no|exactly) ")  # phrases that `without` cannot negate
XOR_ENDING = ", but not both"


def describe_choice(phrases: Sequence[str], negated: Sequence[bool], is_xor: bool = False) -> str:
    """Describe the only choice that fits all phrases, or one of two: `the longest choice`.

    Negated phrases must not fit; the first phrase is never negated.
    """
    if is_xor:
        verb, _ = phrases[0].split(" ", 1)
        return f"the only choice that {phrases[0]} or {_drop_verb(phrases[1], verb)}{XOR_ENDING}"
    fitting = [phrase for phrase, is_not in zip(phrases, negated, strict=True) if not is_not]
    excluded = [phrase for phrase, is_not in zip(phrases, negated, strict=True) if is_not]
    head = next((phrase for phrase in fitting if SUPERLATIVE.match(phrase)), "")
    if head:
        fitting.remove(head)
        conditions = _join_conditions(fitting, excluded)
        return _name_superlative(head) + (f", if it {conditions}" if conditions else "")
    if all(phrase.startswith("has ") for phrase in phrases) and not any(
        NOT_WITHOUT.match(phrase) for phrase in excluded
    ):
        without = [f"without {_drop_verb(phrase, 'has')}" for phrase in excluded]
        parts = join_names([_drop_verb(phrase, "has") for phrase in fitting])
        return " but ".join([f"the only choice with {parts}", *without])
    return f"the only choice that {_join_conditions(fitting, excluded)}"


def negate_phrase(phrase: str) -> str:
    """Negate what a choice is like: `has “not”` becomes `does not have “not”`."""
    verb, predicate = phrase.split(" ", 1)
    if predicate.startswith("no "):
        return f"{verb} {'a ' if verb == 'has' else ''}{predicate.removeprefix('no ')}"
    if verb == "is":
        return f"is not {predicate}"
    if verb == "has":
        article = re.match(r"an? ", predicate)
        return f"has no {predicate[article.end() :]}" if article else f"does not have {predicate}"
    return f"does not {verb.removesuffix('s')} {predicate}"


def finish_subject(description: str) -> str:
    """Return a description as the subject of a sentence: a clause at its end needs a comma."""
    has_clause = ", if it " in description or description.endswith(XOR_ENDING)
    return f"{description}," if has_clause else description


def _name_superlative(phrase: str) -> str:
    plain = PLAIN_SUPERLATIVE.fullmatch(phrase)
    if plain:
        return f"the {plain[1]} choice"
    if phrase.startswith("is the odd one out"):
        return phrase.removeprefix("is ")
    if phrase.startswith("has "):
        return f"the choice with {_drop_verb(phrase, 'has')}"
    return f"the choice that {phrase}"


def _join_conditions(fitting: Sequence[str], excluded: Sequence[str]) -> str:
    """Join phrases after `that`: `has “a” and is the first, but does not have “b”`."""
    verbs = [phrase.split(" ", 1)[0] for phrase in fitting]
    parts = [_drop_verb(phrase, verbs[i - 1]) if i else phrase for i, phrase in enumerate(fitting)]
    joined = join_names(parts) if parts else ""
    for phrase in excluded:
        verb = verbs[-1] if verbs else ""
        is_same_verb = phrase.startswith(f"{verb} ") and not phrase.startswith(f"{verb} no ")
        negation = f"not {_drop_verb(phrase, verb)}" if is_same_verb else negate_phrase(phrase)
        joined = f"{joined} but {negation}" if joined else negation
    return joined


def _drop_verb(phrase: str, verb: str) -> str:
    """Return a phrase without its verb if that is the one before it."""
    return phrase.removeprefix(f"{verb} ")
