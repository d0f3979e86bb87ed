from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import build_layout, count_cues
from hansproof.cues.incidence import build_incidence, sort_rows_by
from hansproof.text.ngrams import extract_ngrams
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Item

from ..support.code_paths import code_path  # noqa: F401

WORD = get_tokenizer("word")


@st.composite
def benchmarks(draw: st.DrawFn) -> tuple[Item, ...]:
    """Items of two to five choices over a tiny vocabulary, so that words recur."""
    text = st.lists(st.sampled_from("abcdef"), max_size=draw(st.sampled_from([4, 70])))
    items = []
    for i in range(draw(st.integers(1, 8))):
        choices = draw(st.lists(text.map(" ".join), min_size=2, max_size=5))
        items.append(Item(str(i), {}, tuple(choices), draw(st.integers(0, len(choices) - 1))))
    return tuple(items)


def naive(items: tuple[Item, ...], order: int) -> tuple[Counter[str], Counter[str]]:
    """The definition, word for word."""
    applicability: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for item in items:
        sets = [set(extract_ngrams(WORD.split(choice), order)) for choice in item.choices]
        for j, own in enumerate(sets):
            others = set().union(*(s for k, s in enumerate(sets) if k != j))
            for cue in own - others:
                applicability[cue] += 1
                hits[cue] += j == item.answer
    return applicability, hits


@given(benchmarks())
@settings(max_examples=200)
def test_counts_equal_the_naive_definition(items: tuple[Item, ...]) -> None:
    for one in count_cues(items, WORD, 4, build_layout(items)):
        applicability, hits = naive(items, one.order)
        found = [i for i in range(one.keys.size) if one.applicability[i]]
        assert {one.cue_text(i): int(one.applicability[i]) for i in found} == dict(applicability)
        assert {one.cue_text(i): int(one.hits[i]) for i in found} == {
            c: hits[c] for c in applicability
        }


@given(benchmarks())
def test_rows_point_at_the_choice_that_has_the_cue(items: tuple[Item, ...]) -> None:
    where = build_layout(items)
    texts = [choice for item in items for choice in item.choices]
    for one in count_cues(items, WORD, 2, where):
        assert (
            np.bincount(one.ngram, minlength=one.keys.size).tolist() == one.applicability.tolist()
        )
        for ngram, text in zip(one.ngram, one.text, strict=True):
            assert one.cue_text(int(ngram)) in extract_ngrams(WORD.split(texts[text]), one.order)
        first = one.first_texts()
        for ngram in set(one.ngram.tolist()):
            assert first[ngram] == one.text[one.ngram == ngram].min()


@given(benchmarks(), st.integers(1, 3))
def test_incidence_keeps_cues_that_apply_often_enough(items: tuple[Item, ...], least: int) -> None:
    where = build_layout(items)
    counts = count_cues(items, WORD, 2, where)
    found = build_incidence(counts, where, least)
    expected = sorted(
        int(a) for one in counts for a in one.applicability if a >= least
    )  # fmt: skip
    assert sorted(np.bincount(found.cue, minlength=found.cues).tolist()) == expected
    for item, choice, hit in zip(found.item, found.choice, found.hit, strict=True):
        assert hit == (items[item].answer == choice)


@given(st.lists(st.integers(0, 9), max_size=50))
def test_rows_by_sorts_stably(numbers: list[int]) -> None:
    rows, start = sort_rows_by(np.array(numbers, np.int64), 10)
    for n in range(10):
        expected = [i for i, number in enumerate(numbers) if number == n]
        assert rows[start[n] : start[n + 1]].tolist() == expected
