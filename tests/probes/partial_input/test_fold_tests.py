"""The p of predictions in folds, beside all rotations of the answers of each fold."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.permutation import build_rotations
from hansproof.inputs.systems import System, build_systems
from hansproof.probes.partial_input import PartialInput
from hansproof.probes.partial_input.fold_tests import compare_folds, fold_power
from hansproof.probes.partial_input.from_predictions import results_from_predictions
from hansproof.scoring import expected_credit
from hansproof.stats.binomial import binomial_sf
from hansproof.sweeps import plan_blind_runs, predict
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Benchmark, Item, Items, Predictions

from ...support.probe_factories import run
from ...support.rule_factories import planted_items, random_items


def make_system(items: Items, runs: list[Predictions]) -> System:
    (system,) = build_systems(Benchmark("b", {"all": items}), runs)
    return system


def add_folds(prediction: Predictions, folds: list[int]) -> Predictions:
    return replace(
        prediction, protocol="cv", folds=dict(zip(prediction.scores, folds, strict=True))
    )


def enumerate_p(prediction: Predictions, items: Items, units: list[str]) -> float:
    """The smallest p of the folds times their number, by listing all rotations of each."""
    p = []
    for fold in {*prediction.folds.values()}:
        chosen = [i for i, item in enumerate(items) if prediction.folds[item.id] == fold]
        fold_items = tuple(items[i] for i in chosen)
        rotations = build_rotations(fold_items, [units[i] for i in chosen])
        sizes = defaultdict(list)
        for item, group in zip(fold_items, rotations.group.tolist(), strict=True):
            sizes[group].append(len(item.choices))
        sums = []
        for steps in product(*(range(math.lcm(*sizes[g])) for g in sorted(sizes))):
            answers = rotations.rotate(np.array(steps)).tolist()
            sums.append(sum(expected_credit(prediction.scores[item.id], answer)
                            for item, answer in zip(fold_items, answers, strict=True)))  # fmt: skip
        p.append(np.mean([total >= sums[0] - 1e-9 for total in sums]))
    return min(1.0, len(p) * float(min(p)))


@st.composite
def answered_items(draw: st.DrawFn) -> tuple[Items, Predictions, list[str]]:
    """Items in units that folds do not separate, with scores that often tie."""
    n = draw(st.integers(2, 7))
    items = tuple(
        Item(f"{i}", {}, tuple(f"{i}{c}" for c in "abcd"[:m]), draw(st.integers(0, m - 1)))
        for i in range(n)
        for m in [draw(st.sampled_from([2, 2, 3, 4]))]
    )
    units = [str(draw(st.integers(0, 3))) for _ in range(n)]
    fold_of = {unit: draw(st.integers(0, 2)) for unit in sorted({*units})}
    scores = {
        item.id: tuple(draw(st.sampled_from([0.0, 1.0])) for _ in item.choices) for item in items
    }
    prediction = replace(run(items, "m", "choices"), scores=scores)
    return items, add_folds(prediction, [fold_of[unit] for unit in units]), units


@settings(max_examples=60, deadline=None)
@given(answered_items())
def test_p_is_that_of_all_rotations(case: tuple[Items, Predictions, list[str]]) -> None:
    items, prediction, units = case
    test = compare_folds(make_system(items, [prediction]), units)
    assert test is not None
    assert test.p == pytest.approx(enumerate_p(prediction, items, units))
    folds = [fold for _, fold in {*zip(units, prediction.folds.values(), strict=True)}]
    assert sorted(test.sizes) == sorted(folds.count(fold) for fold in {*folds})


ITEMS = tuple(Item(f"{i}", {"q": f"why {i}"}, (f"one {i}", f"other {i}"), i % 2) for i in range(60))
FOLDS = [i % 3 for i in range(60)]
UNITS = [item.id for item in ITEMS]


def test_several_runs_count_by_twice_the_mean_of_their_p() -> None:
    runs = [add_folds(run(ITEMS, "m", "choices", 0.2, seed), FOLDS) for seed in range(3)]
    p = [enumerate_binomial(r) for r in runs]
    test = compare_folds(make_system(ITEMS, runs), UNITS)
    assert test is not None
    assert test.p == pytest.approx(min(1.0, 2 * np.mean(p)))


def enumerate_binomial(prediction: Predictions) -> float:
    p = []
    for fold in range(3):
        items = [item for item in ITEMS if prediction.folds[item.id] == fold]
        hits = sum(int(np.argmax(prediction.scores[i.id])) == i.answer for i in items)
        p.append(float(binomial_sf(hits, len(items), 0.5)))
    return min(1.0, 3 * min(p))


def test_without_folds_or_with_units_in_several_folds_there_is_no_test() -> None:
    prediction = run(ITEMS, "m", "choices", 0.9)
    assert compare_folds(make_system(ITEMS, [prediction]), UNITS) is None
    known = add_folds(prediction, FOLDS)
    assert compare_folds(make_system(ITEMS, [known]), UNITS) is not None
    partly = replace(known, folds={id: fold for id, fold in known.folds.items() if id != "7"})
    assert compare_folds(make_system(ITEMS, [partly]), UNITS) is None
    both = replace(known, seed=1, folds={})
    assert compare_folds(make_system(ITEMS, [known, both]), UNITS) is None
    pairs = [f"{i // 2}" for i in range(60)]  # items 0 and 1 are in folds 0 and 1
    assert compare_folds(make_system(ITEMS, [known]), pairs) is None


def test_items_without_an_answer_earn_nothing_with_any_answer() -> None:
    prediction = add_folds(run(ITEMS, "m", "choices", 1.0), FOLDS)
    scores = {id: row for id, row in prediction.scores.items() if int(id) >= 6}
    dropped = replace(
        prediction, scores=scores, unanswered={f"{i}": "refused" for i in range(6)}
    )  # fmt: skip
    test = compare_folds(make_system(ITEMS, [dropped]), UNITS)
    assert test is not None
    assert test.p == pytest.approx(3 * 0.5**18)
    assert test.sizes == (20, 20, 20)


def test_a_unit_with_too_many_rotations_says_nothing() -> None:
    mixed = tuple(
        Item(f"mixed {m}", {}, tuple(f"{m} {k}" for k in range(m)), 0) for m in (5, 7, 8, 9, 11, 13)
    )
    items = ITEMS + mixed
    units = [*UNITS, *["mixed"] * len(mixed)]
    prediction = add_folds(run(items, "m", "choices", 0.9), [*FOLDS, *[0] * len(mixed)])
    alone = add_folds(run(ITEMS, "m", "choices", 0.9), FOLDS)
    test, expected = (
        compare_folds(make_system(*case[:2]), case[2])
        for case in ((items, [prediction], units), (ITEMS, [alone], UNITS))
    )
    assert test is not None
    assert expected is not None
    assert test.p == expected.p


@pytest.mark.parametrize(("sizes", "chance"), [((150,), 0.5), ((80, 90, 100), 0.25)])
def test_power_is_how_often_the_test_rejects(sizes: tuple[int, ...], chance: float) -> None:
    margin, level = 0.12, 0.05
    rng = np.random.default_rng(0)
    hits = rng.binomial(sizes, chance + margin, (4000, len(sizes)))
    p = binomial_sf(hits, np.array(sizes), chance).min(axis=1) * len(sizes)
    power = fold_power(sizes, chance, margin, level)
    assert power == pytest.approx((p <= level).mean(), abs=0.025)


def test_one_set_of_folds_gets_a_verdict_and_the_other_a_note() -> None:
    benchmark = Benchmark("b", {"all": ITEMS})
    known = add_folds(run(ITEMS, "m", "choices", 0.9), FOLDS)
    unknown = replace(run(ITEMS, "n", "choices", 0.9), protocol="cv")
    (first, second), _ = results_from_predictions(benchmark, [known, unknown])
    assert first.q is not None
    assert first.fold_sizes == (20, 20, 20)
    assert second.q is None
    assert second.fold_sizes == ()
    result = PartialInput(randomisations=19, cuts=3)(benchmark, [known, unknown])
    rows = {row[2]: row for row in result.tables["views"].rows}
    q = result.tables["views"].columns.index("q")
    model = result.tables["views"].columns.index("model")
    by_model = {row[model]: row[q] for row in rows.values()}
    assert result.verdict == "exposed"
    notes = " ".join(result.notes)
    assert "do not say in which fold" in notes
    assert "fold by fold" in notes
    assert by_model.get("n") is None


def blind_p(items: Items, folds_seed: int = 0) -> float:
    """The p of a bag of words, cross-validated on the choices."""
    benchmark = Benchmark("b", {"all": items})
    (spec,) = plan_blind_runs(benchmark, ["bow:ngram=1"])
    prediction = predict(benchmark, replace(spec, seed=folds_seed))
    test = compare_folds(make_system(items, [prediction]), find_leakage_groups(items))
    assert test is not None
    return test.p


@pytest.mark.parametrize("more", [{}, {"copies": 0.4, "groups": 0.3}])
def test_a_model_that_learns_from_random_answers_is_rarely_significant(
    more: dict[str, float],
) -> None:
    p = np.array(
        [blind_p(random_items(100 + seed, 80, (2, 3, 4), **more), seed) for seed in range(60)]  # type: ignore[arg-type]
    )
    for level in (0.02, 0.05, 0.1, 0.3):
        assert binomial_sf(int((p <= level).sum()), 60, level) > 1e-3


def test_a_model_that_learns_what_tells_is_significant() -> None:
    assert blind_p(planted_items(0, 200, ("zork",), "and", 4, 0.3)) < 1e-6


def test_however_good_a_model_is_its_p_is_not_taken_for_none() -> None:
    items = random_items(3, 400, (4,))
    folds = [i % 5 for i in range(len(items))]
    best = add_folds(run(items, "m", "choices", 0.95), folds)
    (result,), _ = results_from_predictions(Benchmark("b", {"all": items}), [best])
    assert result.p is not None
    assert 0 < result.p < 1e-20
    assert result.q == result.p
    audited = PartialInput(randomisations=39)(Benchmark("b", {"all": items}), predictions=[best])
    assert audited.verdict == "exposed"
