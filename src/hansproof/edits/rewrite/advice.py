"""Says which choice of an item to rewrite, and how, so that a rule no longer gives it away."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules.features import Ints
from ...rules.phrases import negate_phrase
from ...rules.place import ORDINALS
from ...rules.portable import PortableRule
from ...rules.typography import RUNG as TYPOGRAPHY
from ...types import Item


def advise_length(lengths: Ints, targets: dict[int, int], choice: int) -> str:
    """Say how long a choice should become, and how it compares once all targets are reached."""
    now, target = int(lengths[choice]), targets[choice]
    verb = "Lengthen" if target > now else "Shorten"
    planned = [targets.get(i, int(length)) for i, length in enumerate(lengths)]
    rank, rank_before = _name_rank(planned, choice), _name_rank(lengths.tolist(), choice)
    effect = f"; it stays {rank}" if rank == rank_before else f", so that it is {rank}"
    return f"{verb} from {now} to about {target} characters{effect}."


def _name_rank(lengths: Sequence[int], choice: int) -> str:
    """Name a choice by its length: `the second longest choice`."""
    n_longer = sum(length > lengths[choice] for length in lengths)
    n_shorter = sum(length < lengths[choice] for length in lengths)
    if len(lengths) == 2:
        return "the shorter choice" if n_longer else "the longer choice"
    if n_shorter < n_longer:
        return f"the {_name_ordinal(n_shorter)}shortest choice"
    return f"the {_name_ordinal(n_longer)}longest choice"


def _name_ordinal(n_before: int) -> str:
    """Say how many others come before: `` for none, `second `, `third `."""
    if n_before < len(ORDINALS):
        return f"{ORDINALS[n_before]} " if n_before else ""
    n = n_before + 1
    ending = "th" if n // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending} "


def choose_choice(
    rule: PortableRule, item: Item, picked: int, is_relative: bool, wrong: int
) -> int:
    """Return the choice to rewrite; `wrong` is the wrong choice that is rewritten if any will do.

    Wrong choices are easier to rewrite, as they may say anything that is wrong. But nobody should
    put a doubled space into one, and of three choices, two with the word would leave it telling.
    """
    assert item.answer is not None
    if len(rule.features) > 1:
        return picked
    if not rule.is_telling:
        return item.answer if is_relative else picked
    is_removed = not is_relative and (len(item.choices) > 2 or rule.rungs == {TYPOGRAPHY})
    return picked if is_removed else wrong


def advise_rule(rule: PortableRule, item: Item, choice: int, picked: int, is_relative: bool) -> str:
    """Say how to rewrite the choice of `choose_choice`."""
    assert item.answer is not None
    if len(rule.features) > 1:
        return f"Rewrite it so that this no longer describes it: {rule.describe()}."
    (name,), right = rule.names, f"choice {item.answer + 1} (the right one)"
    if is_relative:
        rival = right if rule.is_telling else f"choice {picked + 1}"
        return f"Rewrite it so that it, and not {rival}, {name}."
    if choice == item.answer:
        return f"Rewrite it so that it {negate_phrase(name)}."
    if rule.is_telling:
        return f"Rewrite it so that it {name}, or {right} so that it {negate_phrase(name)}."
    return f"Rewrite it so that it {negate_phrase(name)}, or {right} so that it {name}."
