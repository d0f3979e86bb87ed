"""Can items be answered from length, order, overlap or typography, without reading a word?

Each tell picks the choices that stand out by it and scores an item 1/t when the answer is among
the t it picks, so that ties count by expectation; a tell that picks all choices scores 1/m.
Misleads where a tell rarely applies: see `applies`. Below chance is a tell too, read backwards.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.special import ndtr

from .._infra.validation import check_range
from ..scoring import chance_level
from ..stats import benjamini_hochberg, binomial_p, group_count, group_numbers, mean_interval
from ..text.tokenizers import WORD
from ..training.leakage_groups import groups_for_tests
from ..types import Benchmark, Cell, Estimate, Item, Items, Result, Scalar, Table, Verdict
from ._splits import labelled_splits
from ._text import as_clauses

COLUMNS = (
    "split", "slice", "tell", "accuracy", "low", "high", "chance", "n", "applies", "tie_rate",
    "p", "q", "flag",
)  # fmt: skip
NEGATION = re.compile(
    r"\b(not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|\w+n[’']t)\b", re.I
)
MAX_SLICES = 10  # a meta value with more kinds than this is no slice
MIN_SLICE_ITEMS = 20  # items a slice must have

GroupIds = Sequence[str | None]
TELL = "tell"  # the flag of a tell that is significant

PickChoices = Callable[
    [Item], list[int]
]  # the choices a tell singles out; all of them: it says nothing


@dataclass(frozen=True, slots=True)
class Surface:
    """The accuracy of every surface tell, per split and per slice of the items' meta."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it every labelled split
    level: float = 0.05  # false-discovery rate at which a tell is flagged
    margin: float = 0.05  # a flagged tell is worth that much accuracy to be called exposed

    def __post_init__(self) -> None:
        check_range("level", self.level, 0, 1)
        check_range("margin", self.margin, 0, 1)

    def __call__(self, benchmark: Benchmark) -> Result:
        parts, notes = labelled_splits(benchmark, self.split)
        scored = [
            _score_tell(split, part, tell, picks, groups)
            for split, split_items in parts.items()
            # groups are found once for all tells
            for slices in [[(s, groups_for_tests(s.items)) for s in slice_items(split_items)]]
            for tell, picks in build_tells(split_items).items()
            for part, groups in slices
        ]
        q = benjamini_hochberg([score.p for score in scored])
        torn = group_splitting_keys(parts)
        is_judged = [s.slice_key not in torn for s in scored]
        judged_q = [float(value) for value, judged in zip(q, is_judged, strict=True) if judged]
        flagged = [
            s
            for s, value, judged in zip(scored, q, is_judged, strict=True)
            if judged and value <= self.level
        ]
        flagged_splits = [s for s in flagged if not s.slice]
        worst = max(flagged, key=TellScore.gain, default=None)
        summary = _write_summary(flagged, worst, len(scored))
        return Result(
            probe="surface",
            params=asdict(self),
            verdict=self._decide_verdict(flagged),
            summary=summary,
            clauses=as_clauses([summary]),
            key=worst.build_estimate().name if worst and not worst.slice else None,
            p=min(judged_q, default=1.0),
            estimates=tuple(s.build_estimate() for s in scored if not s.slice),
            tables={"tells": Table(COLUMNS, tuple(
                s.table_row(float(value), self.level) for s, value in zip(scored, q, strict=True)
            ))},
            evidence={evidence_key(s.split, s.tell): s.solved_ids for s in flagged_splits},
            notes=(*notes, *(f"Slices by {key} part groups: listed, not judged." for key in torn)),
        )  # fmt: skip

    def _decide_verdict(self, flagged: list[TellScore]) -> Verdict:
        if any(s.gain() >= self.margin for s in flagged):
            return "exposed"
        return "caution" if flagged else "clear"


def build_tells(items: Items) -> dict[str, PickChoices]:
    """Return every tell by name; overlap once for each field of the items."""
    picks_by_tell: dict[str, PickChoices] = {
        "longest": lambda item: _largest_indices([len(c.strip()) for c in item.choices]),
        "shortest": lambda item: _largest_indices([-len(c.strip()) for c in item.choices]),
        "first": lambda item: [0],
        "last": lambda item: [len(item.choices) - 1],
        "odd capitalisation": lambda item: _odd_choice(
            [c.strip()[:1].isupper() for c in item.choices]
        ),
        "digit": lambda item: _choices_having(any(map(str.isdigit, c)) for c in item.choices),
        "punctuation inside": lambda item: _choices_having(
            _has_punctuation(c) for c in item.choices
        ),
        "negation": lambda item: _choices_having(bool(NEGATION.search(c)) for c in item.choices),
    }
    for field in dict.fromkeys(name for item in items for name in item.fields):
        picks_by_tell[f"most overlap with {field}"] = lambda item, f=field: _largest_indices(
            _word_overlap(item, f)
        )  # type: ignore[misc]
        picks_by_tell[f"least overlap with {field}"] = lambda item, f=field: _largest_indices(  # type: ignore[misc]
            [-n for n in _word_overlap(item, f)]
        )
    return picks_by_tell


def evidence_key(split: str, tell: str) -> str:
    """Name the items of a split that a tell answers."""
    return f"{split}: {tell}"


class ItemSlice(NamedTuple):
    """Items that share a value of `meta`, or all items."""

    name: str  # `key=value`; empty: all items
    items: Items
    key: str = ""


def slice_items(items: Items) -> Iterator[ItemSlice]:
    """Yield all items, then those that share a value of `meta`, for keys with few values."""
    yield ItemSlice("", items)
    for key in dict.fromkeys(key for item in items for key in item.meta):
        values = Counter(item.meta.get(key) for item in items)
        if not 2 <= len(values) <= MAX_SLICES:
            continue
        for value, n in values.items():
            if n >= MIN_SLICE_ITEMS and value is not None:
                sharing = tuple(i for i in items if i.meta.get(key) == value)
                yield ItemSlice(f"{key}={value}", sharing, key)


def group_splitting_keys(parts: dict[str, Items]) -> list[str]:
    """Return the keys of `meta` by which items of one group differ, such as `mirrored`.

    A tell that is right in one half of mirrored pairs is wrong in the other, and models do not
    know the half.
    """
    values: dict[tuple[str, str], set[Scalar]] = defaultdict(set)
    for item in chain.from_iterable(parts.values()):
        for key, value in item.meta.items():
            if item.group is not None:
                values[item.group, key].add(value)
    return list(
        dict.fromkeys(key for (_, key), key_values in values.items() if len(key_values) > 1)
    )


def _largest_indices(values: list[int]) -> list[int]:
    best = max(values)
    return [i for i, value in enumerate(values) if value == best]


def _odd_choice(has_feature: list[bool]) -> list[int]:
    """Return the only choice that differs from all others; of two, the one with the feature."""
    for value in (True, False):
        if has_feature.count(value) == 1:
            return [has_feature.index(value)]
    return list(range(len(has_feature)))


def _choices_having(features: Iterator[bool]) -> list[int]:
    has_feature = list(features)
    return [i for i, has in enumerate(has_feature) if has] or list(range(len(has_feature)))


def _has_punctuation(choice: str) -> bool:
    """Whether a choice has punctuation other than a full stop at its end."""
    return any(c in string.punctuation for c in choice.strip().removesuffix("."))


def _word_overlap(item: Item, field: str) -> list[int]:
    words = set(WORD.findall(item.fields.get(field, "").lower()))
    return [len(words & set(WORD.findall(c.lower()))) for c in item.choices]


@dataclass(frozen=True, slots=True)
class TellScore:
    """The accuracy of one tell on one slice."""

    split: str
    slice: str
    slice_key: str  # of `meta`; empty for all items
    tell: str
    accuracy: float
    low: float
    high: float
    chance: float
    n: int
    applies: float
    tie_rate: float
    p: float
    solved_ids: tuple[str, ...]  # items the tell, or its opposite, answers alone

    def gain(self) -> float:
        """Return the gain over guessing of following the tell, or of avoiding its picks."""
        above = self.accuracy - self.chance
        return above if above > 0 else -above * self.chance / (1 - self.chance)

    def table_row(self, q: float, level: float) -> tuple[Cell, ...]:
        """Return the row of the table (see COLUMNS)."""
        return (
            self.split, self.slice, self.tell, self.accuracy, self.low, self.high, self.chance,
            self.n, self.applies, self.tie_rate, self.p, q, TELL if q <= level else "",
        )  # fmt: skip

    def build_estimate(self) -> Estimate:
        """Return the accuracy as an estimate."""
        return Estimate(
            f"{self.split}: {self.tell}", self.accuracy, self.low, self.high, self.n, self.chance,
            split=self.split,
        )  # fmt: skip


def _score_tell(
    split: str, part: ItemSlice, tell: str, picks: PickChoices, groups: GroupIds
) -> TellScore:
    items = part.items
    picked = [picks(item) for item in items]
    sizes = np.array([len(item.choices) for item in items])
    number = np.array([len(p) for p in picked])
    right = np.array([item.answer in p for item, p in zip(items, picked, strict=True)])
    scores = right / number
    applies = number < sizes
    low, high = mean_interval(scores, groups)
    if group_count(groups) < len(groups):
        p = _grouped_p(items, picked, groups)
    else:
        # where the tell says something, its picks hold the answer with probability t/m by chance
        odds = float((number / sizes)[applies].mean()) if applies.any() else 0.5
        p = float(binomial_p(int(right[applies].sum()), int(applies.sum()), odds))
    chance = chance_level(items)
    is_above = scores.mean() >= chance
    decisive = applies & (right & (number == 1) if is_above else ~right & (number == sizes - 1))
    return TellScore(
        split, part.name, part.key, tell, float(scores.mean()), low, high, chance, len(items),
        float(applies.mean()), float((number > 1).mean()), p,
        tuple(items[i].id for i in np.flatnonzero(decisive)),
    )  # fmt: skip


def _grouped_p(items: Items, picked: list[list[int]], groups: GroupIds) -> float:
    """Return the two-sided p of a tell where the items of a group are dependent.

    Under the null the answers of a group are rotated together by a random number of positions.
    The mean and the variance of its score can be enumerated; groups are independent.
    """
    turns = math.lcm(*{len(item.choices) for item in items})
    group = group_numbers(groups)
    scores = np.zeros((int(group.max()) + 1, turns))
    for item, picks, g in zip(items, picked, group, strict=True):
        m = len(item.choices)
        by_answer = np.zeros(m)
        by_answer[picks] = 1 / len(picks)
        scores[g] += by_answer[(int(item.answer or 0) + np.arange(turns)) % m]
    variance = float(scores.var(axis=1).sum())
    if variance <= 1e-12:
        return 1.0
    distance = float(scores[:, 0].sum() - scores.mean(axis=1).sum())
    return float(2 * ndtr(-abs(distance) / math.sqrt(variance)))


def _write_summary(flagged: list[TellScore], worst: TellScore | None, tests: int) -> str:
    if worst is None:
        return f"No surface tell is beyond chance ({tests} looked at)."
    location = worst.split + (f", {worst.slice}" if worst.slice else "")
    kinds = len({s.tell for s in flagged})
    subject = f"{kinds} surface tells are" if kinds > 1 else "One surface tell is"
    below = "" if worst.accuracy > worst.chance else ", so avoiding it pays"
    return (
        f"{subject} beyond chance; the most useful, “{worst.tell}” ({location}), is right "
        f"{worst.accuracy:.1%} of the time (chance {worst.chance:.1%}){below}."
    )
