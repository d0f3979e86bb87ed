"""Small benchmarks with odd texts, and their layouts, for tests of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import xor

import numpy as np
from hypothesis import strategies as st

from hansproof.cues.counts import ChoiceLayout, build_layout
from hansproof.rules.climb import Climb, build_blocks, climb_ladder
from hansproof.rules.columns import FeatureColumns
from hansproof.rules.features import FeatureBlock, choice_texts, min_items
from hansproof.text.encoding import EncodedTexts, encode_texts
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Item, Items

WORD = get_tokenizer("word")

# English and not, with and without edges that mean something
POOL = (
    "", " ", "  ", "the cat", "The cat", "The cat.", " The cat ", "not the cat", "a cat, a dog",
    "A cat, a dog and 2 mice!", "all of the above", "none of these", "U.S. Army", "12", "12 3/4",
    "cats", "cat's", "category", "it is often slower, but never quickly stopping", "Straße",
    "STRASSE", "don’t", "don't", "naïve café", "a\u00a0b", "a\u200bb", "a\ufeff", "x\ty", "x\ny",
    "שלום עולם", "مرحبا، 12.", "猫と犬。", "日本", "👍", "👍🏽 ok", "🇩🇪", "e\u0301", "ﬁ", "ǅ",
    "²³", "½", "a station", "stations", "the states",
    "(a) — “b” … c", "%", "₤5", "...", "?", "a  b",
)  # fmt: skip
ALPHABET = "abAB 1.,-’é\u0301\u00a0\u200b\u202eش猫👍ß\n"
TEXTS = st.one_of(st.sampled_from(POOL), st.text(ALPHABET, max_size=7))
WORDS = (
    "the", "a", "not", "no", "is", "was", "all", "some", "of", "in", "and", "or", "very", "2",
    "cat", "dog", "cats", "house", "houses", "slowly", "running", "wanted", "station",
    "states", "bigger",
)  # fmt: skip


@st.composite
def odd_items(draw: st.DrawFn, min_choices: int = 1, most: int = 10) -> Items:
    """Items with few distinct texts, so that features recur; some share all their texts."""
    pool = draw(st.lists(TEXTS, min_size=2, max_size=9))
    texts = st.lists(st.sampled_from(pool), min_size=min_choices, max_size=5)
    rows = draw(st.lists(texts, min_size=1, max_size=most))
    return tuple(Item(f"{i}", {"q": f"why {i}"}, tuple(row), 0) for i, row in enumerate(rows))


def random_items(
    seed: int,
    n: int,
    sizes: Sequence[int] = (2, 3, 4, 5),
    copies: float = 0.0,
    groups: float = 0.0,
    words: Sequence[str] = WORDS,
) -> Items:
    """Items of random words and answers; some are copies of others, some are in groups."""
    rng = np.random.default_rng(seed)
    items: list[Item] = []
    for i in range(n):
        m = int(rng.choice(sizes))
        choices = tuple(_random_text(rng, words) for _ in range(m))
        if items and rng.random() < copies:
            previous = items[int(rng.integers(len(items)))].choices
            choices = tuple(previous[j] for j in rng.permutation(len(previous)))
        group = f"g{rng.integers(max(n // 3, 1))}" if rng.random() < groups else None
        answer = int(rng.integers(len(choices)))
        items.append(Item(f"{i}", {"q": f"why {i}"}, choices, answer, group))
    return tuple(items)


def _random_text(rng: np.random.Generator, words: Sequence[str]) -> str:
    text = " ".join(rng.choice(words, int(rng.integers(1, 6))))
    text = text.capitalize() if rng.random() < 0.4 else text
    return text + str(rng.choice(["", "", "", ".", ",", " 👍"]))


def planted_items(
    seed: int, n: int, marks: Sequence[str], form: str, m: int = 4, noise: float = 0.0
) -> Items:
    """Items in which a choice with some of the marks is right: `and`, `and not` or `xor` of them.

    Wrong choices have other combinations of marks. All have five words of four letters, so that
    their lengths say nothing.
    """
    rng = np.random.default_rng(seed)
    sets = [frozenset(np.flatnonzero([i >> k & 1 for k in range(len(marks))]).tolist())
            for i in range(2 ** len(marks))]  # fmt: skip
    right = [s for s in sets if fits_form(s, len(marks), form)]
    wrong = [s for s in sets if s not in right]
    items = []
    for i in range(n):
        answer = int(rng.integers(m))
        drawn = [wrong[k] for k in rng.integers(len(wrong), size=m)]
        if rng.random() >= noise:
            drawn[answer] = right[int(rng.integers(len(right)))]
        texts = []
        for marked in drawn:
            fillers = rng.choice(["blue", "grey", "pink", "gold", "teal", "rust"], 5 - len(marked))
            words = [*fillers, *(marks[k] for k in marked)]
            texts.append(" ".join(map(str, rng.permutation(words))))
        items.append(Item(f"{i}", {"q": f"why {i}"}, tuple(texts), answer))
    return tuple(items)


def fits_form(marked: Iterable[int], n_marks: int, form: str) -> bool:
    """Whether a choice with some of the marks fits: all, all but the last, or an odd number."""
    has = [k in {*marked} for k in range(n_marks)]
    if form == "xor":
        return reduce(xor, has)
    return all(has[:-1]) and has[-1] == (form == "and")


def encode(items: Items) -> tuple[list[str], EncodedTexts, ChoiceLayout]:
    """The texts of all choices, their words, and where they are."""
    texts = choice_texts(items)
    return texts, encode_texts(texts, WORD), build_layout(items)


def build_columns(items: Items) -> FeatureColumns:
    """The features of all rungs."""
    layout, blocks = build_blocks(items, WORD)
    return FeatureColumns(blocks, layout)


def climb(items: Items, permutations: int = 39, seed: int = 0) -> Climb:
    """A whole search with few permutations."""
    return climb_ladder(items, WORD, permutations=permutations, seed=seed)


Columns = Counter[tuple[bool, ...]]


def block_columns(block: FeatureBlock | None, layout: ChoiceLayout) -> Columns:
    """The columns of a block, whatever their features are called."""
    n = int(layout.item.size)
    features = range(block.size) if block else ()
    return Counter(tuple(block.column(f, n).tolist()) for f in features)  # type: ignore[union-attr]


def kept_columns(masks: Iterable[Sequence[bool]], items: Items) -> Columns:
    """The masks that tell choices apart in enough items, or that enough items have."""
    kept: Columns = Counter()
    for mask in masks:
        telling, total = count_items(mask, items)
        if telling >= min_items(len(items)) or total >= 16:
            kept[tuple(map(bool, mask))] += 1
    return kept


def count_items(mask: Sequence[bool], items: Items) -> tuple[int, int]:
    """In how many items a feature tells choices apart, and how many have it at all."""
    telling = total = start = 0
    for item in items:
        marked = sum(mask[start : start + len(item.choices)])
        telling += 0 < marked < len(item.choices)
        total += marked > 0
        start += len(item.choices)
    return telling, total
