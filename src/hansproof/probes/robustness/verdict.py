"""The verdict, the summary and the notes on attacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from ..._infra.plural import plural
from ...sweeps import TrainedModel
from ...types import Verdict
from .attack_result import AttackResult


def decide_verdict(results: Sequence[AttackResult]) -> Verdict:
    """Return caution if a model loses accuracy beyond chance; skipped if nothing could be tried."""
    tested = [result for result in results if not result.is_untested()]
    if not tested:
        return "skipped"
    return "caution" if any(result.drop_interval()[0] > 0 for result in tested) else "clear"


def write_summary(results: Sequence[AttackResult]) -> str:
    """Describe what each model loses, in one sentence per model and split."""
    sentences = " ".join(map(_describe_loss, results))
    is_skipped = all(result.is_untested() for result in results)
    return f"Skipped: nothing could be attacked. {sentences}" if is_skipped else sentences


def _describe_loss(result: AttackResult) -> str:
    name, split, tried, flipped = (
        result.name,
        result.split,
        result.attacked_outcomes,
        result.flipped_outcomes,
    )
    if not tried:
        return f"{name} answers no item of {split} correctly that could be attacked."
    if result.is_untested():
        return (
            f"No word has a close enough synonym in the items of {split} that {name} answers "
            "correctly."
        )
    n_words = fmean(len(outcome.swaps) for outcome in flipped) if flipped else 0
    swap_phrase = f" with {n_words:.1f} words replaced on average" if flipped else ""
    before, after = fmean(result.credits_before()), fmean(result.credits_after())
    change = f"falls from {before:.1%} to {after:.1%}" if flipped else f"stays at {before:.1%}"
    return (
        f"{name} loses {len(flipped)} of {plural(len(tried), 'right answer')} attacked on "
        f"{split}{swap_phrase}: accuracy {change}."
    )


def write_notes(trained: Sequence[TrainedModel], results: Sequence[AttackResult]) -> Iterator[str]:
    """Yield notes on items that a model was trained on, and on items that were not attacked."""
    attacked = {item.id for result in results for item in result.items}
    for trained_model in trained:
        n_shared = len(attacked & trained_model.train_ids)
        if n_shared:
            yield f"{trained_model.name} was trained on {n_shared} of the attacked items."
    for result in results:
        yield from _unattacked_notes(result)


def _unattacked_notes(result: AttackResult) -> Iterator[str]:
    location = f"{result.name} on {result.split}"
    for reason, n in result.skip_reasons().items():
        yield f"{location}: {plural(n, 'item')} skipped: {reason}."
    n_untried = sum(outcome.reason != "" for outcome in result.outcomes_in("held"))
    if n_untried:
        items = plural(n_untried, "item")
        yield f"{location}: {items} unchanged because no word has a close enough synonym."
    n_wrong = len(result.outcomes_in("wrong"))
    if n_wrong:
        yield f"{location}: {plural(n_wrong, 'item')} not attacked, as the answer was wrong before."
