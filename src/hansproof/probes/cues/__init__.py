"""Do single words or phrases of the choices give the answer away?

Niven and Kao 2019; Kavumba et al. 2019; Branco et al. 2021, appendix C.2. A cue applies to an item
when exactly one choice has it (applicability); productivity is how often that choice is right,
coverage how many items it applies to. Misleads on small splits, where no cue can be significant:
see the least applicability, and the aggregate strength.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import ClassVar

from ...checks import check
from ...cues.ceiling import NULLS, SUPPORT, Ceiling, cross_validate
from ...cues.counts import count, incidence, layout
from ...cues.strength import Strength, aggregate
from ...cues.tested import COLUMNS, Tested, corrected, least_applicability
from ...text import Tokenizer, tokenizer
from ...training.units import hanging_together, units
from ...types import Benchmark, Cell, Items, Result, Table
from .._splits import labelled, one_by_one
from .wording import sentence, together, verdict

SUMMARY = (
    "split", "n", "cues", "testable", "least_applicability", "telling", "eliminating", "ceiling_p",
)  # fmt: skip
BLIND_SPOT = (
    "Cues are words in the choices alone. That none is found does not show that the choices alone "
    "cannot be answered: models see more than words (Kavumba et al. 2019 fine-tuned one on COPA's "
    "alternatives alone to 59.6 %, where no cue is significant)."
)
STRENGTH = ("split", "order", "strength", "null_mean", "null_low", "null_high", "ratio", "p")


@dataclass(frozen=True, slots=True)
class Cues:
    """The cue statistics of every labelled split, and of all of them pooled."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it every labelled split and pooled
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "word"  # word, nltk or whitespace
    level: float = 0.05  # false-discovery rate at which a cue is flagged
    margin: float = 0.05  # accuracy that rules over cues must gain to be called exposed
    folds: int = 10  # of the cross-validation behind best_single_cue and cue_ceiling
    randomisations: int = 999  # of the null behind the aggregate cue strength
    seed: int = 0  # of folds and randomisations

    def __post_init__(self) -> None:
        check("ngram", self.ngram, 1)
        check("level", self.level, 1e-9, 1)
        check("margin", self.margin, 0, 1)
        check("folds", self.folds, 2)
        check("randomisations", self.randomisations, 1)
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Result:
        tokens = tokenizer(self.tokenizer)
        parts, notes = labelled(benchmark, self.split, pooled=True)
        tested = self._tested(parts, tokens)
        found = [self._part(name, parts[name], tested[name], len(parts)) for name in parts]
        return Result(
            probe="cues",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict=verdict(found, self.level, self.margin),
            sentence=sentence(found, self.level),
            p=together(found),
            estimates=tuple(e for p in found for e in (p.ceiling.single, p.ceiling.listed)),
            tables={
                "cues": Table(COLUMNS, tuple(row for part in found for row in part.rows)),
                "strength": Table(STRENGTH, tuple(row for part in found for row in part.weights())),
                "summary": Table(SUMMARY, tuple(part.summary() for part in found)),
            },
            evidence={key: ids for part in found for key, ids in part.evidence.items()},
            notes=(*notes, *one_by_one(parts), BLIND_SPOT),
        )

    def every(self, benchmark: Benchmark) -> dict[str, list[Cell]]:
        """Every cue, however rare, as columns: for a file, not for a result."""
        parts, _ = labelled(benchmark, self.split, pooled=True)
        rows: list[tuple[Cell, ...]] = []
        for name, tested in self._tested(parts, tokenizer(self.tokenizer)).items():
            rows.extend(tested.rows(name, tested.ranked(tested.applicability.size)))
        return {column: [row[c] for row in rows] for c, column in enumerate(COLUMNS)}

    def _tested(self, parts: dict[str, Items], tokens: Tokenizer) -> dict[str, Tested]:
        """The cues of every part, corrected together."""
        found = []
        for items in parts.values():
            where = layout(items)
            found.append(Tested.of(count(items, tokens, self.ngram, where), where, self.level))
        return dict(zip(parts, corrected(found, self.level), strict=True))

    def _part(self, name: str, items: Items, tested: Tested, parts: int) -> Part:
        where, counts = tested.where, tested.counts
        # enough randomisations for a p that can pass the correction for the number of parts
        nulls = min(self.randomisations, max(NULLS, math.ceil(parts / self.level)))
        rules, tied = incidence(counts, where, SUPPORT), units(items)
        return Part(
            name=name,
            n=len(items),
            chance=float(where.chance.mean()),
            cues=int((tested.applicability > 0).sum()),
            testable=int(tested.testable.sum()),
            least=least_applicability(where, self.level),
            strength=tuple(
                aggregate(items, tied, one, where, self.randomisations, self.seed) for one in counts
            ),
            ceiling=cross_validate(name, items, tied, rules, where, self.folds, nulls, self.seed),
            rows=tested.rows(name, tested.shown()),
            evidence=tested.evidence(name, items),
            least_q=float(min(tested.q[tested.testable], default=1.0)),
            many_copies=None not in hanging_together(items) and len(set(tied)) < len(items),
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
    least_q: float  # of single cues
    many_copies: bool  # so many that exact tests, which count items one by one, are too sure

    def flagged(self, kind: str) -> list[tuple[Cell, ...]]:
        """The rows of telling or of eliminating cues."""
        return [row for row in self.rows if row[-1] == kind]

    def weights(self) -> list[tuple[Cell, ...]]:
        """Rows of the strength table."""
        return [
            (self.name, order, s.value, s.null_mean, s.null_low, s.null_high, s.ratio(), s.p)
            for order, s in enumerate(self.strength, 1)
        ]

    def summary(self) -> tuple[Cell, ...]:
        """The row of the summary table."""
        return (
            self.name, self.n, self.cues, self.testable, self.least,
            len(self.flagged("telling")), len(self.flagged("eliminating")), self.ceiling.p,
        )  # fmt: skip
