"""The attack on one item: replaces its most important words, one after the other, by synonyms.

The search is a generator: it yields a request wherever it needs scores, tags or similarities, so
that the requests of many items can be served in batches.
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
NO_SUBSTITUTE = "no substitute is similar enough"
WORDS_BEFORE, WORDS_AFTER = 4, 3  # context in which a word is tagged


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """Asks for the scores of items."""

    items: list[Item]


@dataclass(frozen=True, slots=True)
class TagRequest:
    """Asks for the part of speech of one word in each window."""

    windows: list[tuple[str, ...]]
    positions: list[int]


@dataclass(frozen=True, slots=True)
class SimilarityRequest:
    """Asks for the similarity of each pair of texts."""

    pairs: list[tuple[str, str]]


AttackRequest = ScoreRequest | TagRequest | SimilarityRequest
ItemSearch = Generator[AttackRequest, Any, AttackOutcome]


@dataclass(frozen=True, slots=True)
class Substitute:
    """A word that may replace another."""

    word: str
    cosine: float | None
    similarity: float | None = None  # of the texts before and after, if they were compared


def search_item(
    item: Item, rules: AttackRules, substitutes_by_word: Mapping[str, list[Substitute]]
) -> ItemSearch:
    """Attack an item, yielding requests and returning the outcome.

    `substitutes_by_word` maps each word, as it is written in the item, to its substitutes.
    """
    original = ItemWords.from_item(item)
    right, words = item.answer or 0, len(original.words)
    if len(item.choices) < 2:
        return _skipped_outcome(item, (), words, 0, "only one choice")
    positions = [
        position
        for position in original.allowed_positions(rules.parts)
        if _is_changeable(original.words[position], rules)
    ]
    (before,) = yield ScoreRequest([item])
    if not np.isfinite(before).all():
        return _skipped_outcome(item, before, words, 1, "the model returned no finite score")
    if expected_credit(before, right) == 0:
        return AttackOutcome(item.id, "wrong", before, before, queries=1, words=words)
    if not positions:
        return _skipped_outcome(item, before, words, 1, "no word may be changed")
    options = yield from _filter_by_tag(original, positions, rules, substitutes_by_word)
    positions = [position for position in positions if options.get(position)]
    if not positions:
        return AttackOutcome(
            item.id, "held", before, before, queries=1, words=words, reason=NO_SUBSTITUTE
        )
    removed = [original.remove_word(position).item for position in positions]
    variant_scores = yield ScoreRequest(removed)
    if not np.isfinite([*map(sum, variant_scores)]).all():
        return _skipped_outcome(
            item, before, words, 1 + len(positions), "the model returned no finite score"
        )  # fmt: skip
    order = np.argsort(-_answer_losses(variant_scores, right), kind="stable")
    by_importance = [positions[index] for index in order]
    return (yield from _swap_words(original, before, by_importance, options, rules))


def _swap_words(
    original: ItemWords,
    before: tuple[float, ...],
    positions: Sequence[int],
    options: Mapping[int, list[Substitute]],
    rules: AttackRules,
) -> ItemSearch:
    """Replace words one after the other, the most important first, until the answer flips."""
    item, right, words = original.item, original.item.answer or 0, len(original.words)
    current, scores, queries = original, before, 1 + len(positions)
    swaps: tuple[WordSwap, ...] = ()
    for position in positions:
        similar = yield from _filter_by_similarity(
            original, current, position, options[position], rules
        )
        if not similar:
            continue
        variants = current.items_with_words(position, _substitute_words(similar))
        variant_scores = yield ScoreRequest(variants)
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
    """Whether a cosine is high enough; without a cosine only if the rules allow any word."""
    return rules.word_cosine <= -1 or (cosine is not None and cosine >= rules.word_cosine)


def list_substitutes(old: str, candidates: Candidates, rules: AttackRules) -> list[Substitute]:
    """Return the candidates that are near enough to a word, in the case of that word."""
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
    """Return by position the substitutes that have the part of speech of the original word."""
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
    """Return the substitutes with which the text stays similar enough."""
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
    """Return the cross-entropy loss of the right answer for each row of scores."""
    scores = np.asarray(score_rows, np.float64)
    top = scores.max(axis=1, keepdims=True)
    log_total = np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0]
    return np.asarray(log_total - scores[:, right])


def _best_substitute(
    score_rows: Sequence[tuple[float, ...]], right: int, options: list[Substitute]
) -> int | None:
    """Return the index of the best substitute; None if none increases the loss.

    Among substitutes that flip the answer the most similar is best, otherwise the one with the
    highest loss. The first row has the scores of the current text, the others those of the options.
    """
    finite = [index for index, row in enumerate(score_rows) if np.isfinite(row).all()]
    losses = dict(
        zip(
            finite,
            _answer_losses([score_rows[index] for index in finite], right).tolist(),
            strict=True,
        )
    )
    order = sorted(finite, key=lambda index: -losses[index])  # toy: the first of equal losses
    flipping = [
        index - 1 for index in order if index > 0 and expected_credit(score_rows[index], right) == 0
    ]
    if flipping:
        return max(flipping, key=lambda index: options[index].similarity or 0)
    return order[0] - 1 if losses[order[0]] > losses[0] else None


def _make_swap(original: ItemWords, position: int, option: Substitute) -> WordSwap:
    text_index = original.positions[position][0]
    return WordSwap(
        position,
        text_index,
        original.part_name(text_index),
        original.words[position],
        option.word,
        option.cosine,
        option.similarity,
    )
