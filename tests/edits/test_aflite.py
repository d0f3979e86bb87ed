from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof import load
from hansproof.edits.aflite import Aflite, _draw_partitions
from hansproof.edits.aflite.rankers import Bools, ChoiceDifferences, solve_rankers
from hansproof.errors import BadInput, HansproofError
from hansproof.linear import solver
from hansproof.types import Benchmark, Item, Items
from tests.support.torch_models import encoder

from ..support.markers import minilm_folder

pytest.importorskip("torch")
pytest.importorskip("transformers")


def draws(seed: int, items: int, width: int, tell: float) -> tuple[Any, Any, Any]:
    """Features of choices, how many an item has, and answers; one direction tells them."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(2, 5, items)
    answers = draw.integers(0, sizes)
    features = draw.normal(size=(int(sizes.sum()), width))
    features[np.cumsum(sizes) - sizes + answers, 0] += tell
    return features, sizes, answers


def taught(seed: int, items: int, rankers: int) -> Bools:
    return np.random.default_rng(seed).random((items, rankers)) < 0.4


@settings(max_examples=15)
@given(st.integers(0, 99), st.sampled_from([0.01, 1.0, 100.0]), st.sampled_from([0.0, 1.0, 5.0]))
def test_rankers_are_those_that_are_solved_one_by_one(
    seed: int, penalty: float, tell: float
) -> None:
    features, sizes, answers = draws(seed, 120, 8, tell)
    traps, learns = ChoiceDifferences.from_features(features, sizes, answers), taught(seed, 120, 5)
    together = solve_rankers(traps, learns, penalty)
    first = np.cumsum(sizes) - sizes
    for at in range(5):
        some = np.flatnonzero(learns[:, at])
        rows = np.concatenate([features[first[i] : first[i] + sizes[i]] for i in some])
        begin = np.concatenate(([0], np.cumsum(sizes[some])))
        alone, _ = solver.fit_weights(rows, begin, answers[some], penalty)
        assert np.linalg.norm(together[:, at] - alone) <= 0.02 * np.linalg.norm(alone) + 1e-6
        exact = traps.item_credit(alone[:, None].astype(np.float32))[:, 0]
        assert (exact == traps.item_credit(together)[:, at]).mean() >= 0.98


def test_where_one_starts_changes_next_to_nothing() -> None:
    traps, learns = ChoiceDifferences.from_features(*draws(1, 200, 8, 1.0)), taught(1, 200, 4)
    start = np.random.default_rng(0).normal(size=(8, 4)).astype(np.float32)
    cold, warm = solve_rankers(traps, learns, 1.0), solve_rankers(traps, learns, 1.0, start)
    assert np.abs(cold - warm).max() <= 0.01 * np.abs(cold).max()


def test_a_tie_counts_by_expectation() -> None:
    features = np.array([[1.0], [1.0], [0.0], [2.0], [2.0], [2.0], [0.0], [1.0]])
    sizes, answers = np.array([2, 1 + 1, 2, 2]), np.array([0, 1, 0, 0])
    traps = ChoiceDifferences.from_features(features, sizes, answers)
    assert traps.item_credit(np.ones((1, 1), np.float32))[:, 0].tolist() == [0.5, 1.0, 0.5, 0.0]
    assert traps.select_items(np.array([3, 1])).rows.tolist() == [[1.0], [-2.0]]


@given(st.lists(st.integers(0, 8), min_size=2, max_size=30), st.integers(1, 30), st.integers(0, 9))
def test_partitions_part_no_unit_and_hold_something_out(
    units: list[int], train: int, seed: int
) -> None:
    number = np.array(units)
    learns = _draw_partitions(number, train, 6, np.random.default_rng(seed))
    for unit in set(units):
        assert (learns[number == unit].all(axis=0) | ~learns[number == unit].any(axis=0)).all()
    assert not learns.all(axis=0).any() or len(set(units)) == 1
    held = ~learns
    largest = max(units.count(unit) for unit in units)
    for at in range(6):
        few = learns[:, at].sum() < min(train, len(units))
        assert not few or len(set(number[held[:, at]].tolist())) == 1
        assert learns[:, at].sum() < train + largest


WORDS = tuple(f"word{i}" for i in range(40))


def cued(n: int, cue: bool, name: str) -> Items:
    """Items whose answer has the word `mark`, or nothing that tells."""
    draw = np.random.default_rng(n)
    made = []
    for at in range(n):
        texts = [" ".join(draw.choice(WORDS, 3)) for _ in range(2)]
        answer = at % 2
        texts[answer] += " mark" if cue else ""
        made.append(
            Item(f"{name}{at}", {"q": " ".join(draw.choice(WORDS, 4))}, tuple(texts), answer)
        )
    return tuple(made)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("aflite")
    source = str(encoder(folder / "bert"))
    return {"encoder": source, "cache": str(folder / "vectors"), "device": "cpu", "penalty": 0.01,
            "partitions": 16, "slice": 0.05, "view": "choices"}  # fmt: skip


def test_what_is_told_by_a_cue_goes_first(made: dict[str, Any]) -> None:
    items = (*cued(80, True, "cue"), *cued(80, False, "plain"))
    edited = Aflite(**{**made, "partitions": 64, "cutoff": 0.9})(Benchmark("b", {"all": items}))
    left = [item.id for item in edited.benchmark.splits["all"]]
    first = edited.report.evidence["removed first"]
    assert sum(id.startswith("cue") for id in first) >= 0.9 * len(first)
    assert sum(id.startswith("plain") for id in left) >= 60
    before, after = edited.report.estimates
    assert before.value > after.value + 0.1
    rounds = edited.report.tables["rounds"].rows
    assert rounds[0][1] == 160
    assert sum(int(row[2] or 0) for row in rounds) == 160 - len(left)
    assert all(row[2] == 8 for row in rounds[:-1])
    assert all(float(row[4] or 0) >= 0.9 for row in rounds)


def mirrored(items: Items) -> Items:
    """Each with a partner: the same choices, the other answer, another question."""
    both = []
    for item in items:
        partner = replace(
            item, id=f"{item.id}m", fields={"q": "else"}, answer=1 - (item.answer or 0)
        )
        both += [replace(one, group=item.id) for one in (item, partner)]
    return tuple(both)


def test_of_mirrored_items_nothing_goes_by_their_choices(made: dict[str, Any]) -> None:
    whole = Benchmark("b", {"all": mirrored(cued(40, True, "cue"))})
    edited = Aflite(**made)(whole)
    assert edited.benchmark == whole
    before, after = edited.report.estimates
    assert before.value == after.value == before.low == 0.5
    assert edited.report.summary.startswith("80 of 80 items are left after one round.")


def test_groups_go_or_stay_as_a_whole(made: dict[str, Any]) -> None:
    items = tuple(replace(item, group=f"{at // 3}") for at, item in enumerate(cued(90, True, "x")))
    edited = Aflite(**{**made, "slice": 0.02})(Benchmark("b", {"all": items}))
    left = [item.group for item in edited.benchmark.splits["all"]]
    assert 0 < len(left) < 90
    assert {left.count(group) for group in left} == {3}


def test_it_repeats_and_another_seed_differs(made: dict[str, Any]) -> None:
    whole = Benchmark("b", {"x": cued(60, True, "x"), "y": cued(30, False, "y")})
    once, again = (Aflite(**made)(whole) for _ in range(2))
    assert once == again
    assert Aflite(**made, seed=1)(whole).benchmark != once.benchmark


def test_it_ends_where_no_more_is_left_than_a_model_trains_on(made: dict[str, Any]) -> None:
    whole = Benchmark("b", {"all": cued(100, True, "x")})
    edited = Aflite(**{**made, "cutoff": 0.0}, train=0.5)(whole)
    assert len(edited.benchmark.splits["all"]) == 50
    assert [one.name for one in edited.report.estimates] == ["held-out accuracy before"]
    *_, (_, items, _, _, _, predictions) = edited.report.tables["rounds"].rows
    assert items == 55
    assert predictions == pytest.approx(16 * 5 / 55)
    assert "based on fewer than 10 predictions" in edited.report.notes[1]


def test_one_item_is_left_alone(made: dict[str, Any]) -> None:
    one = Benchmark("b", {"all": cued(1, True, "x")})
    assert Aflite(**made)(one).benchmark == one


def test_a_score_that_rounding_puts_just_below_the_cutoff_counts() -> None:
    edit = Aflite(cutoff=0.75)
    scores = np.array([0.75, 0.7499999, 0.5, 1.0, np.nan], np.float32)
    task: Any = type("T", (), {"groups": np.arange(5), "n_slice": 3})
    removed, threshold = edit._top_items(task, np.arange(5), scores, 0)
    assert removed.tolist() == [0, 1, 3]
    assert threshold == pytest.approx(0.75)


def test_what_cannot_be_ranked_is_refused(made: dict[str, Any]) -> None:
    whole = Benchmark("b", {"all": cued(4, True, "x")})
    with pytest.raises(BadInput, match="--view: choices/alone shows choices one at a time"):
        Aflite(**{**made, "view": "choices/alone"})(whole)
    alone = Benchmark("b", {"all": (Item("1", {"q": "?"}, ("a",), 0),)})
    with pytest.raises(BadInput, match="item 1: has only one choice"):
        Aflite(**made)(alone)
    with pytest.raises(HansproofError, match="name a pretrained model"):
        Aflite()(whole)


@pytest.mark.slow
def test_real_vectors_find_the_cues_of_toy(tmp_path: Path) -> None:
    edit = Aflite(minilm_folder(), view="choices", cache=str(tmp_path), device="cpu", slice=0.05)
    edited = edit(load("toy:original"))
    before, after = edited.report.estimates
    assert before.low is not None
    assert before.low > 0.5 > after.value
    assert len(edited.benchmark.splits["original"]) < 110
    whole = load("toy")
    assert edit(whole).benchmark == whole  # whose pairs are balanced, in whatever split they lie
