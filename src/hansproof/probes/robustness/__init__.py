"""How many right answers are left when a few words are swapped for synonyms?

TextFooler with the thresholds of Branco et al. 2021: see `hansproof edit textfooler`. Items that
were wrong before are wrong after. Misleads where a synonym changes the answer: read the changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from ...attack.config import AttackConfig
from ...errors import BadInput
from ...sweeps import TrainedModel
from ...types import Benchmark, Result, Table
from .._splits import evaluation_splits
from .attack_result import COLUMNS, AttackResult
from .changes import CHANGES, SWAPS, change_rows, swap_rows

MAX_CHANGED_ITEMS = 50  # flipped items of a model whose texts are kept


@dataclass(frozen=True, slots=True)
class Robustness(AttackConfig):
    """Accuracy before and after an attack, for every trained model that is given."""

    needs: ClassVar[tuple[str, ...]] = ("trained",)
    on_request: ClassVar[bool] = True  # of an audit: an attack takes its time

    def __call__(self, benchmark: Benchmark, trained: Sequence[TrainedModel] = ()) -> Result:
        if not trained:
            raise BadInput("--trained", "this probe needs a model to attack: kept:FOLDER, or bow")
        means = self.load_resources()
        parts = {
            s: self.select_items(items)
            for s, items in evaluation_splits(benchmark, self.split).items()
        }
        results = [
            AttackResult(
                split,
                trained_model.name,
                items,
                self.attack_items(items, trained_model.model.score, trained_model.key, means),
            )
            for split, items in parts.items()
            for trained_model in trained
        ]
        is_caution = any(
            result.drop_interval()[0] > 0 or result.is_untested() for result in results
        )
        return Result(
            "robustness",
            {**asdict(self)},
            "caution" if is_caution else "clear",
            " ".join(result.write_summary() for result in results),
            tuple(
                estimate
                for result in results
                for estimate in result.build_estimates(len(results) > 1)
            ),
            {
                "attacks": Table(COLUMNS, tuple(result.table_row() for result in results)),
                "changes": Table(
                    CHANGES,
                    tuple(r for result in results for r in change_rows(result, MAX_CHANGED_ITEMS)),
                ),
                "swaps": Table(SWAPS, swap_rows(results)),
                "skipped": Table(("model", "reason", "items"), _skipped_rows(results)),
            },
            {
                f"{result.split}, {result.name}": ids
                for result in results
                if (ids := result.flipped_ids())
            },
            (
                *self.describe_differences(means),
                *_training_overlap_notes(trained, results),
                *(n for result in results for n in result.write_notes()),
            ),
        )


def _training_overlap_notes(
    trained: Sequence[TrainedModel], results: Sequence[AttackResult]
) -> list[str]:
    """Which of the items a model had learnt from."""
    attacked = {item.id for result in results for item in result.items}
    overlaps = [
        (trained_model.name, len(attacked & trained_model.train_ids)) for trained_model in trained
    ]
    return [f"{name} was trained on {n} of the items attacked." for name, n in overlaps if n]


def _skipped_rows(results: Sequence[AttackResult]) -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (result.name, reason, count)
        for result in results
        for reason, count in result.skip_reasons().items()
    )
