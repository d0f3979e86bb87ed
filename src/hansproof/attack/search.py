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

from ..credit import credit
from ..types import Item
from .grammar import alike
from .outcomes import Outcome, Swap
from .reading import Reading
from .rules import Candidates, Rules
from .words import cased, is_word

Floats = NDArray[np.float64]
NOTHING = "no substitute is near enough"
BEFORE, AFTER = 4, 3  # words around one whose part of speech is asked for


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of items are needed."""

    items: list[Item]


@dataclass(frozen=True, slots=True)
class Tagged:
    """The parts of speech of words are needed, each in its window."""

    windows: list[tuple[str, ...]]
    at: list[int]


@dataclass(frozen=True, slots=True)
class Compared:
    """The similarities of texts are needed, by pair."""

    pairs: list[tuple[str, str]]


Request = Scored | Tagged | Compared
Search = Generator[Request, Any, Outcome]


@dataclass(frozen=True, slots=True)
class Option:
    """A word that may take a place."""

    word: str
    cosine: float | None
    similarity: float | None = None  # of the texts compared, if any were


def search(item: Item, rules: Rules, known: Mapping[str, list[Option]]) -> Search:
    """Attack an item; `known` has the options of its words, as they are written."""
    start = Reading.of(item)
    right, words = item.answer or 0, len(start.words)
    if len(item.choices) < 2:
        return _skipped(item, (), words, 0, "has one choice")
    places = [at for at in start.allowed(rules.where) if _changeable(start.words[at], rules)]
    (before,) = yield Scored([item])
    if not np.isfinite(before).all():
        return _skipped(item, before, words, 1, "the model gave no number")
    if credit(before, right) == 0:
        return Outcome(item.id, "wrong", before, before, queries=1, words=words)
    if not places:
        return _skipped(item, before, words, 1, "no word of it may be changed")
    options = yield from _alike(start, places, rules, known)
    places = [at for at in places if options.get(at)]  # where else to look is of no use
    if not places:
        return Outcome(item.id, "held", before, before, queries=1, words=words, reason=NOTHING)
    said = yield Scored([start.without(at).item for at in places])
    queries = 1 + len(places)
    if not np.isfinite([*map(sum, said)]).all():
        return _skipped(item, before, words, queries, "the model gave no number")
    order = np.argsort(-_losses(said, right), kind="stable")

    now, scores = start, before
    swaps: tuple[Swap, ...] = ()
    for at in (places[place] for place in order):
        fitting = yield from _fitting(start, now, at, options[at], rules)
        if not fitting:
            continue
        said = yield Scored(now.items_with(at, _words(fitting)))
        queries += len(said)
        best = _best([scores, *said], right, fitting)
        if best is None:
            continue
        now, scores = now.with_word(at, fitting[best].word), said[best]
        swaps = (*swaps, _swap(start, at, fitting[best]))
        if credit(scores, right) == 0:
            kept = yield Compared([(start.whole, now.whole)])
            similarity = None if kept is None else float(kept[0])
            return Outcome(item.id, "flipped", before, scores, swaps, queries, words, similarity)
    return Outcome(item.id, "held", before, before, queries=queries, words=words)


def _skipped(
    item: Item, before: tuple[float, ...], words: int, queries: int, reason: str
) -> Outcome:
    return Outcome(
        item.id, "skipped", before, before, queries=queries, words=words, reason=reason
    )  # fmt: skip


def _changeable(word: str, rules: Rules) -> bool:
    return word.lower() not in rules.stop_words


def _near(cosine: float | None, rules: Rules) -> bool:
    """A word without a vector is near only where any is."""
    return rules.word_cosine <= -1 or (cosine is not None and cosine >= rules.word_cosine)


def substitutes(old: str, candidates: Candidates, rules: Rules) -> list[Option]:
    """The words that are near enough to one, in its case."""
    near = [(cased(word, old), cosine) for word, cosine in candidates if _near(cosine, rules)]
    return [Option(new, cosine) for new, cosine in near if new != old and is_word(new)]


def _alike(
    start: Reading, places: Sequence[int], rules: Rules, known: Mapping[str, list[Option]]
) -> Generator[Request, Any, dict[int, list[Option]]]:
    """By place the words that, beside the original's others, are alike."""
    words = start.words
    found = {at: known[words[at]] for at in places if known.get(words[at])}
    if not rules.grammar or not found:
        return found
    windows: list[tuple[str, ...]] = []
    for at, some in found.items():
        before, after = words[max(0, at - BEFORE) : at], words[at + 1 : at + 1 + AFTER]
        windows += [(*before, word, *after) for word in (words[at], *_words(some))]
    at_each = [min(at, BEFORE) for at, some in found.items() for _ in range(1 + len(some))]
    tags = iter((yield Tagged(windows, at_each)))
    for at, some in found.items():
        own = next(tags)
        found[at] = [one for one in some if alike(own, next(tags))]
    return found


def _words(options: Sequence[Option]) -> list[str]:
    return [option.word for option in options]


def _fitting(
    start: Reading, now: Reading, at: int, options: Sequence[Option], rules: Rules
) -> Generator[Request, Any, list[Option]]:
    """Those with which the text still means nearly the same."""
    if not options or not rules.sentence:
        return list(options)
    size = rules.window if rules.scope == "window" else None
    if rules.short == "skip" and size is not None and len(start.words) < size:
        return list(options)
    before, after = now.around(at, size)
    other = now if rules.reference == "previous" else start
    was = start.words[at].join(other.around(at, size))
    likeness = yield Compared([(was, before + one.word + after) for one in options])
    return [
        Option(one.word, one.cosine, float(same))
        for one, same in zip(options, likeness, strict=True)
        if same >= rules.sentence
    ]


def _losses(said: Sequence[tuple[float, ...]], right: int) -> Floats:
    """How far each is from the right answer: the negative log of its share."""
    scores = np.asarray(said, np.float64)
    top = scores.max(axis=1, keepdims=True)
    whole = np.log(np.exp(scores - top).sum(axis=1)) + top[:, 0]
    return np.asarray(whole - scores[:, right])


def _best(said: Sequence[tuple[float, ...]], right: int, options: list[Option]) -> int | None:
    """Of those that lead to another answer the most similar, else the one that leads farthest.

    None where no option leads farther away than the text that is changed, whose scores come first.
    """
    numbers = [at for at, one in enumerate(said) if np.isfinite(one).all()]
    losses = dict(zip(numbers, _losses([said[at] for at in numbers], right).tolist(), strict=True))
    order = sorted(numbers, key=lambda at: -losses[at])  # of equals the first
    there = [at - 1 for at in order if at > 0 and credit(said[at], right) == 0]
    if there:
        return max(there, key=lambda at: options[at].similarity or 0)
    return order[0] - 1 if losses[order[0]] > losses[0] else None


def _swap(start: Reading, at: int, option: Option) -> Swap:
    text = start.places[at][0]
    return Swap(
        at, text, start.part(text), start.words[at], option.word, option.cosine, option.similarity
    )  # fmt: skip
