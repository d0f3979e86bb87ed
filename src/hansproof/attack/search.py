"""The attack on one item: the words it hangs on most, one after the other, for the best synonym.

It stops wherever it needs a score, a tag or a comparison of texts, and says what it needs, so that
many items can be attacked side by side.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..scoring import expected_credit
from ..types import Item
from .item_words import ItemWords
from .outcomes import AttackOutcome, WordSwap
from .pos_tagging import are_interchangeable
from .rules import AttackRules, Candidates
from .words import is_word, match_case

Floats = NDArray[np.float64]
NO_SUBSTITUTE = "no substitute is near enough"
WORDS_BEFORE, WORDS_AFTER = 4, 3  # words around one whose part of speech is asked for


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """Scores of items are needed."""

    items: list[Item]


@dataclass(frozen=True, slots=True)
class TagRequest:
    """The parts of speech of words are needed, each in its window."""

    windows: list[tuple[str, ...]]
    positions: list[int]


@dataclass(frozen=True, slots=True)
class SimilarityRequest:
    """The similarities of texts are needed, by pair."""

    pairs: list[tuple[str, str]]


AttackRequest = ScoreRequest | TagRequest | SimilarityRequest
ItemSearch = Generator[AttackRequest, Any, AttackOutcome]


@dataclass(frozen=True, slots=True)
class Substitute:
    """A word that may take a place."""

    word: str
    cosine: float | None
    similarity: float | None = None  # of the texts compared, if any were


def search_item(
    item: Item, rules: AttackRules, substitutes_by_word: Mapping[str, list[Substitute]]
) -> ItemSearch:
    """Attack an item; `known` has the options of its words, as they are written."""
    original = ItemWords.from_item(item)
    right, words = item.answer or 0, len(original.words)
    if len(item.choices) < 2:
        return _skipped_outcome(item, (), words, 0, "has one choice")
    positions = [
        position
        for position in original.allowed_positions(rules.parts)
        if _is_changeable(original.words[position], rules)
    ]
    (before,) = yield ScoreRequest([item])
    if not np.isfinite(before).all():
        return _skipped_outcome(item, before, words, 1, "the model gave no number")
    if expected_credit(before, right) == 0:
        return AttackOutcome(item.id, "wrong", before, before, queries=1, words=words)
    if not positions:
        return _skipped_outcome(item, before, words, 1, "no word of it may be changed")
    options = yield from _filter_by_tag(original, positions, rules, substitutes_by_word)
    positions = [
        position for position in positions if options.get(position)
    ]  # where else to look is of no use
    if not positions:
        return AttackOutcome(
            item.id, "held", before, before, queries=1, words=words, reason=NO_SUBSTITUTE
        )
    variant_scores = yield ScoreRequest(
        [original.remove_word(position).item for position in positions]
    )
    queries = 1 + len(positions)
    if not np.isfinite([*map(sum, variant_scores)]).all():
        return _skipped_outcome(item, before, words, queries, "the model gave no number")
    order = np.argsort(-_answer_losses(variant_scores, right), kind="stable")

    current, scores = original, before
    swaps: tuple[WordSwap, ...] = ()
    for position in (positions[index] for index in order):
        similar = yield from _filter_by_similarity(
            original, current, position, options[position], rules
        )
        if not similar:
            continue
        variant_scores = yield ScoreRequest(
            current.items_with_words(position, _substitute_words(similar))
        )
        queries += len(variant_scores)
        best = _best_substitute([scores, *variant_scores], right, similar)
        if best is None:
            continue
        current, scores = current.replace_word(position, similar[best].word), variant_scores[best]
        swaps = (*swaps, _make_swap(original, position, similar[best]))
        if expected_credit(scores, right) == 0:
            similarities = yield SimilarityRequest([(original.full_text, current.full_text)])
            similarity = None if similarities is None else float(similarities[0])
            return AttackOutcome(
                item.id, "flipped", before, scores, swaps, queries, words, similarity
            )
    return AttackOutcome(item.id, "held", before, before, queries=queries, words=words)


def _skipped_outcome(
    item: Item, before: tuple[float, ...], words: int, queries: int, reason: str
) -> AttackOutcome:
    return AttackOutcome(
        item.id, "skipped", before, before, queries=queries, words=words, reason=reason
    )  # fmt: skip


def _is_changeable(word: str, rules: AttackRules) -> bool:
    return word.lower() not in rules.stop_words


def _is_near(cosine: float | None, rules: AttackRules) -> bool:
    """A word without a vector is near only where any is."""
    return rules.word_cosine <= -1 or (cosine is not None and cosine >= rules.word_cosine)


def list_substitutes(old: str, candidates: Candidates, rules: AttackRules) -> list[Substitute]:
    """The words that are near enough to one, in its case."""
    near_words = [
        (match_case(word, old), cosine) for word, cosine in candidates if _is_near(cosine, rules)
    ]
    return [Substitute(new, cosine) for new, cosine in near_words if new != old and is_word(new)]


def _filter_by_tag(
    original: ItemWords,
    positions: Sequence[int],
    rules: AttackRules,
    substitutes_by_word: Mapping[str, list[Substitute]],
) -> Generator[AttackRequest, Any, dict[int, list[Substitute]]]:
    """By place the words that, beside the original's others, are alike."""
    words = original.words
    options = {
        position: substitutes_by_word[words[position]]
        for position in positions
        if substitutes_by_word.get(words[position])
    }
    if not rules.same_tag or not options:
        return options
    windows: list[tuple[str, ...]] = []
    for position, word_options in options.items():
        before, after = (
            words[max(0, position - WORDS_BEFORE) : position],
            words[position + 1 : position + 1 + WORDS_AFTER],
        )
        windows += [
            (*before, word, *after) for word in (words[position], *_substitute_words(word_options))
        ]
    window_positions = [
        min(position, WORDS_BEFORE)
        for position, word_options in options.items()
        for _ in range(1 + len(word_options))
    ]
    tags = iter((yield TagRequest(windows, window_positions)))
    for position, word_options in options.items():
        own_tag = next(tags)
        options[position] = [
            option for option in word_options if are_interchangeable(own_tag, next(tags))
        ]
    return options


def _substitute_words(options: Sequence[Substitute]) -> list[str]:
    return [option.word for option in options]


def _filter_by_similarity(
    original: ItemWords,
    current: ItemWords,
    position: int,
    options: Sequence[Substitute],
    rules: AttackRules,
) -> Generator[AttackRequest, Any, list[Substitute]]:
    """Those with which the text still means nearly the same."""
    if not options or not rules.min_similarity:
        return list(options)
    size = rules.window if rules.scope == "window" else None
    if rules.short_items == "skip" and size is not None and len(original.words) < size:
        return list(options)
    before, after = current.surrounding_text(position, size)
    reference = current if rules.reference == "previous" else original
    reference_text = original.words[position].join(reference.surrounding_text(position, size))
    similarities = yield SimilarityRequest(
        [(reference_text, before + option.word + after) for option in options]
    )
    return [
        Substitute(option.word, option.cosine, float(similarity))
        for option, similarity in zip(options, similarities, strict=True)
        if similarity >= rules.min_similarity
    ]


def _answer_losses(score_rows: Sequence[tuple[float, ...]], right: int) -> Floats:
    """How far each is from the right answer: the negative log of its share."""
    scores = np.asarray(score_rows, np.float64)
    top = scores.max(axis=1, keepdims=True)
    log_total = np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0]
    return np.asarray(log_total - scores[:, right])


def _best_substitute(
    score_rows: Sequence[tuple[float, ...]], right: int, options: list[Substitute]
) -> int | None:
    """Of those that lead to another answer the most similar, else the one that leads farthest.

    None where no option leads farther away than the text that is changed, whose scores come first.
    """
    finite = [index for index, row in enumerate(score_rows) if np.isfinite(row).all()]
    losses = dict(
        zip(
            finite,
            _answer_losses([score_rows[index] for index in finite], right).tolist(),
            strict=True,
        )
    )
    order = sorted(finite, key=lambda index: -losses[index])  # of equals the first
    flipping = [
        index - 1 for index in order if index > 0 and expected_credit(score_rows[index], right) == 0
    ]
    if flipping:
        return max(flipping, key=lambda index: options[index].similarity or 0)
    return order[0] - 1 if losses[order[0]] > losses[0] else None


def _make_swap(original: ItemWords, position: int, option: Substitute) -> WordSwap:
    text_index = original.positions[position][0]
    return WordSwap(
        position, text_index, original.part_name(text_index), original.words[position], option.word, option.cosine, option.similarity
    )  # fmt: skip
