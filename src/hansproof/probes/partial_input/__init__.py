"""How many items can be answered without the question?

A model is trained and tested with parts of the input hidden (Niven and Kao 2019; Kavumba et al.
2019; Branco et al. 2021): here a bag-of-words model, cross-validated, and any other model through
its predictions. That items can be answered without the question does not show that a given model
answers them this way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

from ..._infra.validation import check_range
from ...linear.features import MAX_PAIRED_WORDS
from ...models.bow import Bow
from ...stats import binomial_power, items_needed
from ...text.tokenizers import Tokenizer
from ...types import Benchmark, Cell, Items, Predictions, Result, Table
from ...views import fields_of
from .._power import SplitPower, describe_power
from .._splits import scored_part
from .._tokens import check_tokens, resolve_tokenizer
from . import cross_validation
from .from_predictions import results_from_predictions
from .hans_score import full_result, hans_score
from .solved_items import ITEM_COLUMNS, all_item_columns, solved_ids, solved_rows
from .splits import EvaluationPart, build_parts
from .verdict import (
    decide_verdict,
    few_items_notes,
    find_best,
    split_differences,
    summarize_nothing,
    write_headline,
    write_notes,
    write_sentences,
)
from .view_result import BOW, COLUMNS, UNDEFINED, HansInterval, ViewResult

Names = str | Sequence[str]  # joined by commas, or in a list
DIFFERENCE_COLUMNS = ("view", "model", "split", "other", "difference", "low", "high")


@dataclass(frozen=True, slots=True)
class PartialInput:
    """The accuracy of a bag of words and of given predictions on every view of every part."""

    needs: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[tuple[str, ...]] = ("predictions", "blind")

    split: str | None = None  # a split, a+b, or pooled; default: every labelled split and pooled
    views: Names | None = None  # e.g. choices,full/shuffled; default: all that hide a part
    ngram: int = 2  # 1: single words, 2: also pairs of adjacent words
    penalty: float = 3.0  # L2 penalty on the weights
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    folds: int = 5  # number of cross-validation folds
    cuts: int = 9  # number of different partitions into folds
    level: float = 0.05  # significance level, corrected for all views and splits
    margin: float = 0.05  # accuracy to gain over chance without the question to be exposed
    randomisations: int = 199  # number of trainings on permuted answers behind each p
    seed: int = 0  # random seed of folds and randomisations

    def __post_init__(self) -> None:
        if self.views is not None and not isinstance(self.views, str):
            object.__setattr__(self, "views", ",".join(self.views))
        check_range("ngram", self.ngram, 1, 2)
        check_range("penalty", self.penalty, 1e-6)
        check_range("folds", self.folds, 2)
        check_range("cuts", self.cuts, 1)
        check_range("level", self.level, 1e-4, 1)
        check_range("margin", self.margin, 1e-3, 1)
        check_range("randomisations", self.randomisations, math.ceil(1 / self.level) - 1)
        check_range("seed", self.seed, 0)

    def __call__(
        self,
        benchmark: Benchmark,
        predictions: Sequence[Predictions] = (),
        blind: Sequence[Predictions] = (),
    ) -> Result:
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        items, parts, unlabelled_notes = build_parts(benchmark, self.split)
        validation = self._build_validation(items, tokens)
        shown_views = cross_validation.parse_views(self.views, fields_of(items))
        bow = validation.evaluate_views(parts, shown_views, self.randomisations, BOW)
        given_runs = [*predictions, *(run for run in blind if run not in predictions)]
        given_results, given_notes = results_from_predictions(benchmark, given_runs)
        results = self._score_all(correct_families(bow.results, given_results))
        best = find_best(results, self.level)
        floor = family_count(bow.results, given_results) / (self.randomisations + 1)
        # the correction for other probes cannot overrule what no randomisation reached
        is_sure = best is not None and (best.q or 0.0) <= floor
        part_names = [part.split for part in parts if part.protocol == "cv"]
        power = None if is_sure else self._estimate_power(bow, scored_part(benchmark, part_names))
        item_rows = solved_rows(results[: len(bow.results)], bow.explanations, self.level)
        notes = self._write_notes(results, given_results, parts, validation.paired_words)
        result = Result(
            probe="partial_input",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict=decide_verdict(results, power, self.level, self.margin),
            summary=self._write_summary(results, best, power),
            headline=write_headline(best) if best else "",
            gain=best.accuracy - best.chance if best else None,
            key=best.build_estimate().name if best else None,
            p=min((o.q for o in results if o.q is not None), default=None),
            p_floor=floor,
            power=power.power if power else None,
            n_needed=power.n_needed if power else None,
            estimates=tuple(o.shown_estimate(self.level) for o in results),
            tables=self._build_tables(results, item_rows),
            evidence=solved_ids(results, self.level),
            notes=(*unlabelled_notes, *given_notes, *notes),
        )
        return check_tokens(result, tokens, items)

    def _score_all(self, results: list[ViewResult]) -> list[ViewResult]:
        """Add the Hans score of each result."""
        return [replace(o, hans=self._score_hans(o, results)) for o in results]

    def _write_notes(
        self,
        results: list[ViewResult],
        given_results: list[ViewResult],
        parts: Sequence[EvaluationPart],
        paired_words: int,
    ) -> list[str]:
        few_items = few_items_notes(given_results, self.level, self.margin)
        return [*write_notes(results, parts), *few_items, *_long_text_note(paired_words)]

    def _build_tables(
        self, results: list[ViewResult], item_rows: tuple[tuple[Cell, ...], ...]
    ) -> dict[str, Table]:
        return {
            "views": Table(COLUMNS, tuple(o.table_row(self.level) for o in results)),
            "differences": Table(DIFFERENCE_COLUMNS, split_differences(results, self.seed)),
            "items": Table(ITEM_COLUMNS, item_rows),
        }

    def all_rows(self, benchmark: Benchmark) -> dict[str, list[Cell]]:
        """Return every item, with how often it is answered without the question, as columns of a
        file.
        """
        items, parts, _ = build_parts(benchmark, self.split)
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        validation = self._build_validation(items, tokens)
        views = cross_validation.parse_views(self.views, fields_of(items))
        return all_item_columns(validation.evaluate_views(parts, views, 0, BOW).results)

    def _estimate_power(self, bow: cross_validation.BowResults, part: str) -> SplitPower | None:
        """Estimate what could be seen in a part; None if nothing can be hidden from a model."""
        blind = [
            o
            for o in bow.results
            if o.is_blind and not o.view.shuffled_fields and (o.split, o.protocol) == (part, "cv")
        ]
        if not blind:
            return None
        n, chance = len(blind[0].items), blind[0].chance
        if all(o.is_fixed for o in blind):  # by construction
            return SplitPower(part, n, 1.0)
        power = bow.estimate_power(part, self.margin, self.level, self.seed)
        if power is not None:
            return power
        needed = items_needed(lambda n: binomial_power(n, chance, self.margin, self.level))
        return SplitPower(part, n, 0.0, None if needed is None else max(needed, n + 1))

    def _write_summary(
        self, results: list[ViewResult], best: ViewResult | None, power: SplitPower | None
    ) -> str:
        if best is not None:
            full = full_result(best, results, self.level)
            return " ".join(write_sentences(results, best, full))
        summary = summarize_nothing(results)
        if power is None or power.is_by_construction:
            return summary
        return f"{summary} {describe_power(power, self.margin)}"

    def _build_validation(
        self, items: Items, tokens: Tokenizer
    ) -> cross_validation.CrossValidation:
        """Prepare the cross-validation of a bag of words."""
        bow = Bow(ngram=self.ngram, penalty=self.penalty, tokenizer=tokens.name)
        return cross_validation.CrossValidation(
            bow, items, self.folds, self.cuts, self.seed, self.level
        )

    def _score_hans(self, result: ViewResult, results: list[ViewResult]) -> HansInterval:
        if not result.is_blind:
            return UNDEFINED
        return hans_score(result, full_result(result, results, self.level), self.seed)


def correct_families(
    bow_results: list[ViewResult], given_results: list[ViewResult]
) -> list[ViewResult]:
    """Correct for two families, if both could find something; each is corrected by itself."""
    factor = family_count(bow_results, given_results)
    return [
        replace(o, q=_multiply(o.q, factor), q_floor=_multiply(o.q_floor, factor))
        for o in (*bow_results, *given_results)
    ]


def _multiply(p: float | None, factor: int) -> float | None:
    return None if p is None else min(1.0, factor * p)


def family_count(bow_results: list[ViewResult], given_results: list[ViewResult]) -> int:
    """Return 2 if both families of tests could find something, else 1.

    A p of 1 says that a test cannot, except for folds, where it only says that the test did not.
    """
    live = [
        any(o.q is not None and ((o.p or 0) < 1 or o.fold_sizes) for o in family)
        for family in (bow_results, given_results)
    ]
    return 2 if all(live) else 1


def _long_text_note(paired: int) -> tuple[str, ...]:
    if paired >= MAX_PAIRED_WORDS:
        return ()
    return (
        f"The texts are long, so only the first {paired} words of each field are paired with "
        "words of the choices; accuracy on the full input may be underestimated.",
    )
