from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.planted import make_clean
from hansproof.models.bow import Bow
from hansproof.probes.partial_input import PartialInput
from hansproof.probes.partial_input.power import add_words, critical_value
from hansproof.types import Benchmark


def plant_word(benchmark: Benchmark, coverage: float, seed: int) -> Benchmark:
    """Add a word to the right choice of a share of the items."""
    rng = np.random.default_rng(seed)
    items = tuple(
        replace(
            item,
            choices=tuple(
                f"{choice} zaz" if is_planted and i == item.answer else choice
                for i, choice in enumerate(item.choices)
            ),
        )
        for item in benchmark.splits["all"]
        for is_planted in [rng.random() < coverage]
    )
    return replace(benchmark, splits={"all": items})


def test_the_added_words_are_features_like_others() -> None:
    """Planting a word in the features is the same as planting it in the texts."""
    clean = make_clean(3, 60)
    bare = tuple(replace(item, fields={}) for item in clean.splits["all"])
    clean = replace(clean, splits={"all": bare})
    items = plant_word(clean, 0.5, 0).splits["all"]
    planted = np.array([
        2 * number + int(item.answer or 0)
        for number, item in enumerate(items)
        if any("zaz" in choice for choice in item.choices)
    ])  # fmt: skip
    bow = Bow(ngram=1)
    bags = add_words(bow.extract_bags(clean.splits["all"]), [planted])
    by_text = bow.extract_bags(items)
    assert bags.size == by_text.size
    assert np.diff(bags.start).tolist() == np.diff(by_text.start).tolist()
    owners = np.repeat(np.arange(bags.start.size - 1), np.diff(bags.start))
    assert owners[bags.feature == bags.size - 1].tolist() == planted.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("n", [300, 900])
def test_the_power_is_how_often_a_planted_word_is_found(n: int) -> None:
    """A word that is always right in 10% of the items is worth 5 points where chance is 50%."""
    probe = PartialInput(views="choices", ngram=1, cuts=3)
    powers, found = [], []
    for seed in range(24):
        clean = make_clean(seed, n)
        power = probe(clean).power
        powers += [] if power is None else [power]  # None: a false alarm
        found.append(probe(plant_word(clean, 0.1, seed)).verdict in ("caution", "exposed"))
    assert np.mean(found) >= np.mean(powers) - 0.2  # a mean over cuts sees more than one cut
    assert np.mean(found) <= np.mean(powers) + 0.35


def test_the_critical_value_is_what_the_corrected_test_needs() -> None:
    extremes = np.arange(199, dtype=np.float64)
    value = critical_value(extremes, 0.05)
    for observed in (value + 0.5, value - 0.5):
        p = (1 + (extremes >= observed).sum()) / 200
        assert (p <= 0.05) == (observed > value)


@pytest.mark.parametrize("n", [1, 3])
def test_a_handful_of_items_is_undecided(n: int) -> None:
    """Three items that a bag of words answers completely say nothing."""
    items = make_clean(0, n).splits["all"]
    planted = plant_word(Benchmark("b", {"all": items}), 1.0, 0)
    result = PartialInput()(planted)
    assert result.verdict == "undecided"
    assert result.power == 0
    assert "would be found" in result.summary
