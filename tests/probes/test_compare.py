from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from hansproof.errors import BadInput, UnknownName
from hansproof.probes.compare import Compare, compare_runs
from hansproof.stats import mcnemar_test, paired_randomisation_test
from hansproof.types import Benchmark, Item, Items, NoAnswer, Predictions

from ..support.probe_factories import records as rows
from ..support.probe_factories import run

SOME: Items = tuple(
    Item(
        f"{i}", {"q": f"why {i}"}, ("one", "other"), i % 2,
        meta={"asks": "cause" if i % 3 else "effect"},
    )
    for i in range(240)
)  # fmt: skip
BENCHMARK = Benchmark("b", {"all": SOME})


def test_two_systems_are_compared_item_by_item_and_by_slice() -> None:
    good, fair = run(SOME, "good", knows=0.8), run(SOME, "fair", knows=0.3)
    result = Compare()(BENCHMARK, [fair, good])
    pairs = rows(result, "pairs")
    assert [(p["slice"], p["n"]) for p in pairs] == [
        ("", 240), ("asks=effect", 80), ("asks=cause", 160)
    ]  # fmt: skip
    whole = pairs[0]
    assert (whole["a"], whole["b"]) == ("good", "fair")  # the better one first
    a, b = (
        [float(max(r.scores[i.id]) == r.scores[i.id][i.answer or 0]) for i in SOME]
        for r in (good, fair)
    )
    assert whole["p"] == paired_randomisation_test(a, b).p
    assert (whole["only_a"], whole["only_b"], whole["mcnemar_p"]) == mcnemar_test(a, b)
    assert whole["mcnemar_p"] == pytest.approx(whole["p"])
    assert whole["low"] < whole["difference"] < whole["high"]
    assert whole["flag"] == "differs"
    assert result.verdict == "clear"


def test_of_many_systems_neighbours_are_compared() -> None:
    runs = [run(SOME, f"m{k}", knows=k / 10) for k in (1, 2, 9, 8)]
    result = Compare()(BENCHMARK, runs)
    ranking = [row["system"] for row in rows(result, "ranking")]
    pairs = rows(result, "pairs")
    assert [(p["a"], p["b"]) for p in pairs] == list(pairwise(ranking))
    assert all(p["q"] >= p["p"] for p in pairs)
    assert result.verdict == "caution"
    assert result.summary.endswith("neighbours in the ranking differs significantly.")


def test_equal_scores_share_a_rank() -> None:
    one = run(SOME, "a")
    ranking = rows(Compare()(BENCHMARK, [one, run(SOME, "b", knows=0), one]), "ranking")
    assert [row["rank"] for row in ranking] == [1, 2]


def test_named_systems_only() -> None:
    runs = [run(SOME, f"m{k}", knows=k / 10) for k in (1, 5, 9)]
    (whole, *_) = rows(Compare(a="m1", b="m9")(BENCHMARK, runs), "pairs")
    assert (whole["a"], whole["b"]) == ("m1", "m9")
    assert whole["difference"] < 0
    with pytest.raises(UnknownName, match="did you mean"):
        Compare(a="m11", b="m9")(BENCHMARK, runs)
    with pytest.raises(BadInput, match="--b: is missing"):
        Compare(a="m1")


def test_groups_are_swapped_whole() -> None:
    """Every item twice: as groups, that is no more evidence than once."""
    from dataclasses import replace

    twice = tuple(replace(i, id=f"{i.id}{c}", group=i.id) for i in SOME for c in "xy")
    good, fair = run(SOME, "good", knows=0.6), run(SOME, "fair", knows=0.5)
    doubled = [replace(r, scores={i.id: r.scores[i.id[:-1]] for i in twice}) for r in (good, fair)]
    once = rows(Compare()(BENCHMARK, [good, fair]), "pairs")[0]
    both = rows(Compare()(Benchmark("b", {"all": twice}), doubled), "pairs")[0]
    assert both["p"] == pytest.approx(once["p"])
    assert both["mcnemar_p"] is None
    assert both["low"] == pytest.approx(once["low"], abs=0.01)


def test_one_system_has_nothing_to_be_compared_with() -> None:
    result = Compare()(BENCHMARK, [run(SOME, "m")])
    assert result.notes == ("all: only one system, so there is nothing to compare.",)
    assert result.verdict == "skipped"


def test_slices_take_no_power_from_the_whole() -> None:
    good, fair = run(SOME, "good", knows=0.7), run(SOME, "fair", knows=0.5)
    whole, *slices = rows(Compare()(BENCHMARK, [good, fair]), "pairs")
    assert whole["q"] == whole["p"]
    assert len(slices) == 2
    assert min(s["q"] for s in slices) == 2 * min(s["p"] for s in slices)


def test_a_system_is_not_compared_with_itself() -> None:
    with pytest.raises(BadInput, match="--b: names the same system as --a"):
        Compare(a="m", b="m")


def test_two_lots_of_runs_are_two_systems_whatever_they_are_called() -> None:
    lots = [run(SOME, "m", seed=s) for s in (1, 2)], [run(SOME, "m", knows=0.2, seed=3)]
    result = compare_runs(BENCHMARK, lots, ("a/*.jsonl", "b.jsonl"))
    (whole, *_) = rows(result, "pairs")
    assert (whole["a"], whole["b"]) == ("a/*.jsonl", "b.jsonl")
    assert whole["difference"] > 0
    mixed = [run(SOME, "m"), run(SOME, "n")], lots[1]
    with pytest.raises(BadInput, match=r"^mine: contains runs of several systems \(m, n\)"):
        compare_runs(BENCHMARK, mixed, ("mine", "b"))


def test_pooling_needs_as_many_runs_of_each() -> None:
    runs = [run(SOME, "m", seed=1), run(SOME, "m", seed=2), run(SOME, "n")]
    with pytest.raises(BadInput, match="--seeds: pooled needs the same number of runs"):
        Compare(seeds="pooled")(BENCHMARK, runs)


def drop_answers(predictions: Predictions, ids: range, reason: NoAnswer) -> Predictions:
    dropped = {f"{i}" for i in ids}
    scores = {id: row for id, row in predictions.scores.items() if id not in dropped}
    reasons: dict[str, NoAnswer] = dict.fromkeys(sorted(dropped, key=int), reason)
    return replace(predictions, scores=scores, unanswered={**predictions.unanswered, **reasons})


def test_pairs_are_compared_on_the_items_that_both_answered() -> None:
    good, fair = run(SOME, "good", knows=0.8), run(SOME, "fair", knows=0.3)
    partial = [
        drop_answers(good, range(200, 240), "not asked"),
        drop_answers(fair, range(30), "refused"),
    ]
    result = Compare()(BENCHMARK, partial)
    both = tuple(item for item in SOME if 30 <= int(item.id) < 200)
    kept = [replace(r, scores={i.id: r.scores[i.id] for i in both}) for r in (good, fair)]
    expected = rows(Compare()(Benchmark("b", {"all": both}), kept), "pairs")
    assert rows(result, "pairs") == expected
    assert expected[0]["n"] == 170
    assert result.notes == (
        "good: 40 of 240 items of all were not given to it and are left out.",
        result.notes[1],
        "all: good and fair are compared on the 170 of 240 items that both answered.",
    )
    assert result.notes[1].startswith("fair: 30 of 240 answers in all are missing (30 refused)")
    assert [row["n"] for row in rows(result, "ranking")] == [200, 240]


def test_systems_without_a_common_item_are_not_compared() -> None:
    first = drop_answers(run(SOME, "m"), range(120), "not asked")
    second = drop_answers(run(SOME, "n"), range(120, 240), "not asked")
    result = Compare()(BENCHMARK, [first, second])
    assert rows(result, "pairs") == []
    assert result.verdict == "skipped"
    assert "no two neighbours in the ranking" in result.summary
    with pytest.raises(BadInput, match="m and n have no answered item in common"):
        Compare(a="m", b="n")(BENCHMARK, [first, second])


def test_a_copy_is_pointed_out() -> None:
    first = run(SOME, "m")
    result = Compare()(BENCHMARK, [first, replace(first, model="n")])
    assert result.notes == (
        "m and n gave identical answers to all 240 items of all: check that they are not copies "
        "of the same run.",
    )


def test_neighbours_without_a_common_item_are_named() -> None:
    first = drop_answers(run(SOME, "m", knows=1.0), range(120), "not asked")
    second = drop_answers(run(SOME, "n", knows=0.6), range(120, 240), "not asked")
    third = run(SOME, "o", knows=0.0)
    result = Compare()(BENCHMARK, [first, second, third])
    assert [row["system"] for row in rows(result, "ranking")] == ["m", "n", "o"]
    assert {(row["a"], row["b"]) for row in rows(result, "pairs")} == {("n", "o")}
    assert result.notes[2:] == (
        "all: m and n cannot be compared: they have no answered item in common.",
        "all: n and o are compared on the 120 of 240 items that both answered.",
    )
    chosen = Compare(a="n", b="o")(BENCHMARK, [first, second, third])
    assert not any("not compared" in note for note in chosen.notes)
