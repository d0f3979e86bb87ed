"""Many searches side by side: what they need is asked for in one batch.

An item's outcome does not depend on which others are attacked beside it, as far as the model's
scores do not depend on their batch.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from ..models._rows import rows
from ..types import FULL, Item, Items
from ..views import fields_of, named, see
from .meaning import angular
from .outcomes import Outcome
from .rules import Means, Rules
from .search import Compared, Option, Request, Scored, Search, Tagged, search, substitutes
from .words import Text

AtWork = tuple[Search, Request]
Score = Callable[[Items], list[tuple[float, ...]]]
SIDE = 128  # searches side by side
SOME = 4096  # items scored in one call


def attack(
    items: Items, score: Score, rules: Rules, means: Means, side: int = SIDE
) -> Iterator[Outcome]:
    """The outcome of every item, in the order in which they are done."""
    known, waiting = _known(items, rules, means), iter(items)
    at_work: list[AtWork] = []
    while True:
        while len(at_work) < side and (new := list(islice(waiting, side - len(at_work)))):
            for item in new:
                at_work += yield from _moved(search(item, rules, known), None)
        if not at_work:
            return
        answers = _answered([request for _, request in at_work], score, means)
        still: list[AtWork] = []
        for (one, _), answer in zip(at_work, answers, strict=True):
            still += yield from _moved(one, answer)
        at_work = still


def _known(items: Sequence[Item], rules: Rules, means: Means) -> dict[str, list[Option]]:
    """The options of all words of some items, as they are written."""
    texts = {text for item in items for text in (*item.fields.values(), *item.choices)}
    words = {word for text in texts for word in Text.of(text).words}
    found = means.source.candidates(sorted({word.lower() for word in words}))
    return {word: substitutes(word, found.get(word.lower(), []), rules) for word in words}


def _moved(one: Search, answer: Any) -> Generator[Outcome, None, list[AtWork]]:
    """A search as far as its next request; if it is over, its outcome."""
    try:
        request = one.send(answer)
    except StopIteration as over:
        yield over.value
        return []
    return [(one, request)]


def _answered(requests: Sequence[Request], score: Score, means: Means) -> list[Any]:
    answers: list[Any] = [None] * len(requests)
    for kind, answer in ((Tagged, _tags), (Compared, _similarities), (Scored, _scores)):
        which = [at for at, one in enumerate(requests) if isinstance(one, kind)]
        if which:
            said = answer([requests[at] for at in which], score, means)
            for at, one in zip(which, said, strict=True):
                answers[at] = one
    return answers


def _tags(requests: Sequence[Any], score: Score, means: Means) -> list[list[str]]:
    assert means.tagger is not None
    windows = [window for one in requests for window in one.windows]
    found = iter(means.tagger.tags(windows, [at for one in requests for at in one.at]))
    return [[next(found) for _ in one.windows] for one in requests]


def _similarities(requests: Sequence[Any], score: Score, means: Means) -> list[Any]:
    """None where nothing knows what texts mean."""
    if means.meaning is None:
        return [None] * len(requests)
    texts = [text for one in requests for pair in one.pairs for text in pair]
    found = means.meaning.vectors(texts)
    alike = angular(found[::2], found[1::2])
    ends = np.cumsum([len(one.pairs) for one in requests])
    return np.split(alike, ends[:-1])


def _scores(requests: Sequence[Any], score: Score, means: Means) -> list[Any]:
    """As a model gets items: without ids, groups and answers."""
    items = tuple(item for one in requests for item in one.items)
    shown = see(named(FULL, fields_of(items)), items, answers=False)
    parts = [shown[at : at + SOME] for at in range(0, len(shown), SOME)]
    said = iter([row for part in parts for row in rows(score(part), part, "the model")])
    return [[next(said) for _ in one.items] for one in requests]
