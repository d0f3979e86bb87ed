"""Which features of the choices give the answers away?

A ladder of features, from typography to words, relations and language models (Branco et al. 2021
asked what blind models use). Each rung has a cross-validated blind model of its own; rules are
searched in one half of the items and tested in the other, and the whole search is repeated on
permuted answers. A note lists the rungs that were not tried.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal

from ..._infra.validation import check_range
from ...inputs.choice_vectors import ChoiceVectors
from ...inputs.likelihoods import ChoiceLikelihoods
from ...records.nested import is_order_drawn
from ...rules.climb import CERTAIN, Climb, climb_ladder, least_permutations
from ...rules.encoder import ChoiceCoordinates
from ...rules.features import choice_texts
from ...rules.frequency import ChoiceLogs
from ...types import POOLED, Benchmark, Items, Predictions, Result, View
from ...views import CHOICES
from .._splits import labelled_splits
from .._tokens import check_tokens, resolve_tokenizer
from ..partial_input.bounds import score_bound
from .blind_scores import BlindScore, given_scores, ladder_score
from .power import compute_power
from .tables import EMPTY_TABLES, build_estimates, build_tables, leading_rung, rule_evidence
from .verdict import decide_verdict, is_doubtful, untried_note, write_headline, write_summary

BY_DESIGN = "Without the question, every model scores chance by design of the items."
SPACES_NOTE = (
    "Copies of some items differ in the spaces around their choices, which give nothing away."
)


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """The accuracy of every rung, the share of the blind score it explains, and its rules."""

    needs: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[tuple[str, ...]] = ("predictions", "blind", "lm", "encoder")

    split: str | None = None  # a split or a+b; default: all labelled items pooled
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    level: float = 0.05  # significance level of the whole search
    margin: float = 0.05  # accuracy over chance from which the blind score is exposed
    randomisations: int = 99  # number of searches in permuted answers, where they are needed
    seed: int = 0  # random seed of folds and permutations

    def __post_init__(self) -> None:
        check_range("level", self.level, 1e-4, 1)
        check_range("margin", self.margin, 1e-3, 1)
        check_range("randomisations", self.randomisations, least_permutations(self.level))
        check_range("seed", self.seed, 0)

    def __call__(
        self,
        benchmark: Benchmark,
        predictions: Sequence[Predictions] = (),
        blind: Sequence[Predictions] = (),
        lm: Sequence[ChoiceLikelihoods] = (),
        encoder: Sequence[ChoiceVectors] = (),
    ) -> Result:
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        parts, notes = labelled_splits(benchmark, self.split)
        items = tuple(item for split_items in parts.values() for item in split_items)
        part = POOLED if len(parts) > 1 else next(iter(parts))
        names = {"lm": [model.model for model in lm], "encoder": [model.model for model in encoder]}
        models = {name: tuple(used) for name, used in names.items() if used}
        params = {**asdict(self), "tokenizer": tokens.name, **models}
        design = _check_design(items)
        if design == "exact":
            return _even_result(params, notes)
        climb = climb_ladder(
            items, tokens, _read_logs(lm, items), _read_vectors(encoder, items),
            self.randomisations if self.level > CERTAIN else 0, self.seed,
        )  # fmt: skip
        if design == "but for spaces" and climb.p > self.level:
            return _even_result(params, (*notes, SPACES_NOTE))
        runs = [*predictions, *(run for run in blind if run not in predictions)]
        blind_scores, run_notes = given_scores(benchmark, runs, items)
        result = self._build_result(part, climb, [ladder_score(climb), *blind_scores], params)
        result = check_tokens(result, tokens, items)
        more_notes = (*run_notes, untried_note(climb), *_model_notes(lm, encoder))
        return _add_notes(result, (*notes, *more_notes))

    def _build_result(
        self, part: str, climb: Climb, scores: list[BlindScore], params: dict[str, Any]
    ) -> Result:
        power = compute_power(part, climb, self.margin, self.level)
        best = max(scores, key=lambda score: score.accuracy)
        rules = climb.significant_rules(self.level)
        gain = float(climb.blind.mean()) - climb.chance
        is_found = climb.p <= self.level
        leading = leading_rung(climb, self.level) if is_found else ""
        return Result(
            probe="shortcuts",
            params=params,
            verdict=decide_verdict(climb, self.level, power, self.margin, best),
            summary=write_summary(part, climb, best, rules, leading, power, self.margin),
            headline=write_headline(part, climb, rules, leading) if is_found else "",
            gain=max(gain, 0.0) if is_found else None,
            key=f"{part}: {ladder_score(climb).model}",
            p=climb.p,
            p_floor=climb.p_floor,
            # a small p-value does not clear the items, even if an audit overrules the finding
            power=None if is_doubtful(climb, power, best) else power.power,
            n_needed=None if is_doubtful(climb, power, best) else power.n_needed,
            estimates=build_estimates(part, climb, scores, self.level),
            tables=build_tables(part, climb, scores, best, leading, self.level, self.seed),
            evidence=rule_evidence(climb, rules),
        )


def _check_design(items: Items) -> Literal["free", "but for spaces", "exact"]:
    """Tell whether all choices are right equally often, exactly or but for the spaces around them.

    If so, each item with several choices has a copy, which is quick to rule out. Copies with the
    choices in another order may still differ in the place of the right one.
    """
    texts = [frozenset(map(str.strip, item.choices)) for item in items if len(item.choices) > 1]
    if len({*texts}) > len(texts) // 2:
        return "free"
    if not (is_order_drawn(items) or _has_even_places(items)):
        return "free"
    bound = score_bound(View((CHOICES,)), items)
    return "exact" if bound.even_exactly else "but for spaces" if bound.even else "free"


def _has_even_places(items: Items) -> bool:
    """Tell whether, of each list of choices, every place is right equally often."""
    answers_by_list: dict[tuple[str, ...], Counter[int]] = defaultdict(Counter)
    for item in items:
        answers_by_list[tuple(map(str.strip, item.choices))][item.answer or 0] += 1
    return all(
        len(answers) == len(choices) and len({*answers.values()}) == 1
        for choices, answers in answers_by_list.items()
    )


def _even_result(params: dict[str, Any], notes: tuple[str, ...]) -> Result:
    return Result(
        "shortcuts", params, "clear", BY_DESIGN, notes=notes, power=1.0, tables=EMPTY_TABLES
    )


def _read_logs(lm: Sequence[ChoiceLikelihoods], items: Items) -> list[ChoiceLogs]:
    return [ChoiceLogs(model.model, model.totals(items), model.means(items)) for model in lm]


def _read_vectors(encoder: Sequence[ChoiceVectors], items: Items) -> list[ChoiceCoordinates]:
    texts = choice_texts(items)
    return [ChoiceCoordinates(model.model, model.rows(items), texts) for model in encoder]


def _model_notes(
    lm: Sequence[ChoiceLikelihoods], encoder: Sequence[ChoiceVectors]
) -> tuple[str, ...]:
    return tuple(
        f"{kind} are those of {model.model} (fingerprint {model.fingerprint[:80]}, computed on "
        f"{model.device or 'an unknown device'})."
        for kind, models in (("Likelihoods", lm), ("Vectors", encoder))
        for model in models
    )


def _add_notes(result: Result, notes: Sequence[str]) -> Result:
    return replace(result, notes=(*(note for note in notes if note), *result.notes))
