from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hansproof import load, predict
from hansproof.errors import BadInput
from hansproof.probes.easy_hard import EasyHard
from hansproof.types import Benchmark, Item, Items, NoAnswer, Predictions, fingerprint

from ..support.probe_factories import records as rows
from ..support.probe_factories import run

WORDS = [f"w{i}" for i in range(400)]


def items(n: int = 300) -> Items:
    """Choices of random words, so that no cue helps."""
    rng = np.random.default_rng(0)
    return tuple(
        Item(f"{i}", {"q": "why"}, tuple(" ".join(rng.choice(WORDS, 4)) for _ in "ab"), i % 2)
        for i in range(n)
    )


def said(
    some: Items, model: str, view: str, right: set[str], seed: int = 0, **more: str
) -> Predictions:
    scores = {i.id: tuple(float(c == (i.answer if i.id in right else 1 - (i.answer or 0)))
                          for c in (0, 1)) for i in some}  # fmt: skip
    return Predictions("b", "all", fingerprint(some), model, view, scores, seed, **more)  # type: ignore[arg-type]


def half(some: Items, seed: int, more: set[str], less: float = 0.5) -> set[str]:
    """All of `more`, and a share of the others."""
    rng = np.random.default_rng(seed)
    return more | {i.id for i in some if rng.random() < less}


@pytest.fixture(scope="module")
def some() -> Items:
    return items()


def test_a_model_that_leans_on_what_blind_ones_know_is_exposed(some: Items) -> None:
    known = {f"{i}" for i in range(120)}  # what the choices alone give away
    runs = [
        said(some, "m", "full", half(some, 1, known, 0.6)),
        said(some, "m", "choices", half(some, 2, known)),
        said(some, "other", "choices", half(some, 3, known)),
    ]
    result = EasyHard()(Benchmark("b", {"all": some}), runs)
    found = {row["easy_from"]: row for row in rows(result, "gaps")}
    assert result.verdict == "exposed"
    assert found["m on choices"]["relation"] == "same model"
    assert found["other on choices"]["relation"] == "other model"
    assert found["other on choices"]["flag"] == "gap"
    assert "another model chose the Easy items" in result.summary
    assert "cue rules" not in found  # they know too few to part the items
    assert any("cue rules were left out" in note for note in result.notes)


def test_mere_selection_is_told_apart(some: Items) -> None:
    """Nothing is given away; the model's own blind runs err like it, another model's do not."""
    rng = np.random.default_rng(7)
    noise = {
        i.id for i in some if rng.random() < 0.6
    }  # this model's luck, with or without question
    runs = [
        said(some, "m", "full", half(some, 1, noise, 0.4)),
        said(some, "m", "choices", half(some, 2, noise, 0.2)),
        said(some, "other", "choices", half(some, 3, set(), 0.65)),
    ]
    result = EasyHard()(Benchmark("b", {"all": some}), runs)
    flags = {row["easy_from"]: row["flag"] for row in rows(result, "gaps")}
    assert flags["m on choices"] == "gap"
    assert flags["other on choices"] == ""
    assert result.verdict == "caution"
    assert "no other model or rules confirm the gap" in result.summary


def test_a_blind_run_of_the_same_model_is_no_control_even_if_cross_validated(some: Items) -> None:
    known = {f"{i}" for i in range(120)}
    runs = [
        said(some, "m", "full", half(some, 1, known, 0.6)),
        *(said(some, "m", "choices", half(some, s, known), s, protocol="cv") for s in (2, 3, 4)),
    ]
    result = EasyHard()(Benchmark("b", {"all": some}), runs)
    assert rows(result, "gaps")[0]["relation"] == "same model"
    assert (result.verdict, result.subject) == ("caution", "models")


def test_a_bag_of_words_finds_nothing_in_random_words() -> None:
    """Its errors with and without the question are much the same, which is selection."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        items = tuple(
            Item(str(i), {"q": " ".join(rng.choice(WORDS, 4))},
                 tuple(" ".join(rng.choice(WORDS, 3)) for _ in range(4)), int(rng.integers(4)))
            for i in range(300)
        )  # fmt: skip
        noise = Benchmark("noise", {"all": items})
        runs = [predict(noise, "bow", view) for view in ("full", "choices")]
        assert EasyHard()(noise, runs).verdict in ("skipped", "caution", "clear"), seed


def test_cue_rules_are_a_control_where_there_are_cues() -> None:
    """Two thirds of the answers have a telling word; the model does well there and guesses else."""
    rng = np.random.default_rng(0)
    some = []
    for i in range(300):
        right = " ".join(rng.choice(WORDS, 3)) + (" indeed" if i % 3 else "")
        choices = (right, " ".join(rng.choice(WORDS, 3)))
        some.append(Item(f"{i}", {"q": "why"}, choices if i % 2 else choices[::-1], 1 - i % 2))
    known = {f"{i}" for i in range(300) if i % 3}
    runs = [said(tuple(some), "m", "full", half(tuple(some), 1, known, 0.5))]
    result = EasyHard()(Benchmark("b", {"all": tuple(some)}), runs)
    (gap,) = rows(result, "gaps")
    assert (gap["easy_from"], gap["relation"], gap["flag"]) == (
        "cue rules",
        "cross-validated rules",
        "gap",
    )
    assert gap["n_easy"] > 150
    assert result.verdict == "exposed"


def test_no_gap_is_clear(some: Items) -> None:
    runs = [
        said(some, "m", "full", half(some, 1, set(), 0.8)),
        said(some, "other", "choices", half(some, 3, set(), 0.65)),
    ]
    result = EasyHard()(Benchmark("b", {"all": some}), runs)
    assert result.verdict == "clear"


def test_published_ids_are_read_and_checked(some: Items, tmp_path: Path) -> None:
    runs = [said(some, "m", "full", half(some, 1, set(), 0.8))]
    path = tmp_path / "ids.json"
    path.write_text(json.dumps({"easy": list(range(100)), "hard": list(range(100, 300))}))
    result = EasyHard(easy=str(path))(Benchmark("b", {"all": some}), runs)
    assert rows(result, "gaps")[0]["n_easy"] == 100
    path.write_text(json.dumps({"easy": [1, 999]}))
    with pytest.raises(BadInput, match=r"ids.json: easy: 999 is not an item of this split"):
        EasyHard(easy=str(path))(Benchmark("b", {"all": some}), runs)


def test_pooled_runs_are_named_so_and_give_a_smaller_p(some: Items) -> None:
    known = {f"{i}" for i in range(120)}
    lean = half(some, 9, set(), 0.2) & known
    runs = [said(some, "m", "full", half(some, s, lean), s) for s in range(4)]
    runs.append(said(some, "o", "choices", half(some, 3, known)))
    benchmark = Benchmark("b", {"all": some})
    mean, pooled = (EasyHard(seeds=how)(benchmark, runs) for how in ("mean", "pooled"))
    assert rows(mean, "gaps")[0]["gap"] == pytest.approx(rows(pooled, "gaps")[0]["gap"])
    assert rows(pooled, "gaps")[0]["p"] < rows(mean, "gaps")[0]["p"]
    assert any("pooled" in note for note in pooled.notes)
    assert not any("pooled" in note for note in mean.notes)


def test_with_blind_runs_alone_it_is_skipped(some: Items) -> None:
    """Not an error: an audit of blind runs goes on with its other probes."""
    benchmark, blind = Benchmark("b", {"all": some}), run(some, "m", "choices")
    result = EasyHard()(benchmark, [blind])
    sentence = "Skipped: all runs have the view choices; also give runs that saw the question."
    assert (result.verdict, result.summary, result.notes) == ("skipped", sentence, ())
    mixed = EasyHard()(benchmark, [blind, run(some, "n", "unknown")])
    assert (mixed.verdict, mixed.summary) == ("skipped", sentence)
    assert mixed.notes[0].startswith(
        "Left out, since the log does not say which parts of the items the model saw: n;"
    )


def test_where_nobody_blind_knows_anything_it_is_not_called_clear(some: Items) -> None:
    result = EasyHard()(
        Benchmark("b", {"all": some}), [said(some, "m", "full", half(some, 1, set()))]
    )
    assert result.verdict == "skipped"
    assert result.summary == (
        "Skipped: needs predictions of a model that saw only the choices; make them with "
        "`hansproof predict … --views choices`."
    )
    assert any("For a control" in note for note in result.notes)


def test_a_source_at_chance_is_listed_and_not_judged(some: Items) -> None:
    runs = [
        said(some, "m", "full", half(some, 1, set(), 0.8)),
        said(some, "other", "choices", half(some, 3, set(), 0.5)),
    ]
    result = EasyHard()(Benchmark("b", {"all": some}), runs)
    (gap,) = rows(result, "gaps")
    assert (gap["relation"], gap["q"]) == ("at chance", None)
    assert result.verdict == "skipped"
    assert result.summary.startswith("Skipped: the runs without the question (other on choices) ")
    assert re.search(
        r"not clearly above chance \(at best \d\d\.\d%, chance 50\.0%\)", result.summary
    )


def test_blind_runs_that_are_always_right_leave_no_hard_items(some: Items) -> None:
    runs = [
        said(some, "m", "full", half(some, 1, set(), 0.8)),
        said(some, "other", "choices", {item.id for item in some}),
    ]
    result = EasyHard()(Benchmark("b", {"all": some}), runs)
    assert result.verdict == "skipped"
    assert "fewer than 10 items are Easy or fewer than 10 are Hard" in result.summary


def test_without_a_run_that_saw_everything_nothing_is_judged(some: Items) -> None:
    known = {f"{i}" for i in range(120)}
    runs = [said(some, "m", view, half(some, 1, known)) for view in ("choices", "q+choices")]
    result = EasyHard()(Benchmark("b", {"all": some}), runs)
    assert result.verdict == "skipped"
    assert result.summary == (
        "Skipped: needs predictions of a model that saw the whole item; make them with "
        "`hansproof predict … --views full`."
    )


def test_systems_that_saw_a_part_are_listed_and_not_judged(some: Items) -> None:
    known = {f"{i}" for i in range(120)}
    blind = [said(some, "other", "choices", half(some, s, known), s) for s in (3, 4)]
    partial = said(some, "m", "reason+choices", half(some, 1, known, 0.4))
    full = said(some, "m", "full", half(some, 2, set(), 0.9))
    result = EasyHard()(Benchmark("b", {"all": some}), [*blind, partial, full])
    found = {row["system"]: row for row in rows(result, "gaps")}
    assert found["m on reason+choices"]["gap"] > 0.3
    assert found["m on reason+choices"]["q"] is None
    assert result.verdict == "clear"


def test_groups_that_share_their_fate_do_not_make_a_gap() -> None:
    """Eight alike in every group, blind and full independent: few verdicts may be wrong."""
    exposed = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        some = tuple(replace(i, group=str(at // 8)) for at, i in enumerate(items(240)))
        fates = [{f"{i}" for i in np.flatnonzero(np.repeat(rng.random(30) < p, 8))}
                 for p in (0.7, 0.65)]  # fmt: skip
        runs = [said(some, "m", "full", fates[0]), said(some, "o", "choices", fates[1])]
        probe = EasyHard(randomisations=999)
        exposed += probe(Benchmark("b", {"all": some}), runs).verdict == "exposed"
    assert exposed <= 5


def test_ids_must_be_about_one_of_the_splits(some: Items, tmp_path: Path) -> None:
    other = tuple(replace(i, id=f"d{i.id}") for i in some)
    benchmark = Benchmark("b", {"all": some, "dev": other})
    runs = [
        said(some, "m", "full", half(some, 1, set(), 0.8)),
        replace(said(other, "m", "full", set()), split="dev"),
    ]
    path = tmp_path / "ids.json"
    path.write_text(json.dumps({"easy": [f"{i}" for i in range(100)]}))
    found = rows(EasyHard(easy=str(path))(benchmark, runs), "sets")
    assert [r["split"] for r in found if r["easy_from"] == "published ids"] == ["all"]
    path.write_text(json.dumps({"easy": ["x"]}))
    with pytest.raises(BadInput, match="x is not an item of this split"):
        EasyHard(easy=str(path))(benchmark, runs)
    with pytest.raises(BadInput, match="no such file"):
        EasyHard(easy=str(tmp_path / "none.json"))(benchmark, runs)


def test_runs_whose_view_is_unknown_are_left_out(some: Items) -> None:
    known = {f"{i}" for i in range(120)}
    runs = [
        said(some, "m", "full", half(some, 1, known, 0.6)),
        said(some, "m", "choices", half(some, 2, known)),
    ]
    unknown = said(some, "log", "unknown", half(some, 3, known))
    benchmark = Benchmark("b", {"all": some})
    result, without = EasyHard()(benchmark, [*runs, unknown]), EasyHard()(benchmark, runs)
    assert result.tables == without.tables
    assert result.notes == (
        "Left out, since the log does not say which parts of the items the model saw: log; name "
        "the view with --predictions NAME@VIEW=FILES, such as NAME@full=FILES.",
        *without.notes,
    )
    skipped = EasyHard()(benchmark, [unknown])
    assert (skipped.verdict, skipped.subject) == ("skipped", "models")
    assert skipped.summary == (
        "Skipped: the logs do not say which parts of the items the model saw; name the view with "
        "--predictions NAME@VIEW=FILES, such as NAME@full=FILES."
    )


def test_items_that_were_not_asked_are_neither_easy_nor_hard(some: Items) -> None:
    known = {f"{i}" for i in range(120)}
    full = said(some, "m", "full", half(some, 1, known, 0.6))
    blind = said(some, "other", "choices", half(some, 2, known))

    def ask(run: Predictions, ids: range) -> Predictions:
        asked = {f"{i}" for i in ids}
        scores = {id: row for id, row in run.scores.items() if id in asked}
        unanswered: dict[str, NoAnswer] = {i.id: "not asked" for i in some if i.id not in asked}
        return replace(run, scores=scores, unanswered=unanswered)

    benchmark = Benchmark("b", {"all": some})
    result = EasyHard()(benchmark, [ask(full, range(50, 300)), ask(blind, range(250))])
    rows_by_source = {row["easy_from"]: row for row in rows(result, "gaps")}
    both = tuple(item for item in some if 50 <= int(item.id) < 250)
    kept = [replace(r, scores={i.id: r.scores[i.id] for i in both}) for r in (full, blind)]
    (expected,) = (
        row
        for row in rows(EasyHard()(Benchmark("b", {"all": both}), kept), "gaps")
        if row["easy_from"] == "other on choices"
    )
    row = rows_by_source["other on choices"]
    for column in ("easy", "hard", "gap", "p", "n_easy", "n_hard"):
        assert row[column] == expected[column], column
    assert row["n_easy"] + row["n_hard"] == 200


def test_a_system_with_two_gaps_is_one_score() -> None:
    """Easy from blind runs and from rules over cues: two gaps of one system."""
    benchmark = load("toy:original")
    runs = [
        predict(benchmark, "bow", view, seed=seed)
        for view in ("full", "choices")
        for seed in range(2)
    ]
    result = EasyHard()(benchmark, runs)
    assert len(result.tables["gaps"].rows) == 2
    assert "bow scores significantly higher" in result.summary


def draw_places(seed: int, n: int = 120) -> tuple[Items, set[str]]:
    """Items, and those that a blind model knows: by luck, most of them have their answer at A."""
    rng = np.random.default_rng(seed)
    answers = rng.integers(0, 2, n)
    solved = rng.random(n) < np.where(answers == 0, 0.95, 0.6)
    drawn = tuple(
        replace(item, answer=int(answer))
        for item, answer in zip(items(n), answers.tolist(), strict=True)
    )
    return drawn, {item.id for item, is_solved in zip(drawn, solved, strict=True) if is_solved}


def pick_first(drawn: Items, n_others: int = 3) -> Predictions:
    """A model that picks the first choice, but for a few items."""
    right = {i.id for at, i in enumerate(drawn) if i.answer == int(at < n_others)}
    return said(drawn, "first", "full", right)


def test_a_model_that_picks_the_first_choice_is_not_exposed() -> None:
    """The plain test is fooled in most of these benchmarks; the verdict is not."""
    n_fooled, n_exposed = 0, 0
    for seed in range(200):
        drawn, solved = draw_places(seed)
        runs = [pick_first(drawn), said(drawn, "other", "choices", solved)]
        result = EasyHard(ngram=1, folds=2)(Benchmark("b", {"all": drawn}), runs)
        (gap,) = (row for row in rows(result, "gaps") if row["easy_from"] == "other on choices")
        n_fooled += gap["q"] is not None and gap["q"] <= 0.05 and gap["gap"] > 0
        n_exposed += result.verdict == "exposed"
    assert n_fooled > 100
    assert n_exposed <= 10  # 5%


def test_a_model_that_depends_on_words_is_still_exposed() -> None:
    for seed in range(20):
        drawn, solved = draw_places(seed)
        full = said(drawn, "m", "full", half(drawn, seed, solved, 0.5))
        result = EasyHard()(Benchmark("b", {"all": drawn}), [
            full, said(drawn, "other", "choices", solved),
        ])  # fmt: skip
        assert result.verdict == "exposed", seed


def test_a_gap_that_goes_with_places_is_named_so() -> None:
    drawn, solved = draw_places(0)
    runs = [pick_first(drawn, 0), said(drawn, "other", "choices", solved)]
    result = EasyHard()(Benchmark("b", {"all": drawn}), runs)
    (gap,) = (row for row in rows(result, "gaps") if row["relation"] == "other model")
    assert (result.verdict, gap["flag"]) == ("clear", "")
    assert (gap["gap_same_place"], gap["q_same_place"]) == (0.0, 1.0)
    points = f"{100 * gap['gap']:.1f} points"
    assert result.summary == (
        "None of 1 score is significantly higher on Easy than on Hard items with the right choice "
        f"at the same place (1 gap tested); the gap of {points} of first in all (Easy items chosen "
        "by other on choices) goes with the places of the right choices."
    )
    assert result.notes[0] == (
        f"first in all, Easy items chosen by other on choices: the gap of {points} goes with the "
        "places of the right choices. Between Easy and Hard items with the right choice at the "
        "same place it is 0.0 points, which is not significant."
    )
    assert result.estimates[0].value == gap["gap"]  # the plain gap is still what is reported


def test_a_gap_that_is_nearly_as_large_at_the_same_place_only_may_go_with_places() -> None:
    """A weak dependence on words, of which places are a part."""
    for seed in range(60):
        drawn, solved = draw_places(seed, 80)
        rng = np.random.default_rng(seed)
        share = {i.id: 0.45 + 0.15 * (i.answer == 0) + 0.15 * (i.id in solved) for i in drawn}
        full = said(drawn, "m", "full", {i.id for i in drawn if rng.random() < share[i.id]})
        other = said(drawn, "other", "choices", solved)
        result = EasyHard()(Benchmark("b", {"all": drawn}), [full, other])
        gaps = [row for row in rows(result, "gaps") if row["relation"] == "other model"]
        if "may go with the places" in result.summary:
            assert gaps[0]["gap_same_place"] > gaps[0]["gap"] / 2
            assert gaps[0]["q_same_place"] > 0.05
            return
    pytest.fail("no benchmark had such a gap")


def test_where_no_place_has_easy_and_hard_items_nothing_is_cleared() -> None:
    """The blind model picks the first choice, too: Easy is where the answer stands at A."""
    rng = np.random.default_rng(0)
    answers = (rng.random(120) > 0.7).astype(int).tolist()
    drawn = tuple(
        replace(item, answer=answer) for item, answer in zip(items(120), answers, strict=True)
    )
    blind = said(drawn, "other", "choices", {i.id for i in drawn if i.answer == 0})
    result = EasyHard()(Benchmark("b", {"all": drawn}), [pick_first(drawn, 0), blind])
    (gap,) = (row for row in rows(result, "gaps") if row["relation"] == "other model")
    assert (gap["gap_same_place"], gap["q_same_place"]) == (None, None)
    assert result.verdict == "caution"
    assert result.notes[0].endswith(
        "No Easy and Hard items have the right choice at the same place."
    )
