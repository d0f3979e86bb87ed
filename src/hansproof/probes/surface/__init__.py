"""Can items be answered by length, order, overlap or typography, without understanding a word?

A tell is a surface property, such as being the longest choice. Each tell picks the choices that
stand out by it and scores an item 1/t if the answer is among the t it picks, so that ties get their
expected credit; a tell that picks all choices scores 1/m. Misleads where a tell rarely applies:
look at `applies`. A tell below chance is useful too: avoid what it picks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from ..._infra.validation import check_range
from ...stats import benjamini_hochberg
from ...text.tokenizers import Tokenizer
from ...training.leakage_groups import groups_for_tests
from ...types import POOLED, Benchmark, Items, Result, Table
from .._power import widen_interval
from .._splits import scored_part, tested_parts
from .._tokens import check_tokens, resolve_tokenizer
from .slices import group_splitting_keys, slice_items
from .tell_score import COLUMNS, TellScore, score_tell
from .tells import build_tells
from .verdict import compute_power, decide_verdict, write_headline, write_summary

if TYPE_CHECKING:
    from ...inputs.likelihoods import ChoiceLikelihoods


@dataclass(frozen=True, slots=True)
class Surface:
    """The accuracy of every surface tell, per split and per slice of the items by `meta`."""

    needs: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[tuple[str, ...]] = ("lm",)

    split: str | None = None  # a split, a+b, or pooled; default: every labelled split
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    level: float = 0.05  # false-discovery rate at which a tell is flagged
    margin: float = 0.05  # accuracy that a flagged tell must gain over chance to be exposed

    def __post_init__(self) -> None:
        check_range("level", self.level, 0, 1)
        check_range("margin", self.margin, 1e-3, 1)

    def __call__(self, benchmark: Benchmark, lm: Sequence[ChoiceLikelihoods] = ()) -> Result:
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        parts, notes = tested_parts(benchmark, self.split)
        scored = _score_splits(parts, tokens, lm)
        q = benjamini_hochberg([score.p for score in scored]).tolist()
        torn = group_splitting_keys(parts)
        judged = [
            (score, value)
            for score, value in zip(scored, q, strict=True)
            if score.slice_key not in torn
        ]
        flagged = [score for score, value in judged if value <= self.level]
        # of two choices, taking the longest is easier to say than avoiding the shortest
        worst = max(flagged, key=lambda s: (round(s.split_gain(), 9), s.accuracy), default=None)
        part = scored_part(benchmark, parts)
        models = [model.model for model in lm]
        power = compute_power(scored, part, self.margin, self.level)
        result = Result(
            probe="surface",
            params={**asdict(self), "tokenizer": tokens.name, **_name_models(lm)},
            verdict=decide_verdict(worst, power, self.margin),
            summary=write_summary(flagged, worst, power, self.margin, models),
            headline=write_headline(worst, models) if worst else "",
            gain=worst.split_gain() if worst else None,
            key=worst.build_estimate().name if worst else None,
            p=min((value for _, value in judged), default=1.0),
            power=power.power,
            n_needed=power.n_needed,
            estimates=tuple(
                widen_interval(score.build_estimate(), score in flagged)
                for score in scored
                if not score.slice or score is worst
            ),
            tables={"tells": self._build_table(scored, q)},
            evidence={evidence_key(s.split, s.tell): s.solved_ids for s in flagged if not s.slice},
            notes=(*notes, *_unjudged_notes(torn), *_model_notes(lm)),
        )
        return check_tokens(result, tokens, parts[part])

    def _build_table(self, scored: list[TellScore], q: list[float]) -> Table:
        rows = zip(scored, q, strict=True)
        return Table(COLUMNS, tuple(score.table_row(value, self.level) for score, value in rows))


def _unjudged_notes(keys: list[str]) -> list[str]:
    return [
        f"Results by {key} are not judged, since its values separate items of a group."
        for key in keys
    ]


def _name_models(lm: Sequence[ChoiceLikelihoods]) -> dict[str, tuple[str, ...]]:
    return {"lm": tuple(model.model for model in lm)} if lm else {}


def _model_notes(lm: Sequence[ChoiceLikelihoods]) -> list[str]:
    return [
        f"Likelihoods are those of {model.model} (fingerprint {model.fingerprint[:80]}, computed "
        f"on {model.device or 'an unknown device'})."
        for model in lm
    ]


def evidence_key(split: str, tell: str) -> str:
    """Name the items of a split that a tell answers."""
    return f"{split}: {tell}"


def _score_splits(
    parts: dict[str, Items], tokens: Tokenizer, lm: Sequence[ChoiceLikelihoods]
) -> list[TellScore]:
    return [s for split, items in parts.items() for s in _score_split(split, items, tokens, lm)]


def _score_split(
    split: str, items: Items, tokens: Tokenizer, lm: Sequence[ChoiceLikelihoods]
) -> list[TellScore]:
    # groups are found once for all tells
    slices = [
        (part, groups_for_tests(part.items))
        for part in slice_items(items)
        if split != POOLED or not part.name  # its slices are those of the splits
    ]
    return [
        replace(score_tell(split, part, tell, picks, groups), share=len(part.items) / len(items))
        for tell, picks in build_tells(items, tokens, lm).items()
        for part, groups in slices
    ]
