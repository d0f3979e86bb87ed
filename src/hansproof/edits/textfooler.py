"""Replaces words by synonyms until a trained model no longer picks the right answer.

TextFooler (Jin et al. 2020) for any number of choices, with the thresholds of Branco et al. 2021:
words are tried in the order of their effect on the score, and each is replaced by the synonym that
lowers the score most, among those of similar meaning and the same part of speech. Items whose
answer does not flip are unchanged. That synonyms preserve the right answer is assumed, not checked:
read the changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from .._infra.plural import plural
from ..attack import AttackOutcome, apply_swaps
from ..attack.config import AttackConfig
from ..attack.outcomes import AttackState
from ..errors import BadInput
from ..sweeps import TrainedModel
from ..types import Benchmark, Cell, EditReport, EditResult, Item, Items, Table
from ._parts import replace_splits, select_labelled

STATES: tuple[AttackState, ...] = ("flipped", "held", "wrong", "skipped")
COLUMNS = ("split", "items", "attacked", *STATES)
SWAPS = ("item", "part", "from", "to", "cosine", "similarity")


@dataclass(frozen=True, slots=True)
class Textfooler(AttackConfig):
    """Keeps all items and replaces words in some of them; answers, ids and groups do not change."""

    needs: ClassVar[tuple[str, ...]] = ("trained",)

    def __call__(self, benchmark: Benchmark, trained: Sequence[TrainedModel] = ()) -> EditResult:
        if len(trained) != 1:
            raise BadInput("--trained", f"names {len(trained)} models; exactly one is needed")
        test = benchmark.roles.get("test")
        split = test if self.split is None and test in benchmark.labelled_splits() else self.split
        before = {
            name: self.select_items(items)
            for name, items in select_labelled(benchmark, split).items()
        }
        resources = self.load_resources()
        outcomes = {
            name: self.attack_items(items, trained[0].model.score, trained[0].key, resources)
            for name, items in before.items()
        }
        after = {
            name: tuple(
                _apply_outcome(item, split_outcomes.get(item.id)) for item in benchmark.splits[name]
            )
            for name, split_outcomes in outcomes.items()
        }
        return EditResult(
            replace_splits(benchmark, after),
            _build_report(before, outcomes, self.describe_differences(resources)),
        )


def _apply_outcome(item: Item, outcome: AttackOutcome | None) -> Item:
    if outcome is None or outcome.state != "flipped":
        return item
    swaps = "; ".join(f"{swap.part}: {swap.old} > {swap.new}" for swap in outcome.swaps)
    return replace(
        apply_swaps(item, outcome), meta={**item.meta, "edit": "textfooler", "swaps": swaps}
    )


def _build_report(
    before: Mapping[str, Items],
    outcomes: Mapping[str, Mapping[str, AttackOutcome]],
    differences: tuple[str, ...],
) -> EditReport:
    all_outcomes = [
        outcome for split_outcomes in outcomes.values() for outcome in split_outcomes.values()
    ]
    total_counts = Counter(outcome.state for outcome in all_outcomes)
    n_right = total_counts["flipped"] + total_counts["held"]
    rows: list[tuple[Cell, ...]] = []
    for name, split_outcomes in outcomes.items():
        state_counts = Counter(outcome.state for outcome in split_outcomes.values())
        n_attacked = state_counts["flipped"] + state_counts["held"]
        rows.append(
            (name, len(before[name]), n_attacked, *(state_counts[state] for state in STATES))
        )
    swaps = tuple(
        (outcome.id, swap.part, swap.old, swap.new, swap.cosine, swap.similarity)
        for outcome in all_outcomes
        for swap in outcome.swaps
    )
    reasons = Counter(outcome.reason for outcome in all_outcomes if outcome.state == "skipped")
    skipped = tuple(
        f"Skipped {plural(count, 'item')}: {reason}." for reason, count in reasons.items()
    )
    return EditReport(
        f"Replaced words in {total_counts['flipped']:,} of {plural(n_right, 'attacked item')}, "
        "which the model now answers wrongly.",
        tables={"splits": Table(COLUMNS, tuple(rows)), "swaps": Table(SWAPS, swaps)},
        notes=(*differences, *skipped),
    )
