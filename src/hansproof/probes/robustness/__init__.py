"""How many right answers survive when a few words are replaced by synonyms?

TextFooler with the thresholds of Branco et al. 2021: see `hansproof edit textfooler`. Items that
were answered wrongly before the attack count as wrong after it. Misleads where a synonym changes
the right answer: read the changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from ...attack.config import AttackConfig
from ...errors import BadInput
from ...sweeps import TrainedModel
from ...types import Benchmark, Result, Subject, Table
from .._splits import evaluation_splits
from .attack_result import BEFORE, COLUMNS, AttackResult
from .changes import CHANGES, SWAPS, change_rows, swap_rows
from .verdict import decide_verdict, write_notes, write_summary

MAX_CHANGED_ITEMS = 50  # flipped items of a model whose texts are kept


@dataclass(frozen=True, slots=True)
class Robustness(AttackConfig):
    """Accuracy before and after an attack, for every trained model that is given."""

    needs: ClassVar[tuple[str, ...]] = ("trained",)
    subject: ClassVar[Subject] = "models"
    on_request: ClassVar[bool] = True  # an audit runs it only on request, as attacks are slow

    def __call__(self, benchmark: Benchmark, trained: Sequence[TrainedModel] = ()) -> Result:
        if not trained:
            raise BadInput(
                "--trained", "this probe needs a model to attack: give saved:FOLDER or bow"
            )
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
        with_names = len(results) > 1  # estimates then bear the names of model and split
        tested = next((result for result in results if not result.is_untested()), None)
        return Result(
            probe="robustness",
            params={**asdict(self)},
            verdict=decide_verdict(results),
            summary=write_summary(results),
            key=tested.build_estimate(BEFORE, with_names).name if tested else None,
            subject=self.subject,
            estimates=tuple(e for result in results for e in result.build_estimates(with_names)),
            tables=_build_tables(results),
            evidence={
                f"{result.split}, {result.name}": ids
                for result in results
                if (ids := result.flipped_ids())
            },
            notes=(*self.describe_differences(means), *write_notes(trained, results)),
        )


def _build_tables(results: Sequence[AttackResult]) -> dict[str, Table]:
    changes = (row for result in results for row in change_rows(result, MAX_CHANGED_ITEMS))
    return {
        "attacks": Table(COLUMNS, tuple(result.table_row() for result in results)),
        "changes": Table(CHANGES, tuple(changes)),
        "swaps": Table(SWAPS, swap_rows(results)),
        "skipped": Table(("model", "reason", "items"), _skipped_rows(results)),
    }


def _skipped_rows(results: Sequence[AttackResult]) -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (result.name, reason, count)
        for result in results
        for reason, count in result.skip_reasons().items()
    )
