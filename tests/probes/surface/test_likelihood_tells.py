"""Tells of language models: the choice that is most or least likely per token."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hansproof.flag_words import describe_finding, describe_flag
from hansproof.inputs.likelihoods import ChoiceLikelihoods
from hansproof.probes.surface import Surface
from hansproof.report.sections.surface import section
from hansproof.types import Benchmark, Item, Result

TEXTS = ("dull {}", "news {}", "same {}", "same {}")  # all choices of an item are as long


def make_item(i: int) -> Item:
    """Make an item of two or four choices; what is dull is first or second, and mostly right."""
    choices = [text.format(i) for text in TEXTS[: 2 + 2 * (i % 2)]]
    first = i // 2 % 2
    choices[0], choices[first] = choices[first], choices[0]
    return Item(str(i), {}, tuple(choices), 1 - first if i % 8 == 0 else first)


ITEMS = tuple(map(make_item, range(120)))
BENCH = Benchmark("b", {"all": ITEMS, "hidden": (Item("x", {}, ("y", "z"), None),)})
# a longer text has a smaller sum and a larger mean
DULL = ChoiceLikelihoods(
    "lm:x", "abc", "cpu",
    {
        choice: (-20.0, 10) if choice.startswith("dull") else (-12.0, 3)
        for item in ITEMS
        for choice in item.choices
    },
)  # fmt: skip
OTHER = replace(DULL, model="lm:y (z)", fingerprint="abd", device="")


def rows(result: Result) -> dict[object, tuple[object, ...]]:
    return {row[2]: row for row in result.tables["tells"].rows}


def test_without_likelihoods_nothing_changes() -> None:
    plain, with_models = Surface()(BENCH), Surface()(BENCH, lm=[DULL])
    assert Surface()(BENCH, lm=[]) == plain
    assert "lm" not in plain.params
    assert not any("likely" in str(tell) for tell in rows(plain))
    for tell, row in rows(plain).items():  # but for q, which corrects for two tells more
        assert row[:11] == rows(with_models)[tell][:11]


def test_it_is_the_mean_per_token_that_counts() -> None:
    result = Surface()(BENCH, lm=[DULL])
    table = rows(result)
    assert [*table][-2:] == ["most likely choice", "least likely choice"]
    assert table["most likely choice"][3] == pytest.approx(7 / 8)
    assert table["least likely choice"][9] == 0.5  # items of four choices, of which three tie
    assert table["most likely choice"][-1] == "tell"
    assert result.verdict == "exposed"
    assert result.headline == (
        "Taking the choice that is most likely per token under lm:x answers 87.5% of all items "
        "(chance 37.5%)."
    )
    assert result.params["lm"] == ("lm:x",)
    assert result.notes[-1] == ("Likelihoods are those of lm:x (fingerprint abc, computed on cpu).")


def test_readers_say_it_in_words() -> None:
    result = Surface()(BENCH, lm=[DULL])
    key = "all: most likely choice"
    words = "right choice is the one that is most likely per token under lm:x"
    assert describe_finding(result, key) == words
    assert describe_flag(f"surface/{key}") == "surface: most likely choice predicts answers (all)"
    captions = [example.caption for example in section(result).examples]
    assert "The choice that is most likely per token under lm:x is the right one." in captions


def test_several_models_are_told_apart() -> None:
    result = Surface()(BENCH, lm=[DULL, OTHER])
    assert [*rows(result)][-4:] == [
        "most likely choice (lm:x)", "least likely choice (lm:x)",
        "most likely choice (lm:y (z))", "least likely choice (lm:y (z))",
    ]  # fmt: skip
    assert describe_finding(result, "all: most likely choice (lm:y (z))") == (
        "right choice is the one that is most likely per token under lm:y (z)"
    )
    assert result.notes[-1].endswith("(fingerprint abd, computed on an unknown device).")
