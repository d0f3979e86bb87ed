"""Runs the searches of many items in parallel and serves their requests in batches.

An item's outcome does not depend on the other items, as far as the model's scores do not depend
on their batch.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from ..scoring import check_scores
from ..types import FULL, Item, Items
from ..views import apply_view, fields_of, parse_view
from .outcomes import AttackOutcome
from .rules import AttackResources, AttackRules
from .search import (
    AttackRequest,
    ItemSearch,
    ScoreRequest,
    SimilarityRequest,
    Substitute,
    TagRequest,
    list_substitutes,
    search_item,
)
from .sentence_similarity import angular_similarity
from .words import TextWords

ActiveSearch = tuple[ItemSearch, AttackRequest]
ScoreFunction = Callable[[Items], list[tuple[float, ...]]]
PARALLEL_SEARCHES = 128  # searches at a time
SCORE_BATCH = 4096  # items scored in one call


def attack_all(
    items: Items,
    score: ScoreFunction,
    rules: AttackRules,
    resources: AttackResources,
    n_parallel: int = PARALLEL_SEARCHES,
) -> Iterator[AttackOutcome]:
    """Attack items and yield their outcomes in the order in which they finish."""
    substitutes_by_word, waiting = _find_substitutes(items, rules, resources), iter(items)
    active: list[ActiveSearch] = []
    while True:
        while len(active) < n_parallel and (
            new_items := list(islice(waiting, n_parallel - len(active)))
        ):
            for item in new_items:
                active += yield from _advance(search_item(item, rules, substitutes_by_word), None)
        if not active:
            return
        answers = _serve([request for _, request in active], score, resources)
        still_active: list[ActiveSearch] = []
        for (active_search, _), answer in zip(active, answers, strict=True):
            still_active += yield from _advance(active_search, answer)
        active = still_active


def _find_substitutes(
    items: Sequence[Item], rules: AttackRules, resources: AttackResources
) -> dict[str, list[Substitute]]:
    """Return the substitutes of all words of some items, by word as it is written."""
    texts = {text for item in items for text in (*item.fields.values(), *item.choices)}
    words = {word for text in texts for word in TextWords.from_text(text).words}
    candidates = resources.source.find_candidates(sorted({word.lower() for word in words}))
    return {word: list_substitutes(word, candidates.get(word.lower(), []), rules) for word in words}


def _advance(
    active_search: ItemSearch, answer: Any
) -> Generator[AttackOutcome, None, list[ActiveSearch]]:
    """Advance a search to its next request and return it; yield the outcome if it has finished."""
    try:
        request = active_search.send(answer)
    except StopIteration as stop:
        yield stop.value
        return []
    return [(active_search, request)]


def _serve(
    requests: Sequence[AttackRequest], score: ScoreFunction, resources: AttackResources
) -> list[Any]:
    answers: list[Any] = [None] * len(requests)
    for kind, handler in (
        (TagRequest, _serve_tags),
        (SimilarityRequest, _serve_similarities),
        (ScoreRequest, _serve_scores),
    ):
        indices = [index for index, request in enumerate(requests) if isinstance(request, kind)]
        if indices:
            responses = handler([requests[index] for index in indices], score, resources)
            for index, response in zip(indices, responses, strict=True):
                answers[index] = response
    return answers


def _serve_tags(
    requests: Sequence[Any], score: ScoreFunction, resources: AttackResources
) -> list[list[str]]:
    assert resources.tagger is not None
    windows = [window for request in requests for window in request.windows]
    tags = iter(
        resources.tagger.tag_words(
            windows, [position for request in requests for position in request.positions]
        )
    )
    return [[next(tags) for _ in request.windows] for request in requests]


def _serve_similarities(
    requests: Sequence[Any], score: ScoreFunction, resources: AttackResources
) -> list[Any]:
    """Compute similarities; None without an encoder."""
    if resources.encoder is None:
        return [None] * len(requests)
    texts = [text for request in requests for pair in request.pairs for text in pair]
    text_vectors = resources.encoder.unit_vectors(texts)
    similarities = angular_similarity(text_vectors[::2], text_vectors[1::2])
    ends = np.cumsum([len(request.pairs) for request in requests])
    return np.split(similarities, ends[:-1])


def _serve_scores(
    requests: Sequence[Any], score: ScoreFunction, resources: AttackResources
) -> list[Any]:
    """Score items as a model sees them: without ids, groups and answers."""
    items = tuple(item for request in requests for item in request.items)
    visible = apply_view(parse_view(FULL, fields_of(items)), items, answers=False)
    batches = [
        visible[start : start + SCORE_BATCH] for start in range(0, len(visible), SCORE_BATCH)
    ]
    score_rows = iter(
        [row for batch in batches for row in check_scores(score(batch), batch, "the model")]
    )
    return [[next(score_rows) for _ in request.items] for request in requests]
