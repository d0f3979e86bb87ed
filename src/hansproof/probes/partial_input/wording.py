"""What the views say, in a sentence, a verdict and notes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...stats import bootstrap_gap
from ...types import POOLED, Cell, Verdict
from .outcome import BLIND, COLUMNS, Outcome
from .parts import Part

SOLVABLE = (
    "Solvable blind is not solved blind: that items can be answered without the question does not "
    "show that a given model answers them so."
)
FLOOR = (
    "A bag of words is a floor. Models that know more may answer more without the question: the "
    "command predict runs them, and with --predictions they stand beside it."
)


def verdict(outcomes: Sequence[Outcome], level: float, margin: float) -> Verdict:
    """exposed: a blind model answers beyond chance, and enough; caution: beyond chance."""
    found = [o for o in outcomes if o.found(level)]
    if any(o.accuracy - o.chance >= margin for o in found):
        return "exposed"
    return "caution" if found else "clear"


def sentence(outcomes: Sequence[Outcome], rows: Sequence[tuple[Cell, ...]], level: float) -> str:
    """The strongest finding, how other splits compare, what the question adds."""
    found = [o for o in outcomes if o.found(level)]
    if not found:
        return _nothing(outcomes)
    best = max(found, key=_telling)
    said = (
        f"{_who(best)}, shown only {_seen(best)}, answers {best.accuracy:.1%} of {_where(best)} "
        f"(chance {best.chance:.1%}, corrected p = {best.q:.2g})."
    )
    return " ".join(filter(None, [said, _elsewhere(best, outcomes), _hans(best, outcomes, rows)]))


def _telling(outcome: Outcome) -> tuple[int, float]:
    """The less is shown, the more it says; then what is surely gained: the best of many is luck."""
    sure = (outcome.interval()[0] - outcome.chance) / (1 - outcome.chance)
    return -len(outcome.view.keep), sure


def notes(outcomes: Sequence[Outcome], where: Sequence[Part]) -> list[str]:
    """What is fixed before any model is asked, and how to read the rest."""
    views = dict.fromkeys(o.view_name for o in outcomes if o.is_fixed)
    fixed = [[o for o in outcomes if o.is_fixed and o.view_name == name] for name in views]
    few = [part.split for part in where if part.protocol == "cv" and part.where.size < 2]
    return [
        *map(_fixed, fixed),
        *map(_impossible, [o for o in outcomes if o.is_impossible and o.model != BLIND]),
        *_unjudged(outcomes),
        *map(_below, [o for o in outcomes if _is_below(o)]),
        *(f"{name}: too few items to learn from." for name in few),
        SOLVABLE,
        FLOOR,
    ]


def _impossible(outcome: Outcome) -> str:
    """Predictions that say they saw what nothing can be seen from."""
    return (
        f"{outcome.part}, {outcome.view_name} ({outcome.model}): {outcome.accuracy:.1%} cannot be "
        f"had from this view, which every ranker answers like chance ({outcome.chance:.1%}): it "
        "saw more than it says, or gave ties to a position."
    )


def _unjudged(outcomes: Sequence[Outcome]) -> list[str]:
    """Predictions that were cross-validated."""
    if not any(o.protocol == "cv" and o.model != BLIND for o in outcomes):
        return []
    return [
        "Cross-validated predictions are listed, not judged: their items share rankers, and a p "
        "that takes them for independent is too small."
    ]


def _is_below(outcome: Outcome) -> bool:
    below = outcome.interval()[1] < outcome.chance - 1e-9
    return outcome.is_blind and below and not outcome.is_fixed and not outcome.is_impossible


def _below(outcome: Outcome) -> str:
    """What was learnt is wrong of what is answered: a tell, too, read backwards."""
    return (
        f"{outcome.part}, {outcome.view_name} ({outcome.model}): {outcome.accuracy:.1%} is below "
        f"chance ({outcome.chance:.1%}). What is right in the items learnt from is wrong in these, "
        "as where they share choices with other answers: who knows that can use it."
    )


def _fixed(outcomes: list[Outcome]) -> str:
    """Why a view scores what it does, whoever looks at it."""
    parts = {o.split: o for o in reversed(outcomes)}.values()  # cross-validated or not: the same
    if "choices" not in outcomes[0].view.keep:
        first = {
            o.split: f"{float(np.mean([item.answer == 0 for item in o.items])):.3f} ({o.split})"
            for o in parts
        }
        return (
            f"{outcomes[0].view_name}: no choices are shown, so all scores tie, and a tie of m is "
            f"worth 1/m. An argmax that takes the first would have printed the frequency of label "
            f"0, as some published tables do: {', '.join(first.values())}."
        )
    listed = ", ".join(
        f"{o.split} ({o.bound.copies} of {len(o.items)} items, {o.bound.alike} inputs)"
        for o in parts
    )
    return (
        f"{outcomes[0].view_name}: {outcomes[0].chance:.3f} by construction, not a finding, in "
        f"{listed}: every input stands with each answer equally often (label-inverted duplicates), "
        "so whatever a ranker picks is right as often as guessing."
    )


def between_splits(outcomes: Sequence[Outcome], seed: int) -> tuple[tuple[Cell, ...], ...]:
    """How much less is answered in each other split than in the first, view by view."""
    rows: list[tuple[Cell, ...]] = []
    for one in outcomes:
        others = [o for o in outcomes if _comparable(one, o)]
        if others and others[0] is one and one.is_blind and not one.is_fixed:
            for other in others[1:]:
                scores = np.concatenate([one.scores, other.scores])
                mark = np.arange(scores.size) < len(one.items)
                low, high = bootstrap_gap(scores, mark, [*one.units, *other.units], seed=seed)
                difference = one.accuracy - other.accuracy
                about = (one.view_name, one.model, one.split, other.split)
                rows.append((*about, difference, low, high))
    return tuple(rows)


def _comparable(one: Outcome, other: Outcome) -> bool:
    same = (one.view_name, one.model) == (other.view_name, other.model)
    return same and other.protocol == "cv" == one.protocol and other.split != POOLED != one.split


def _nothing(outcomes: Sequence[Outcome]) -> str:
    judged = [o for o in outcomes if o.q is not None]
    if not judged:
        fixed = any(o.is_fixed and "choices" in o.view.keep for o in outcomes)
        if fixed:
            return "Without the question every ranker scores chance, by construction of the items."
        return "There was nothing to learn blind answers from."
    pooled = next((o for o in judged if o.split == POOLED), judged[0])
    return (
        f"Without the question nothing is answered beyond chance: {_who(pooled)[0].lower()}"
        f"{_who(pooled)[1:]}, shown only {_seen(pooled)}, answers {pooled.accuracy:.1%} of "
        f"{_where(pooled)} (chance {pooled.chance:.1%})."
    )


def _who(outcome: Outcome) -> str:
    return "A bag of words" if outcome.model == BLIND else f"The model {outcome.model}"


def _seen(outcome: Outcome) -> str:
    if outcome.view.donor:
        return f"{outcome.view_name.partition('/')[0]} with fields of other items"
    return f"the {' and '.join(outcome.view.keep)}" + (
        "" if outcome.view.contrast else ", one by one"
    )


def _where(outcome: Outcome) -> str:
    if outcome.protocol == "train-test":
        return f"{outcome.split} after learning from {outcome.trained_on}"
    return "all splits pooled" if outcome.split == POOLED else outcome.split


def _elsewhere(best: Outcome, outcomes: Sequence[Outcome]) -> str:
    """The same model and view on other splits, so that none is pooled away."""
    others = [
        o
        for o in outcomes
        if (o.model, o.view_name) == (best.model, best.view_name) and o is not best
        and POOLED not in (o.split, best.split)
    ]  # fmt: skip
    said = [f"{o.accuracy:.1%} of {_where(o)}" for o in others]
    if not said:
        return ""
    return f"Elsewhere {', '.join(said[:-1]) + ' and ' if said[1:] else ''}{said[-1]}."


def _hans(best: Outcome, outcomes: Sequence[Outcome], rows: Sequence[tuple[Cell, ...]]) -> str:
    row = dict(zip(COLUMNS, rows[[*outcomes].index(best)], strict=True))
    if row["hans"] is None:
        return ""
    score, low, high = (row[name] for name in ("hans", "hans_low", "hans_high"))
    ends = "" if low is None or high is None else f" ({float(low):.0%} to {float(high):.0%})"
    if float(score or 0) >= 1:
        return (
            "All that it gains over guessing with the full input needs no question: Hans score "
            f"{float(score or 0):.0%}{ends}."
        )
    return (
        f"Of what it gains over guessing with the full input, {float(score or 0):.0%}{ends} needs "
        "no question."
    )
