"""The items that are answered blind, how often, and by which words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...linear.features import FeatureBags
from ...stats import Floats, wilson_interval
from ...types import Cell
from .ranker import ViewRanker
from .view_result import ViewResult, evidence_key

ITEM_COLUMNS = ("part", "view", "model", "item", "answered", "low", "high", "words")
ALL_ITEM_COLUMNS = ("split", "view", "protocol", "trained_on", "item", "answered", "low", "high")
MAX_ITEMS = 20  # items of a view that are explained
MAX_FEATURES = 3  # features that an explanation names

_QUOTED = re.compile(r"“(?!\()(.+?)(?: \(.*?\))?”")  # see _quote_feature

Explanations = Mapping[str, str]  # item -> the words that did it


class ItemExplainer:
    """Explains the answers of the rankers of one view and part."""

    def __init__(
        self,
        ranker: ViewRanker,
        bags: FeatureBags,
        is_tested: NDArray[np.bool_],
        scores: NDArray[np.float32],
        answers: NDArray[np.int16],
    ) -> None:
        self.ranker, self.bags, self.answers = ranker, bags, answers
        self.indices = np.flatnonzero(is_tested)
        self.margins = self._answer_margins(scores)

    def surest_ids(self, result: ViewResult) -> tuple[str, ...]:
        """Return the items that are right in every repeat, the largest margin first."""
        always = np.flatnonzero(result.credits.min(axis=0) == 1)
        order = always[np.argsort(-self.margins[self.indices][always], kind="stable")]
        return tuple(result.items[index].id for index in order)

    def explain_surest(self, result: ViewResult) -> Explanations:
        """Return, for the surest items, the features that support the answer most."""
        index_of = {item.id: index for item, index in zip(result.items, self.indices, strict=True)}
        return {id: self._explain_item(int(index_of[id])) for id in result.surest_ids[:MAX_ITEMS]}

    def _answer_margins(self, scores: NDArray[np.float32]) -> Floats:
        """Return the mean margin of the answer over the best other choice, for each item."""
        first = self.ranker.first
        right = first[:-1] + self.answers
        other_scores = scores.astype(np.float64)
        answer_scores = other_scores[right].copy()
        other_scores[right] = -np.inf
        return np.asarray(
            (answer_scores - np.maximum.reduceat(other_scores, first[:-1])).mean(axis=1)
        )

    def _explain_item(self, item: int) -> str:
        begin, end = self.ranker.first[item], self.ranker.first[item + 1]
        start = self.bags.start
        support: dict[tuple[bool, int], float] = {}
        for choice in range(begin, end):
            is_answer = choice - begin == self.answers[item]
            features = self.bags.feature[start[choice] : start[choice + 1]]
            weights = self.ranker.weights_for(item, features)
            for f, weight in zip(features.tolist(), weights, strict=True):
                # what stands in wrong choices speaks for the answer by speaking against them
                value = weight if is_answer else -weight / (end - begin - 1)
                support[is_answer, f] = support.get((is_answer, f), 0.0) + float(value)
        best = sorted(support.items(), key=lambda entry: -entry[1])[:MAX_FEATURES]
        phrases = [
            f"{'has' if is_answer else 'another has'} {_quote_feature(self.bags.feature_name(f))}"
            for (is_answer, f), value in best
            if value > 0
        ]
        return ", ".join(phrases)


def _quote_feature(name: str) -> str:
    return f"“{name}”"


def quoted_words(words: str) -> list[str]:
    """Return the words that a cell of the column `words` quotes, without the field they go with."""
    return _QUOTED.findall(words)


def solved_rows(
    results: Sequence[ViewResult],
    explanations: Mapping[tuple[str, str], Explanations],
    level: float,
) -> tuple[tuple[Cell, ...], ...]:
    """Return rows for the items most easily answered blind, for views above chance."""
    rows = []
    for result in results:
        if not result.is_above_chance(level):
            continue
        index_of = {item.id: index for index, item in enumerate(result.items)}
        low, high = _credit_intervals(result)
        for id, words in explanations[result.part_name, result.view_name].items():
            index = index_of[id]
            rows.append((result.part_name, result.view_name, result.model, id,
                         float(result.scores[index]), float(low[index]), float(high[index]),
                         words))  # fmt: skip
    return tuple(rows)


def solved_ids(results: Sequence[ViewResult], level: float) -> dict[str, tuple[str, ...]]:
    """Return, for every view above chance, the items that it always gets right."""
    return {
        evidence_key(o.part_name, o.model, o.view_name): o.surest_ids
        for o in results
        if o.is_above_chance(level) and o.surest_ids
    }


def all_item_columns(results: Sequence[ViewResult]) -> dict[str, list[Cell]]:
    """Return every item of every part and view, as columns."""
    rows: list[tuple[Cell, ...]] = []
    for o in results:
        values = zip(
            o.items, o.scores.tolist(), *(e.tolist() for e in _credit_intervals(o)), strict=True
        )
        prefix = (o.split, o.view_name, o.protocol, o.trained_on)
        rows += [(*prefix, item.id, *numbers) for item, *numbers in values]
    return {column: [row[index] for row in rows] for index, column in enumerate(ALL_ITEM_COLUMNS)}


def _credit_intervals(result: ViewResult) -> tuple[Floats, Floats]:
    """Return, for each item, the interval of its share of right answers over repeats or seeds."""
    runs = len(result.credits)
    return wilson_interval(result.credits.sum(axis=0), np.full(len(result.items), runs))
