"""Which items stood in the training text, and do models do better on these?

Branco et al. 2021 after GPT-3: an item is dirty if an N-gram of it stands in the text. Here one
that many items share, or that is common in other text, is not enough, and an item too short to be
searched for is not clean. Misleads where the text is only part of what a model was trained on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal, get_args

from ...checks import check, check_one
from ...contamination.levels import ANSWER, COMMON, DIRTY, NEAR, SHORT, Finding, Rules, Scan
from ...contamination.levels import findings as all_findings
from ...errors import BadInput
from ...stats import holm, mean_interval
from ...types import Benchmark, Estimate, Predictions, Result, Table, Verdict
from .._systems import systems
from .._words import many
from .scores import COLUMNS as SCORES
from .scores import Gap, gap
from .tables import (
    CORPORA,
    ITEMS,
    LEVELS,
    SHARED,
    UNREAD,
    VARIANTS,
    corpora,
    items,
    levels,
    order,
    shared,
    unread,
    variants,
)

Dirty = Literal["match", "any"]
MUCH = 0.01  # of the items, matched with their answers: more than a few leaks


@dataclass(frozen=True, slots=True)
class Contamination:
    """Levels of all items by what scans found, and accuracy on clean and dirty ones."""

    needs: ClassVar[tuple[str, ...]] = ("scans",)
    uses: ClassVar[tuple[str, ...]] = ("reference", "predictions")

    dirty: Dirty = "match"  # or any: every item of which an N-gram was found, as in the paper
    often: int = 10  # an N-gram that stands in the text more often, alone, is a common phrase
    template: int = 3  # an N-gram that so many items have is a template; a group counts once
    expected: float = 1.0  # so is one that a reference leads one to expect so often
    near: float = 0.3  # share of an item's shingles in a passage that makes a near-duplicate
    level: float = 0.05  # of the tests of accuracy, Holm-corrected
    randomisations: int = 100_000  # where no exact p can be had
    seed: int = 0  # of bootstrap and randomisations

    def __post_init__(self) -> None:
        check_one("dirty", self.dirty, get_args(Dirty))
        check("often", self.often, 1)
        check("template", self.template, 2)
        check("expected", self.expected, 0)
        check("near", self.near, 0, 1)
        check("level", self.level, 0, 1)
        check("randomisations", self.randomisations, 1)
        check("seed", self.seed, 0)

    def __call__(
        self,
        benchmark: Benchmark,
        scans: Sequence[Scan] = (),
        reference: Sequence[Scan] = (),
        predictions: Sequence[Predictions] = (),
    ) -> Result:
        if not scans:
            raise BadInput("--scans", "this probe needs what `hansproof scan` found: give it files")
        rules = Rules(self.often, self.template, self.expected, self.near)
        found = all_findings(benchmark, scans, reference, rules)
        gaps = self._gaps(benchmark, found, predictions)
        tested = [one for one in gaps if one.tested is not None]
        q = dict(zip(tested, holm([one.p for one in tested]).tolist(), strict=True))
        return Result(
            probe="contamination",
            params=asdict(self),
            verdict=_verdict(found, scans),
            sentence=_sentence(found, [one for one in tested if q[one] <= self.level]),
            estimates=(
                *(_share(split, some) for split, some in found.items()),
                *(one.estimate() for one in gaps if one.both),
            ),
            tables={
                "levels": Table(LEVELS, levels(found)),
                "items": Table(ITEMS, items(found)),
                "variants": Table(VARIANTS, variants(found, rules)),
                "scores": Table(SCORES, tuple(one.row(q.get(one)) for one in gaps)),
                "shared": Table(SHARED, shared(scans)),
                "corpora": Table(CORPORA, corpora(scans, reference)),
                "unread": Table(UNREAD, unread(scans)),
            },
            evidence=_evidence(found),
            notes=tuple(self._notes(benchmark, found, scans, reference)),
        )

    def _gaps(
        self,
        benchmark: Benchmark,
        found: dict[str, list[Finding]],
        predictions: Sequence[Predictions],
    ) -> list[Gap]:
        """What every system earns on clean and on dirty items."""
        if not predictions:
            return []
        levels = (*DIRTY, COMMON) if self.dirty == "any" else DIRTY
        return [
            gap(system, found[system.split], levels, self.randomisations, self.seed)
            for system in systems(benchmark, predictions)
            if system.split in found
        ]

    def _notes(
        self,
        benchmark: Benchmark,
        found: dict[str, list[Finding]],
        scans: Sequence[Scan],
        reference: Sequence[Scan],
    ) -> Iterator[str]:
        for split in benchmark.splits:
            if split not in found:
                yield f"{split}: was not scanned for."
        if not reference:
            yield (
                "No reference: whether an N-gram is common elsewhere is not known. Scan text that "
                "cannot hold the items with the same index, and give the result as --reference."
            )
        if not any(scan.index.near for _, scan in scans):
            yield "Near-duplicates were not looked for: `hansproof index --near` does."
        lost = sum(len(scan.lost()) for _, scan in scans)
        if lost:
            yield f"Some text could not be scanned ({many(lost, 'case')}, see the table)."
        one_word = [
            one
            for some in found.values()
            for one in some
            if one.level == ANSWER and one.right and len(_right(one).split()) == 1
        ]
        if one_word:
            yield (
                f"{many(len(one_word), 'match')} with answer rest on a choice of one word, which "
                "may stand near by chance: compare wrong_near."
            )


def _right(finding: Finding) -> str:
    return finding.item.choices[finding.item.answer or 0]


def _verdict(found: dict[str, list[Finding]], scans: Sequence[Scan]) -> Verdict:
    every = [one for some in found.values() for one in some]
    if sum(one.level == ANSWER for one in every) >= MUCH * len(every) > 0:
        return "exposed"
    some = any(one.level in (*DIRTY, NEAR) for one in every)
    unknown = sum(one.level == SHORT for one in every) > len(every) / 2
    return "caution" if some or unknown or any(scan.lost() for _, scan in scans) else "clear"


def _share(split: str, found: Sequence[Finding]) -> Estimate:
    """The share of items that match, of those that could be searched for."""
    known = [one for one in found if one.level != SHORT]
    hits = [float(one.level in DIRTY) for one in known]
    if not known:
        return Estimate(f"{split}: contaminated", 0.0, 0.0, 1.0, 0)
    low, high = mean_interval(hits, [one.item.group for one in known])
    return Estimate(f"{split}: contaminated", sum(hits) / len(hits), low, high, len(hits))


def _evidence(found: dict[str, list[Finding]]) -> dict[str, tuple[str, ...]]:
    """Ids by level, in the order of the table: a report keeps the texts of the first ones."""
    return {
        f"{split}: {level}": ids
        for split, some in found.items()
        for level in (*DIRTY, NEAR, COMMON, SHORT)
        if (ids := tuple(one.item.id for one in sorted(some, key=order) if one.level == level))
    }


def _sentence(found: dict[str, list[Finding]], gains: list[Gap]) -> str:
    said = []
    for split, some in found.items():
        count = {level: sum(one.level == level for one in some) for level in (*DIRTY, NEAR, SHORT)}
        known = len(some) - count[SHORT]
        dirty = sum(count[level] for level in DIRTY)
        text = f"{dirty} of {many(known, 'item')} of {split} stood in the text"
        text += f", {count[ANSWER]} with the right choice near" if dirty else ""
        text += f"; {count[NEAR]} more in other words" if count[NEAR] else ""
        text += f"; {count[SHORT]} could not be searched for" if count[SHORT] else ""
        said.append(text)
    if gains:
        worst = max(gains, key=lambda one: abs(one.size))
        way = "better" if worst.size > 0 else "worse"
        said.append(
            f"{worst.system.name} does {100 * abs(worst.size):.1f} points {way} on dirty items"
            f" than on clean ones in {worst.system.split}"
        )
    return ". ".join(said) + "."
