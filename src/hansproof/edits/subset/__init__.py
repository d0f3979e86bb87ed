"""The largest part in which no cue is significant, or all together say no more than chance.

Groups are kept whole. `--until significant`: no cue of any part is flagged by `run cues`, which
tests every split and all of them pooled. `--until null`: the aggregate strength of all labelled
items lies inside the band of its null, order by order. Items are chosen by their answers, so
neither is a test of what is left: see what a model that was not used here still answers blind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ...checks import check
from ...cues.band import Band
from ...cues.flagged import Flagged
from ...text import tokenizer
from ...types import POOLED, Account, Benchmark, Cell, Edited, Items, Table
from .._parts import chosen, with_splits
from . import null, significant

CHOSEN = (
    "The items were chosen by their answers: what holds of those kept holds by construction, and "
    "is no test. Let a blind model that was not used here answer them."
)
SINGLE = (
    "All cues together say no more than chance, and yet some single ones are significant among the "
    "items that are kept (significant, below). --until significant takes these out."
)
UNBOUND = "How many could be kept at most is not known: the band got wider as items went."
MANY_WEAK = (
    "That no single cue is significant does not mean clean: all of them together say more than "
    "chance allows (strength, below). --until null takes out what they say together."
)
WIDTH = "The bound on how many can be kept holds if the band gets no wider as items go."
STRENGTH = ("order", "items", "strength", "null_mean", "null_low", "null_high", "ratio", "inside")


@dataclass(frozen=True, slots=True)
class Subset:
    """As many items as can be kept."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it every labelled split
    until: Literal["significant", "null"] = "significant"  # no single cue; or: all within chance
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "word"  # word, nltk or whitespace
    level: float = 0.05  # false-discovery rate at which a cue is significant
    randomisations: int = 999  # of the null behind the aggregate cue strength
    seed: int = 0  # of the randomisations

    def __post_init__(self) -> None:
        check("ngram", self.ngram, 1)
        check("level", self.level, 1e-9, 1)
        check("randomisations", self.randomisations, 39)  # so that 95 % of them have two ends
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Edited:
        parts = chosen(benchmark, self.split)
        before = self._looked_at(parts)
        if self.until == "null":
            out, least = null.taken_out(before.band), null.fewest_out(before.band)
        else:
            size = before.band.shares.size
            out = significant.taken_out(before.cues, size)
            least = significant.fewest_out(before.cues, size)
        away = iter(np.isin(before.band.shares.group, out).tolist())
        marked = {name: [(item, next(away)) for item in some] for name, some in parts.items()}
        kept = {name: tuple(i for i, gone in some if not gone) for name, some in marked.items()}
        ids = tuple(sorted(i.id for some in marked.values() for i, gone in some if gone))
        bound = least if least <= len(ids) else None
        full = {name: some for name, some in kept.items() if some}
        left = self._looked_at(full) if full else None
        return Edited(with_splits(benchmark, kept), self._account(before, left, ids, bound))

    def _looked_at(self, parts: dict[str, Items]) -> Looked:
        """The cues of all items together, and of the parts that `run cues` looks at."""
        items = tuple(item for some in parts.values() for item in some)
        ends = np.cumsum([0, *map(len, parts.values())])
        where = {name: np.arange(ends[at], ends[at + 1]) for at, name in enumerate(parts)}
        if len(where) > 1:
            where[POOLED] = np.arange(len(items))
        tokens = tokenizer(self.tokenizer)
        band = Band(items, tokens, self.ngram, self.randomisations, self.seed)
        cues = Flagged(items, band.shares.group, where, tokens, self.ngram, self.level)
        return Looked({name: len(some) for name, some in parts.items()}, band, cues)

    def _account(
        self, before: Looked, after: Looked | None, ids: tuple[str, ...], least: int | None
    ) -> Account:
        single, strength = (after.significant(), after.strength()) if after else ((0, 0, 0), [])
        sizes = after.sizes if after else {}
        notes = [CHOSEN] if ids else []
        if self.until == "null" and ids:
            notes.append(UNBOUND if least is None else WIDTH)
        if self.until == "null" and single[-1]:
            notes.append(SINGLE)
        if self.until == "significant" and any(row[-1] == "no" for row in strength):
            notes.append(MANY_WEAK)
        rows = ((name, n, sizes.get(name, 0)) for name, n in before.sizes.items())
        return Account(
            sentence=self._sentence(len(before.band.items), sum(sizes.values()), least),
            tables={
                "items": Table(("split", "before", "kept"), tuple(rows)),
                "significant": Table(
                    ("items", "tested", "significant"), (before.significant(), single)
                ),
                "strength": Table(STRENGTH, (*before.strength(), *strength)),
            },
            evidence={"left out": ids} if ids else {},
            notes=tuple(notes),
        )

    def _sentence(self, before: int, after: int, least: int | None) -> str:
        phrases = f"word or phrase of up to {self.ngram} words" if self.ngram > 1 else "word"
        holds = {
            "significant": f"no {phrases} is significant after correction",
            "null": "all cues together say no more than chance",
        }[self.until]
        if after == before:
            return f"Nothing had to go: {holds} in these {before} items."
        said = f"Kept {after} of {before} items: {holds} among them."
        if least is None or least == before:
            return said
        short = 1 - after / (before - least)
        return (
            f"{said} No subset can have more than {before - least}, so this one is at most "
            f"{short:.1%} too small."
        )


@dataclass(frozen=True, slots=True)
class Looked:
    """What the cues of some items say, together and one by one."""

    sizes: dict[str, int]  # items by split
    band: Band
    cues: Flagged

    def significant(self) -> tuple[int, int, int]:
        """Items, cues that are tested, and how many of these are significant."""
        flags = self.cues.counted().flags()
        return len(self.band.items), flags.tested, int(flags.flagged.sum())

    def strength(self) -> list[tuple[Cell, ...]]:
        """Rows of the strength table (see STRENGTH)."""
        return [
            (
                order, len(self.band.items), s.value, s.null_mean, s.null_low, s.null_high,
                s.ratio(), "no" if s.beyond() else "yes",
            )
            for order, s in enumerate(self.band.start, 1)
        ]  # fmt: skip
