"""Do single words or phrases of the choices give the answer away?

Niven and Kao 2019; Kavumba et al. 2019; Branco et al. 2021, appendix C.2. A cue applies to an item
when exactly one choice has it (applicability); productivity is how often that choice is right,
coverage how many items it applies to. Misleads on small splits, where no cue can be significant:
see the least applicability, and the aggregate strength.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...text import Tokenizer, tokenizer
from ...types import Benchmark, Cell, Estimate, Items, Params, Result, Table
from .._splits import labelled
from .ceiling import SUPPORT, Ceiling, cross_validate
from .counts import count, incidence, layout
from .strength import Strength, aggregate
from .tested import COLUMNS, Tested, least_applicability
from .wording import sentence, verdict

SUMMARY = (
    "split", "n", "cues", "testable", "least_applicability", "telling", "eliminating", "ceiling_p",
)  # fmt: skip
BLIND_SPOT = (
    "Cues are words in the choices alone. That none is found does not show that the choices alone "
    "cannot be answered: models see more than words (Kavumba et al. 2019 fine-tuned one on COPA's "
    "alternatives alone to 59.6 %, where no cue is significant)."
)
STRENGTH = ("split", "order", "strength", "null_mean", "null_low", "null_high", "p")


@dataclass(frozen=True, slots=True)
class Cues:
    """The cue statistics of every labelled split, and of all of them pooled."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it every labelled split and pooled
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "word"  # word, nltk or whitespace
    level: float = 0.05  # false-discovery rate at which a cue is flagged
    folds: int = 10  # of the cross-validation behind best_single_cue and cue_ceiling
    randomisations: int = 999  # of the null behind the aggregate cue strength
    seed: int = 0  # of folds and randomisations

    def __call__(self, benchmark: Benchmark) -> Result:
        tokens = tokenizer(self.tokenizer)
        parts, notes = labelled(benchmark, self.split, pooled=True)
        found = [self._part(name, items, tokens) for name, items in parts.items()]
        return Result(
            probe="cues",
            params={**self._params(), "tokenizer": tokens.name},
            verdict=verdict(found, self.level),
            sentence=sentence(found, self.level),
            estimates=tuple(e for part in found for e in part.estimates()),
            tables={
                "cues": Table(COLUMNS, tuple(row for part in found for row in part.rows)),
                "strength": Table(STRENGTH, tuple(row for part in found for row in part.weights())),
                "summary": Table(SUMMARY, tuple(part.summary() for part in found)),
            },
            evidence={key: ids for part in found for key, ids in part.evidence.items()},
            notes=(*notes, BLIND_SPOT),
        )

    def every(self, benchmark: Benchmark) -> dict[str, list[Cell]]:
        """Every cue, however rare, as columns: for a file, not for a result."""
        tokens = tokenizer(self.tokenizer)
        rows: list[tuple[Cell, ...]] = []
        for name, items in labelled(benchmark, self.split, pooled=True)[0].items():
            where = layout(items)
            tested = Tested.of(count(items, tokens, self.ngram, where), where, self.level)
            rows.extend(tested.rows(name, tested.ranked(tested.applicability.size)))
        return {column: [row[c] for row in rows] for c, column in enumerate(COLUMNS)}

    def _params(self) -> Params:
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "needs"}

    def _part(self, name: str, items: Items, tokens: Tokenizer) -> Part:
        where = layout(items)
        counts = count(items, tokens, self.ngram, where)
        tested = Tested.of(counts, where, self.level)
        rules = incidence(counts, where, SUPPORT)
        return Part(
            name=name,
            n=len(items),
            chance=float(where.chance.mean()),
            cues=int((tested.applicability > 0).sum()),
            testable=int(tested.testable.sum()),
            least=least_applicability(float(where.chance.mean()), self.level),
            strength=tuple(
                # what applies once adds the same under every null
                aggregate(items, incidence([c], where, 2), where, self.randomisations, self.seed)
                for c in counts
            ),
            ceiling=cross_validate(
                name, items, rules, where, self.folds, self.randomisations, self.seed
            ),
            rows=tested.rows(name, tested.shown()),
            evidence=tested.evidence(name, items, where),
        )


@dataclass(frozen=True, slots=True)
class Part:
    """What was found in one split."""

    name: str
    n: int
    chance: float
    cues: int
    testable: int
    least: int
    strength: tuple[Strength, ...]  # by order
    ceiling: Ceiling
    rows: tuple[tuple[Cell, ...], ...]
    evidence: dict[str, tuple[str, ...]]

    def flagged(self, kind: str) -> list[tuple[Cell, ...]]:
        """The rows of telling or of eliminating cues."""
        return [row for row in self.rows if row[-1] == kind]

    def estimates(self) -> tuple[Estimate, ...]:
        """The accuracies, and the strength as a multiple of what chance gives."""
        times = [
            # the interval is the width of the null
            Estimate(f"{self.name}: strength of {order}-grams", *s.ratio(), n=self.n, chance=1.0)
            for order, s in enumerate(self.strength, 1)
        ]
        return self.ceiling.single, self.ceiling.listed, *times

    def weights(self) -> list[tuple[Cell, ...]]:
        """Rows of the strength table."""
        return [
            (self.name, order, s.value, s.null_mean, s.null_low, s.null_high, s.p)
            for order, s in enumerate(self.strength, 1)
        ]

    def summary(self) -> tuple[Cell, ...]:
        """The row of the summary table."""
        return (
            self.name, self.n, self.cues, self.testable, self.least,
            len(self.flagged("telling")), len(self.flagged("eliminating")), self.ceiling.p,
        )  # fmt: skip
