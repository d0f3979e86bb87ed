"""Attributions of tokens summed to cues: the share of each word in the scores of items.

Within a sequence all tokens that overlap an occurrence of a cue are summed, so that parts of words
and repetitions add up. Over the sequences of an item that have the cue the mean is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...capabilities import Attributions
from ...text.ngrams import find_ngram
from ...text.tokenizers import Tokenizer

ItemAttributions = Sequence[tuple[Attributions, ...]]  # of every item the shares of each choice
Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class CueFinder:
    """Finds cues, which are single words, in texts; each text is searched once."""

    tokens: Tokenizer
    cues: frozenset[str]
    spans_by_text: dict[str, dict[str, Spans]] = field(default_factory=dict)

    def find_spans(self, text: str) -> dict[str, Spans]:
        """Return the spans of each cue, in characters."""
        if text not in self.spans_by_text:
            present = self.cues.intersection(self.tokens.split(text))
            self.spans_by_text[text] = {
                cue: find_ngram(self.tokens, text, cue) for cue in sorted(present)
            }
        return self.spans_by_text[text]


@dataclass(frozen=True, slots=True)
class AttributionTotals:
    """The shares of cues, summed over items."""

    n_items: int  # all that were looked at
    n_skipped: int  # those whose shares are no numbers
    counts: dict[str, int]  # items that have the cue
    sums: dict[str, float]  # of their shares of it

    def mean_if_present(self, cue: str) -> float | None:
        """Return the mean over the items that have the cue."""
        return self.sums[cue] / self.counts[cue] if self.counts.get(cue) else None

    def mean_over_all(self, cue: str) -> float | None:
        """Return the mean over all items, as in the paper; items without the cue count as 0."""
        return self.sums.get(cue, 0.0) / self.n_items if self.n_items else None


def sum_by_cue(attributions: Attributions, finder: CueFinder) -> dict[str, float]:
    """Return the share of each cue that occurs in a sequence."""
    cue_shares: dict[str, float] = {}
    for segment, text in enumerate(attributions.texts):
        for cue, spans in finder.find_spans(text).items():
            overlapping = [
                share
                for (token_segment, start, end), share in zip(
                    attributions.tokens, attributions.shares, strict=True
                )
                if token_segment == segment
                and any(start < last and first < end for first, last in spans)
            ]
            if overlapping:  # not one that was cut off
                cue_shares[cue] = cue_shares.get(cue, 0.0) + math.fsum(overlapping)
    return cue_shares


def total_attributions(
    item_attributions: ItemAttributions,
    finder: CueFinder,
    scores: Sequence[Sequence[float]] | None = None,
) -> AttributionTotals:
    """Sum over all items; with scores, only the choice that the model picks, or all that tie."""
    counts: dict[str, int] = {}
    sums: dict[str, float] = {}
    n_skipped = 0
    for index, sequences in enumerate(item_attributions):
        if not all_finite(sequences):
            n_skipped += 1
            continue
        if scores is not None:
            choice_scores = scores[index]
            sequences = tuple(
                s for s, y in zip(sequences, choice_scores, strict=True) if y == max(choice_scores)
            )
        for cue, share in average_by_cue(
            sum_by_cue(sequence, finder) for sequence in sequences
        ).items():
            counts[cue] = counts.get(cue, 0) + 1
            sums[cue] = sums.get(cue, 0.0) + share
    return AttributionTotals(len(item_attributions) - n_skipped, n_skipped, counts, sums)


def average_by_cue(cue_shares: Iterable[dict[str, float]]) -> dict[str, float]:
    """Return, for each cue, the mean over the sequences that have it."""
    shares_by_cue: dict[str, list[float]] = {}
    for sequence_shares in cue_shares:
        for cue, share in sequence_shares.items():
            shares_by_cue.setdefault(cue, []).append(share)
    return {cue: math.fsum(shares) / len(shares) for cue, shares in shares_by_cue.items()}


def all_finite(sequences: Iterable[Attributions]) -> bool:
    """Whether all shares of an item are numbers."""
    return all(math.isfinite(share) for sequence in sequences for share in sequence.shares)
