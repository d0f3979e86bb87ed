"""How many right answers are left when a few words are swapped for synonyms?

TextFooler with the thresholds of Branco et al. 2021: see `hansproof edit textfooler`. Items that
were wrong before are wrong after. Misleads where a synonym changes the answer: read the changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from ...attack.setting import Setting
from ...errors import BadInput
from ...predict import Trained
from ...types import Benchmark, Result, Table
from .._splits import tested
from .attacked import COLUMNS, Attacked
from .changes import CHANGES, SWAPS, changes, swaps

SHOWN = 50  # flipped items of a model whose texts are kept


@dataclass(frozen=True, slots=True)
class Robustness(Setting):
    """Accuracy before and after an attack, for every trained model that is given."""

    needs: ClassVar[tuple[str, ...]] = ("trained",)
    on_request: ClassVar[bool] = True  # of an audit: an attack takes its time

    def __call__(self, benchmark: Benchmark, trained: Sequence[Trained] = ()) -> Result:
        if not trained:
            raise BadInput("--trained", "this probe needs a model to attack: kept:FOLDER, or bow")
        means = self.means()
        parts = {s: self.drawn(items) for s, items in tested(benchmark, self.split).items()}
        found = [
            Attacked(split, one.name, items, self.run(items, one.model.score, one.key, means))
            for split, items in parts.items()
            for one in trained
        ]
        told = any(one.drop_interval()[0] > 0 or one.untested() for one in found)
        return Result(
            "robustness",
            {**asdict(self)},
            "caution" if told else "clear",
            " ".join(one.sentence() for one in found),
            tuple(estimate for one in found for estimate in one.estimates(len(found) > 1)),
            {
                "attacks": Table(COLUMNS, tuple(one.row() for one in found)),
                "changes": Table(CHANGES, tuple(r for one in found for r in changes(one, SHOWN))),
                "swaps": Table(SWAPS, swaps(found)),
                "skipped": Table(("model", "reason", "items"), _skipped(found)),
            },
            {f"{one.split}, {one.name}": ids for one in found if (ids := one.flipped_ids())},
            (
                *self.told(means),
                *_learnt(trained, found),
                *(n for one in found for n in one.notes()),
            ),
        )


def _learnt(trained: Sequence[Trained], found: Sequence[Attacked]) -> list[str]:
    """Which of the items a model had learnt from."""
    attacked = {item.id for one in found for item in one.items}
    known = [(one.name, len(attacked & one.learnt)) for one in trained]
    return [f"{name} was trained on {n} of the items attacked." for name, n in known if n]


def _skipped(found: Sequence[Attacked]) -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (one.name, reason, count) for one in found for reason, count in one.reasons().items()
    )
