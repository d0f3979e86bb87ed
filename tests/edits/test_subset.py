from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hansproof import load
from hansproof.cues.null_band import NullBand
from hansproof.cues.strength import REMOVED
from hansproof.edits.subset import (
    MANY_WEAK_NOTE,
    SINGLE_CUES_NOTE,
    Subset,
    until_no_rule,
    until_null,
    until_significant,
)
from hansproof.edits.subset.selection import SELECTION_NOTE
from hansproof.errors import BadInput
from hansproof.probes.cues import Cues
from hansproof.probes.shortcuts import Shortcuts
from hansproof.stats import binomial_p, binomial_sf
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Benchmark, Item, Items

from ..support.cue_factories import significant_cues, some_items
from ..support.markers import needs_data
from ..support.quiz_factories import uneven_quiz

WORD = get_tokenizer("word")


def flags(benchmark: Benchmark) -> int:
    """How many cues `run cues` flags, in all parts."""
    table = Cues(randomisations=1)(benchmark).tables["summary"]
    telling, eliminating = (table.columns.index(name) for name in ("telling", "eliminating"))
    return sum(int(row[telling] or 0) + int(row[eliminating] or 0) for row in table.rows)


def test_no_cue_is_flagged_in_what_is_kept_by_any_part() -> None:
    items = some_items(4, 400, (2,), telling=0.75)
    before = Benchmark("b", {"train": items[:250], "test": items[250:]}, {"train": "train"})
    assert flags(before) > 0
    edited = Subset()(before)
    assert flags(edited.benchmark) == 0
    assert edited.benchmark.roles == before.roles
    kept = {i.id for some in edited.benchmark.splits.values() for i in some}
    assert set(edited.report.evidence["left out"]) == {i.id for i in items} - kept
    assert edited.report.tables["significant"].rows[1][2] == 0


def test_groups_stay_whole() -> None:
    items = some_items(4, 200, (2,), telling=0.8)
    tied = tuple(Item(i.id, i.fields, i.choices, i.answer, f"{int(i.id) // 2}") for i in items)
    for until in ("significant", "null"):
        kept = Subset(until=until)(Benchmark("b", {"all": tied})).benchmark.splits["all"]
        assert 0 < len(kept) < 200
        groups = [i.group for i in kept]
        assert all(groups.count(group) == 2 for group in groups)


def test_the_strength_of_what_is_kept_is_inside_its_band() -> None:
    items = some_items(4, 300, (2,), telling=0.75)
    band = NullBand.from_ngrams(items, WORD, 2, 999, 0)
    out = until_null.groups_to_remove(band)
    assert not band.is_inside(band.make_states(out[:0], REMOVED))
    assert band.is_inside(band.make_states(out, REMOVED))
    assert 0 < until_null.min_items_removed(band) <= out.size
    greedy = band.make_search().take_out(np.arange(300), 0, 300)
    assert out.size <= band.groups_needed(greedy, REMOVED)


def test_where_nothing_has_to_go_it_says_so() -> None:
    items = some_items(11, 60, (2,))
    for until in ("significant", "null"):
        edited = Subset(until=until)(Benchmark("b", {"all": items}))
        assert edited.report.summary.startswith("No item had to be removed: ")
        assert edited.benchmark.splits["all"] == items
        assert edited.report.evidence == {}


def test_one_group_of_all_goes_or_stays_whole() -> None:
    items = tuple(Item(f"{i}", {}, ("tell", f"w{i}"), 0, "g") for i in range(40))
    edited = Subset()(Benchmark("b", {"all": items}))
    assert edited.report.summary.startswith("Kept 0 of 40 items")
    assert edited.report.tables["items"].rows == (("all", 40, 0),)
    assert edited.benchmark.splits == {}


def tiny(n: int, hits: int) -> Items:
    """One word in every item, right so many times."""
    return tuple(
        Item(f"{i}", {}, ("tell", f"w{i}") if i < hits else (f"w{i}", "tell"), 0) for i in range(n)
    )


@pytest.mark.parametrize(
    ("n", "hits"), [(9, 9), (13, 12), pytest.param(12, 12, marks=pytest.mark.slow)]
)
def test_the_largest_subset_is_found_and_the_bound_is_below_it(n: int, hits: int) -> None:
    cues, _ = significant_cues(tiny(n, hits))
    size = np.ones(n, np.int64)
    out = until_significant.groups_to_remove(cues, size)

    def clean(some: tuple[int, ...]) -> bool:
        return not cues.make_counter(np.array(some, np.int64)).any_significant()

    best = next(k for k in range(n + 1) if any(map(clean, combinations(range(n), k))))
    assert out.size == best > 0
    assert 0 < until_significant.min_items_removed(cues, size) <= best


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), choices=st.sampled_from([(2,), (3,), (2, 4)]))
def test_no_bound_is_above_what_was_found(seed: int, choices: tuple[int, ...]) -> None:
    items = some_items(seed, 150, choices, telling=0.85)
    cues, group = significant_cues(items)
    size = np.bincount(group)
    assert (
        until_significant.min_items_removed(cues, size)
        <= until_significant.groups_to_remove(cues, size).size
    )
    band = NullBand.from_ngrams(items, WORD, 1, 199, 0)
    assert until_null.min_items_removed(band) <= until_null.groups_to_remove(band).size


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("choices", [(2,), (3,)], ids=["two", "three"])
def test_no_subset_is_larger_than_the_bound_says(seed: int, choices: tuple[int, ...]) -> None:
    """All subsets of few items, whose words are many and rare."""
    items = tuple(
        Item(i.id, {}, tuple(f"{c} {'x' if at == i.answer else 'y'}{i.id}" for at, c in
                             enumerate(i.choices)), i.answer)
        for i in some_items(seed, 9, choices, telling=1.0)
    )  # fmt: skip
    band = NullBand.from_ngrams(items, WORD, 1, 199, 0)
    width = band.initial[0].null_high - band.initial[0].null_mean

    def allowed(out: tuple[int, ...]) -> bool:
        (one,) = band.strengths(band.make_states(np.array(out, np.int64), REMOVED))
        return not one.is_above_band() and one.null_high - one.null_mean <= width

    sizes = range(len(items) + 1)
    best = next(k for k in sizes if any(map(allowed, combinations(range(len(items)), k))))
    assert until_null.min_items_removed(band) <= best


def test_many_choices_are_no_trouble() -> None:
    items = tuple(
        Item(f"{i}", {}, tuple(" ".join(f"w{i}x{j}x{k}" for k in range(3 if j else 5))
                               for j in range(4)), 0)
        for i in range(60)
    )  # fmt: skip
    edited = Subset(until="null", ngram=1)(Benchmark("b", {"all": items}))
    assert len(edited.report.evidence["left out"]) > 0
    assert "-" not in edited.report.summary


def test_single_cues_that_stay_are_told() -> None:
    items = some_items(4, 400, (2,), telling=0.75)
    edited = Subset(until="null")(Benchmark("b", {"all": items}))
    left = int(str(edited.report.tables["significant"].rows[1][2]))
    assert (SINGLE_CUES_NOTE in edited.report.notes) == (left > 0)


@settings(max_examples=200, deadline=None)
@given(n=st.integers(1, 300), part=st.floats(0, 1), m=st.integers(2, 6))
def test_of_a_telling_cue_p_is_at_most_twice_its_tail(n: int, part: float, m: int) -> None:
    """What the bound rests on, and that to lose a miss only makes it more telling."""
    chance = 1 / m
    hits = min(n, int(np.floor(n * chance)) + 1 + int(part * (n - n * chance)))
    tail = float(binomial_sf(hits, n, chance))
    assert float(binomial_p(hits, n, chance)) <= 2 * tail + 1e-12
    if n > hits:
        assert float(binomial_sf(hits, n - 1, chance)) <= tail + 1e-15


@pytest.mark.parametrize(
    ("flag", "value"),
    [("ngram", 0), ("level", 0.0), ("level", 1.0), ("randomisations", 20), ("seed", -1)],
)
def test_flags_out_of_range_are_refused(flag: str, value: float) -> None:
    with pytest.raises(BadInput, match=f"--{flag}: is "):
        Subset(**{flag: value})  # type: ignore[arg-type]


@needs_data
def test_copa_has_no_single_cue_and_yet_too_much_of_all() -> None:
    single = Subset()(load("copa"))
    assert single.report.summary == (
        "No item had to be removed: no word or phrase of up to 2 words is significant in "
        "these 1,000 items."
    )
    assert MANY_WEAK_NOTE in single.report.notes
    together = Subset(until="null")(load("copa"))
    rows = together.report.tables["strength"].rows
    assert [row[-1] for row in rows] == ["no", "yes", "yes", "yes"]


@pytest.mark.slow
@needs_data
def test_arct_loses_about_a_ninth() -> None:
    edited = Subset()(load("arct"))
    assert flags(edited.benchmark) == 0
    sizes = [len(some) for some in edited.benchmark.splits.values()]
    assert 1730 <= sum(sizes) <= 1749  # which the bound says is the most there can be
    assert "At most 1,749 could have been kept" in edited.report.summary


def test_a_subset_that_is_as_large_as_possible_is_called_so() -> None:
    sentence = Subset()._summary_sentence
    assert sentence(48, 40, 8).endswith(" This is the largest such subset.")
    assert sentence(48, 39, 8).endswith(
        " At most 40 could have been kept, so this subset is at most 2.5% too small."
    )


def rules_of(items: Items) -> list[str]:
    result = Shortcuts()(Benchmark("b", {"all": items}))
    return [str(row[1]) for row in result.tables["rules"].rows]


def test_until_no_rule_is_found() -> None:
    quiz = uneven_quiz(1, 160, share=0.6)
    splits = {"train": quiz[:100], "test": quiz[100:]}
    assert any("long" in rule for rule in rules_of(quiz))
    edited = Subset(until="rules")(Benchmark("b", splits))
    kept = tuple(item for items in edited.benchmark.splits.values() for item in items)
    assert 40 < len(kept) < 120
    assert rules_of(kept) == []
    assert set(edited.report.evidence["left out"]) == {i.id for i in quiz} - {i.id for i in kept}
    before, after = edited.report.estimates
    assert before.value > after.value
    assert (before.n, after.n) == (160, len(kept))
    first = dict(zip(edited.report.tables["rules"].columns, edited.report.tables["rules"].rows[0],
                     strict=True))  # fmt: skip
    assert (first["round"], first["items"], first["kind"]) == (1, 160, "telling")
    assert SELECTION_NOTE in edited.report.notes


def test_against_rules_groups_stay_whole() -> None:
    quiz = uneven_quiz(2, 120, share=0.6)
    tied = tuple(replace(item, group=f"{i // 2}") for i, item in enumerate(quiz))
    kept = Subset(until="rules")(Benchmark("b", {"all": tied})).benchmark.splits["all"]
    groups = [item.group for item in kept]
    assert 0 < len(kept) < 120
    assert all(groups.count(group) == 2 for group in groups)


def test_against_rules_a_group_counts_once() -> None:
    """Few groups cannot show a rule, however many items they have, so some of them can stay."""
    tied = tuple(
        replace(item, group=f"g{i // 20}") for i, item in enumerate(uneven_quiz(3, 400, share=1.0))
    )
    assert rules_of(tied) == ["the longest choice"]
    edited = Subset(until="rules")(Benchmark("b", {"all": tied}))
    kept = [item.group for item in edited.benchmark.splits["all"]]
    assert 0 < len(kept) < 400
    assert {kept.count(group) for group in kept} == {20}
    assert rules_of(edited.benchmark.splits["all"]) == []


def test_where_there_is_no_rule_nothing_goes() -> None:
    quiz = uneven_quiz(9, 60, share=0.0)
    edited = Subset(until="rules")(Benchmark("b", {"all": quiz}))
    assert edited.report.summary == (
        "No item had to be removed: the search finds no rule in these 60 items."
    )
    assert edited.benchmark.splits["all"] == quiz
    assert len(edited.report.estimates) == 1


@pytest.mark.parametrize("until", ["significant", "null", "rules"])
def test_a_single_item_is_not_called_items(until: Literal["significant", "null", "rules"]) -> None:
    edited = Subset(until=until)(Benchmark("b", {"all": uneven_quiz(9, 1)}))
    assert edited.report.summary.startswith("No item had to be removed: ")
    assert edited.report.summary.endswith(" in this item.")


def test_the_highest_level_comes_to_an_end() -> None:
    quiz = Benchmark("b", {"all": uneven_quiz(1, 40)})
    Subset(until="significant", level=0.99, randomisations=39)(quiz)
    Subset(until="rules", level=0.99)(quiz)


@pytest.mark.parametrize("setting", [{"ngram": 5}, {"randomisations": 50}])
def test_settings_that_do_nothing_against_rules_are_refused(setting: dict[str, int]) -> None:
    with pytest.raises(BadInput, match=f"{next(iter(setting))} has no effect here: leave it out"):
        Subset(until="rules", **setting)  # type: ignore[arg-type]
    Subset(until="null", **setting)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("level", "levels"), [(0.05, [0.05, 0.1, 0.2, 0.4, 0.5, 0.5]), (0.9, [0.9] * 6)]
)
def test_rules_that_are_found_again_are_removed_at_higher_levels(
    level: float, levels: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def choose_none(*args: object) -> NDArray[np.int64]:
        tried.append(args[-1])
        return np.zeros(0, np.int64)

    monkeypatch.setattr(until_no_rule, "_choose_groups", choose_none)
    monkeypatch.setattr(until_no_rule, "MAX_ROUNDS", 6)
    until_no_rule.remove_rules(uneven_quiz(1, 100), WORD, level, 0)
    assert tried == levels


def test_the_rounds_are_bounded_and_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(until_no_rule, "MAX_ROUNDS", 0)
    edited = Subset(until="rules")(Benchmark("b", {"all": uneven_quiz(1, 100)}))
    assert edited.report.summary.endswith("after 1 round, the search still finds rules.")
    assert edited.report.notes[0].startswith("The search was stopped after 1 round. ")


def test_rules_that_cannot_be_removed_otherwise_take_all_items() -> None:
    items = tuple(replace(item, group="one") for item in uneven_quiz(1, 60, share=1.0))
    removal = until_no_rule.remove_rules(items, WORD, 0.05, 0)
    assert removal.is_finished
    assert not removal.is_removed.any()  # of one group, no half can be searched
