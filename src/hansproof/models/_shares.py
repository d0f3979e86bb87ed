"""Shares of tokens summed to cues: how much the scores of items hang on each word.

Within a sequence all tokens that overlap an occurrence of a cue count, so parts of words are summed
to words and repetitions are summed. Of an item the sequences that have the cue are averaged.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..text import Tokenizer, find
from ..types import Shares

Each = Sequence[tuple[Shares, ...]]  # of every item the shares of each choice
Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Finder:
    """Where cues, single words, stand in texts; each text is looked through once."""

    tokens: Tokenizer
    cues: frozenset[str]
    known: dict[str, dict[str, Spans]] = field(default_factory=dict)

    def spans(self, text: str) -> dict[str, Spans]:
        """By cue, in characters."""
        if text not in self.known:
            there = self.cues.intersection(self.tokens.split(text))
            self.known[text] = {cue: find(self.tokens, text, cue) for cue in sorted(there)}
        return self.known[text]


@dataclass(frozen=True, slots=True)
class Tally:
    """What the shares of items come to."""

    items: int  # all that were looked at
    skipped: int  # those whose shares are no numbers
    counts: dict[str, int]  # items that have the cue
    sums: dict[str, float]  # of their shares of it

    def readable(self, cue: str) -> float | None:
        """The mean over the items that have the cue."""
        return self.sums[cue] / self.counts[cue] if self.counts.get(cue) else None

    def published(self, cue: str) -> float | None:
        """The mean over all items, as the formula is printed: those without the cue have none."""
        return self.sums.get(cue, 0.0) / self.items if self.items else None


def of_cues(shares: Shares, finder: Finder) -> dict[str, float]:
    """The share of each cue that was read in a sequence."""
    found: dict[str, float] = {}
    for segment, text in enumerate(shares.texts):
        for cue, spans in finder.spans(text).items():
            own = [
                share
                for (which, start, end), share in zip(shares.tokens, shares.shares, strict=True)
                if which == segment and any(start < last and first < end for first, last in spans)
            ]
            if own:  # not one that was cut off
                found[cue] = found.get(cue, 0.0) + math.fsum(own)
    return found


def tallied(each: Each, finder: Finder, scores: Sequence[Sequence[float]] | None = None) -> Tally:
    """Over all items; with scores, only by the choice that a model picks (of equals by each)."""
    counts: dict[str, int] = {}
    sums: dict[str, float] = {}
    skipped = 0
    for at, sequences in enumerate(each):
        if not finite(sequences):
            skipped += 1
            continue
        if scores is not None:
            own = scores[at]
            sequences = tuple(s for s, y in zip(sequences, own, strict=True) if y == max(own))
        for cue, share in averaged(of_cues(one, finder) for one in sequences).items():
            counts[cue] = counts.get(cue, 0) + 1
            sums[cue] = sums.get(cue, 0.0) + share
    return Tally(len(each) - skipped, skipped, counts, sums)


def averaged(found: Iterable[dict[str, float]]) -> dict[str, float]:
    """Of each cue the mean over the sequences that have it."""
    by_cue: dict[str, list[float]] = {}
    for one in found:
        for cue, share in one.items():
            by_cue.setdefault(cue, []).append(share)
    return {cue: math.fsum(shares) / len(shares) for cue, shares in by_cue.items()}


def finite(sequences: Iterable[Shares]) -> bool:
    """Whether all shares of an item are numbers."""
    return all(math.isfinite(share) for one in sequences for share in one.shares)
