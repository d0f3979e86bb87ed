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
from numpy.typing import NDArray

from ...checks import check
from ...cues.band import Band
from ...cues.flagged import Flagged
from ...stats import group_numbers
from ...text import Tokenizer, tokenizer
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
        items = tuple(item for some in parts.values() for item in some)
        group = group_numbers([item.group for item in items])
        if self.until == "null":
            band = self._band(items)
            out, least = null.taken_out(band), null.fewest_out(band)
        else:
            size = np.bincount(group)
            cues = self._flagged(parts)
            out, least = significant.taken_out(cues, size), significant.fewest_out(cues, size)
        away = iter(np.isin(group, out).tolist())
        marked = {name: [(item, next(away)) for item in some] for name, some in parts.items()}
        kept = {name: tuple(i for i, gone in some if not gone) for name, some in marked.items()}
        ids = tuple(sorted(i.id for some in marked.values() for i, gone in some if gone))
        bound = least if least <= len(ids) else None
        return Edited(with_splits(benchmark, kept), self._account(parts, kept, ids, bound))

    def _account(
        self, parts: dict[str, Items], kept: dict[str, Items], ids: tuple[str, ...],
        least: int | None,
    ) -> Account:  # fmt: skip
        before, after = (tuple(i for some in one.values() for i in some) for one in (parts, kept))
        found = [self._count(one) for one in (parts, kept)]
        strength = [self._rows(one) for one in (before, after)]
        notes = [CHOSEN] if ids else []
        if self.until == "null" and ids:
            notes.append(UNBOUND if least is None else WIDTH)
        if self.until == "null" and found[1][1]:
            notes.append(SINGLE)
        if self.until == "significant" and any(row[-1] == "no" for row in strength[1]):
            notes.append(MANY_WEAK)
        return Account(
            sentence=self._sentence(len(before), len(after), least),
            tables={
                "items": Table(
                    ("split", "before", "kept"),
                    tuple((name, len(some), len(kept[name])) for name, some in parts.items()),
                ),
                "significant": Table(
                    ("items", "tested", "significant"),
                    tuple((len(one), *n) for one, n in zip((before, after), found, strict=True)),
                ),
                "strength": Table(STRENGTH, (*strength[0], *strength[1])),
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

    def _count(self, parts: dict[str, Items]) -> tuple[int, int]:
        """How many cues are tested in these items, and how many of them are significant."""
        full = {name: items for name, items in parts.items() if items}
        if not full:
            return 0, 0
        cues = self._flagged(full)
        flags = cues.counted(np.zeros(cues.start.size - 1, np.bool_)).flags()
        return flags.tested, int(flags.flagged.sum())

    def _flagged(self, parts: dict[str, Items]) -> Flagged:
        """The cues of the parts that `run cues` looks at."""
        items = tuple(item for some in parts.values() for item in some)
        ends = np.cumsum([0, *map(len, parts.values())])
        where: dict[str, NDArray[np.int64]] = {
            name: np.arange(ends[at], ends[at + 1]) for at, name in enumerate(parts)
        }
        if len(where) > 1:
            where[POOLED] = np.arange(len(items))
        group = group_numbers([item.group for item in items])
        return Flagged(items, group, where, self._tokens(), self.ngram, self.level)

    def _rows(self, items: Items) -> list[tuple[Cell, ...]]:
        if not items:
            return []
        return [
            (
                order, len(items), s.value, s.null_mean, s.null_low, s.null_high, s.ratio(),
                "no" if s.beyond() else "yes",
            )
            for order, s in enumerate(self._band(items).start, 1)
        ]  # fmt: skip

    def _band(self, items: Items) -> Band:
        return Band(items, self._tokens(), self.ngram, self.randomisations, self.seed)

    def _tokens(self) -> Tokenizer:
        return tokenizer(self.tokenizer)
