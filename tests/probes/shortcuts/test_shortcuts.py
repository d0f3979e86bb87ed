"""The probe of shortcuts on benchmarks in which answers can be found, and in others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
import pytest

from hansproof.audit_checkpoint import FILE_NAME, AuditCheckpoint
from hansproof.auditing import load_audit, run_audit, save_audit
from hansproof.errors import BadInput
from hansproof.gates.limits import MEASURES
from hansproof.inputs.choice_vectors import ChoiceVectors
from hansproof.inputs.likelihoods import ChoiceLikelihoods
from hansproof.probes.shortcuts import Shortcuts
from hansproof.probes.shortcuts.blind_scores import LADDER, given_scores
from hansproof.probes.shortcuts.tables import BLIND_SCORE, EXPLAINED, LEADING
from hansproof.records.nested import CHOICE_ORDER, DRAWN
from hansproof.results import downgrade
from hansproof.rules.features import choice_texts
from hansproof.rules.place import RUNG as PLACE
from hansproof.scoring import run_credits
from hansproof.types import Benchmark, Item, Items, Predictions, Result

from ...support.probe_factories import run
from ...support.rule_factories import planted_items, random_items

QUICK = Shortcuts(randomisations=20)


def make_benchmark(items: Items) -> Benchmark:
    return Benchmark("b", {"all": items})


TOLD = make_benchmark(planted_items(0, 300, ("zork", "blip"), "xor", 4, 0.3))


def make_inputs(items: Items) -> tuple[ChoiceLikelihoods, ChoiceVectors]:
    texts, rng = [*dict.fromkeys(choice_texts(items))], np.random.default_rng(0)
    by_text = {text: (float(-rng.integers(9, 60)), 5) for text in texts}
    matrix = rng.normal(size=(len(texts), 4)).astype(np.float32)
    rows = {text: row for row, text in enumerate(texts)}
    return ChoiceLikelihoods("lm:x", "a", "cpu", by_text), ChoiceVectors(
        "enc", "b", "", rows, matrix
    )


@cache
def ask_all() -> Result:
    """With all inputs, of which the predictions are better than the features."""
    items = TOLD.splits["all"]
    lm, encoder = make_inputs(items)
    runs = [run(items, "good", "choices", 0.9, seed) for seed in (0, 1)]
    seeing = run(items, "seeing", "full", 1.0)
    return QUICK(TOLD, predictions=[*runs, seeing], lm=[lm], encoder=[encoder])


def rows(result: Result, table: str) -> list[dict[str, Any]]:
    found = result.tables[table]
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def test_what_is_planted_is_exposed_and_is_the_strongest_rule() -> None:
    result = ask_all()
    assert result.verdict == "exposed"
    assert result.p is not None
    assert result.p < 1e-10
    assert result.gain is not None
    assert result.gain > 0.3
    strongest = rows(result, "rules")[0]
    assert "zork" in strongest["rule"]
    assert "blip" in strongest["rule"]
    assert strongest["rung"] == "pairs"
    assert strongest["right"] / strongest["n"] == strongest["precision"] > 0.7
    assert [row["flag"] for row in rows(result, "rungs") if row["rung"] == "pairs"] == [LEADING]
    assert strongest["rule"] in result.headline


def test_its_numbers_are_whole() -> None:
    """What the contract asks of every probe, here of a result with all that it can contain."""
    result = ask_all()
    assert msgspec.json.decode(msgspec.json.encode(result), type=Result) == result
    names = [estimate.name for estimate in result.estimates]
    assert len(names) == len({*names})
    assert result.key in names
    for estimate in result.estimates:
        assert estimate.n == 300
        assert estimate.chance == 0.25
        assert estimate.low is not None
        assert estimate.high is not None
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    for table in result.tables.values():
        assert table.rows
        assert all(len(row) == len(table.columns) for row in table.rows)
    for row in rows(result, "rungs"):
        assert row["low"] <= row["accuracy"] <= row["high"]
        assert 0 < row["p"] <= 1
        assert 0 < row["q"] <= 1
    rungs = [row["rung"] for row in rows(result, "rungs")]
    assert rungs[-2:] == ["likelihood", "encoder"]
    assert rungs[1] == PLACE


def test_shares_of_the_explained_score_and_the_rest_are_a_whole() -> None:
    for result in (ask_all(), QUICK(TOLD)):
        (explained,) = (row for row in rows(result, "blind") if row["flag"] == EXPLAINED)
        shares = [row["share"] for row in rows(result, "rungs")]
        assert sum(shares) + explained["unexplained"] == pytest.approx(1)
        assert explained["accuracy"] == max(row["accuracy"] for row in rows(result, "blind"))
    assert explained["model"] == LADDER
    for row in rows(ask_all(), "rungs"):
        assert row["share_low"] <= row["share"] <= row["share_high"]


def test_models_that_saw_only_the_choices_are_beside_the_features() -> None:
    blind = {row["model"]: row for row in rows(ask_all(), "blind")}
    assert {*blind} == {LADDER, "good"}
    runs = [run(TOLD.splits["all"], "good", "choices", 0.9, seed) for seed in (0, 1)]
    right = [
        np.mean([np.argmax(r.scores[item.id]) == item.answer for r in runs])
        for item in TOLD.splits["all"]
    ]
    assert blind["good"]["accuracy"] == pytest.approx(np.mean(right))
    assert blind["good"]["flag"] == EXPLAINED


def test_evidence_of_a_rule_is_what_it_answers() -> None:
    result = ask_all()
    by_id = {item.id: item for item in TOLD.splits["all"]}
    strongest = rows(result, "rules")[0]
    ids = result.evidence[strongest["rule"]]
    assert len(ids) == strongest["right"]
    for id in ids:
        item = by_id[id]
        odd = [("zork" in choice) != ("blip" in choice) for choice in item.choices]
        assert odd.count(True) == 1
        assert odd.index(True) == item.answer


def test_random_answers_are_undecided_or_clear_by_the_number_of_items() -> None:
    small = QUICK(make_benchmark(random_items(3, 60, (4,))))
    assert small.verdict == "undecided"
    assert small.gain is None
    assert small.headline == ""
    assert rows(small, "rules") == []
    assert small.evidence == {}
    assert all(row["share"] is None for row in rows(small, "rungs"))
    assert small.n_needed is not None
    assert small.n_needed > 60
    large = Shortcuts(randomisations=20, margin=0.3)(make_benchmark(random_items(4, 900, (4,))))
    assert large.verdict == "clear"
    assert large.power is not None
    assert large.power > 0.8
    for result in (small, large):
        for estimate in result.estimates:
            assert cast(float, estimate.low) <= 0.3
            assert cast(float, estimate.low) <= cast(float, estimate.chance)
            assert cast(float, estimate.chance) <= cast(float, estimate.high)


def test_a_small_gain_is_a_caution() -> None:
    items = planted_items(1, 700, ("zork",), "and", 4, 0.8)
    result = Shortcuts(randomisations=20, margin=0.5)(make_benchmark(items))
    assert result.verdict == "caution"
    assert Shortcuts(randomisations=20)(make_benchmark(items)).verdict == "exposed"


def mirror(items: Items, space: str = "") -> Items:
    """Each item twice, with either choice as the answer; `space` is put after the right choice."""
    return tuple(
        Item(f"{item.id}{answer}", {"q": f"{item.id} {answer}"},
             tuple(c + space * (i == answer) for i, c in enumerate(item.choices)), answer)
        for item in items for answer in (0, 1)
    )  # fmt: skip


def test_mirrored_items_are_clear_by_design_unless_spaces_tell() -> None:
    items = random_items(5, 80, (2,))
    even = QUICK(make_benchmark(mirror(items)))
    assert (even.verdict, even.power, even.p) == ("clear", 1.0, None)
    assert {name: table.rows for name, table in even.tables.items()} == {
        "rungs": (), "rules": (), "blind": ()
    }  # fmt: skip
    (measured,) = MEASURES["shortcut_gain"].extract(even)
    assert measured.excess.value == 0
    told = QUICK(make_benchmark(mirror(items, " ")))
    assert told.verdict == "exposed"
    assert rows(told, "rules")[0]["rung"] == "typography"


def test_mirrored_items_in_which_the_right_choice_comes_first() -> None:
    items = tuple(
        replace(item, choices=tuple(sorted(item.choices, key=lambda c: c != right)), answer=0)
        for item in mirror(random_items(5, 80, (2,)))
        for right in [item.choices[item.answer or 0]]
    )
    result = QUICK(make_benchmark(items))
    assert result.verdict == "exposed"
    assert rows(result, "rules")[0]["rule"] == "the first choice"
    drawn = tuple(replace(item, meta={CHOICE_ORDER: DRAWN}) for item in items)
    assert QUICK(make_benchmark(drawn)).verdict == "clear"


def test_what_a_given_model_knows_is_not_denied() -> None:
    """The features of random texts show nothing, but a model answers the items all the same."""
    items = random_items(1, 1500, (4,))
    strong = run(items, "strong", "choices", 0.8)
    plain = QUICK(make_benchmark(items))
    assert plain.verdict == "clear"
    result = QUICK(make_benchmark(items), predictions=[strong])
    assert (result.verdict, result.power, result.n_needed) == ("undecided", None, None)
    assert "But strong answers 8" in result.summary
    (estimate,) = (e for e in result.estimates if "strong" in e.name)
    assert estimate.low is not None
    assert 0.7 < estimate.low < estimate.value
    (row,) = (row for row in rows(result, "blind") if row["model"] == "strong")
    assert row["low"] == estimate.low
    assert row["unexplained"] == pytest.approx(1, abs=0.2)
    assert {row["share"] for row in rows(result, "rungs")} == {None}
    weak = QUICK(make_benchmark(items), predictions=[run(items, "weak", "choices", 0.0)])
    (guessing,) = (row for row in rows(weak, "blind") if row["model"] == "weak")
    assert guessing["unexplained"] is None


def test_items_of_few_groups_are_not_cleared() -> None:
    """Each group is one answer, so a rule could have been confirmed by five at most."""
    items = tuple(
        replace(item, group=f"g{i % 5}") for i, item in enumerate(random_items(1, 1500, (4,)))
    )
    assert QUICK(make_benchmark(items)).verdict == "undecided"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1, 3])
def test_choices_that_cannot_be_told_apart(size: int) -> None:
    items = tuple(Item(f"{i}", {"q": f"why {i}"}, (f"w{i}",) * size, i % size) for i in range(30))
    result = QUICK(make_benchmark(items))
    assert result.verdict in ("clear", "undecided")
    assert result.gain is None


def test_splits_are_pooled_or_one_is_taken() -> None:
    items = TOLD.splits["all"]
    halves = Benchmark("b", {"one": items[:150], "two": items[150:]})
    pooled = QUICK(halves)
    assert {estimate.split for estimate in pooled.estimates} == {"pooled"}
    assert rows(pooled, "rungs") == [
        {**row, "split": "pooled"} for row in rows(QUICK(TOLD), "rungs")
    ]
    one = Shortcuts(randomisations=20, split="one")(halves)
    assert {estimate.n for estimate in one.estimates} == {150}
    runs = [run(items[:150], "m", "choices", split="one"),
            run(items[150:], "m", "choices", split="two")]  # fmt: skip
    (score,), notes = given_scores(halves, runs, items)
    assert score.credits.shape == (300,)
    assert notes == ()
    scores, (note,) = given_scores(halves, runs[:1], items)
    assert scores == []
    assert "did not answer all of these items: m" in note


def test_items_of_two_splits_may_have_the_same_ids() -> None:
    train, dev = TOLD.splits["all"][:20], tuple(
        replace(item, id=str(i)) for i, item in enumerate(TOLD.splits["all"][20:50])
    )  # fmt: skip
    train = tuple(replace(item, id=str(i)) for i, item in enumerate(train))
    both = Benchmark("b", {"train": train, "dev": dev})
    runs = [
        run(train, "m", "choices", 1.0, split="train"),
        run(dev, "m", "choices", 0.0, split="dev"),
    ]
    (score,), _ = given_scores(both, runs, (*train, *dev))
    credits = [run_credits(answers, part) for answers, part in zip(runs, (train, dev), strict=True)]
    assert score.credits.tolist() == np.concatenate(credits).tolist()
    assert given_scores(both, runs[1:], (*train, *dev))[0] == []


def test_runs_without_anything_to_score_are_no_reason_to_fail() -> None:
    hidden = tuple(replace(item, id=f"u{item.id}", answer=None) for item in TOLD.splits["all"][:9])
    benchmark = Benchmark("b", {"all": TOLD.splits["all"], "hidden": hidden})
    unlabelled = replace(run(TOLD.splits["all"][:9], "m", "choices", split="hidden"), scores={
        item.id: (0.0,) * len(item.choices) for item in hidden
    })  # fmt: skip
    refused = replace(
        run(TOLD.splits["all"], "n", "choices"),
        scores={},
        unanswered={i.id: "refused" for i in TOLD.splits["all"]},
    )
    result = QUICK(benchmark, predictions=[unlabelled, refused])
    assert len(rows(result, "blind")) == 1


@pytest.mark.parametrize(
    ("trained_on", "asked"),
    [("one", "one"), ("one", "pooled"), ("one", "one+two"), ("b:one", "pooled"), ("b", "two"),
     ("early", "pooled")],
)  # fmt: skip
def test_models_that_have_learnt_some_of_the_answers_are_left_out(
    trained_on: str, asked: str
) -> None:
    halves = Benchmark(
        "b",
        {"one": TOLD.splits["all"][:150], "two": TOLD.splits["all"][150:]},
        aliases={"early": ("one",)},
    )
    items = halves.take_split(asked).splits[asked]
    asked_run = run(items, "m", "choices", 1.0, split=asked)
    cheat = replace(asked_run, protocol="train-test", trained_on=trained_on)
    scores, (note,) = given_scores(halves, [cheat], items)
    assert scores == []
    assert "trained on answers that it was then asked for: m" in note
    elsewhere = replace(cheat, trained_on="other")
    assert len(given_scores(halves, [elsewhere], items)[0]) == 1


def test_predictions_that_lack_answers_count_them_as_wrong_or_are_left_out() -> None:
    items = TOLD.splits["all"]
    whole = run(items, "m", "choices", 1.0)
    scores = {item.id: whole.scores[item.id] for item in items[60:]}

    def drop(reason: Any) -> Predictions:
        return replace(whole, scores=scores, unanswered={i.id: reason for i in items[:60]})

    (score,), _ = given_scores(TOLD, [drop("refused")], items)
    assert score.accuracy == pytest.approx(240 / 300)
    assert given_scores(TOLD, [drop("not asked")], items)[0] == []


def test_rungs_that_were_not_tried_are_named() -> None:
    without, whole = QUICK(TOLD), ask_all()
    assert any("--lm" in note and "--encoder" in note for note in without.notes)
    assert not any("--lm" in note or "--encoder" in note for note in whole.notes)
    assert any("lm:x" in note for note in whole.notes)


def test_the_models_behind_a_result_are_among_its_settings() -> None:
    result = ask_all()
    assert (result.params["lm"], result.params["encoder"]) == (("lm:x",), ("enc",))
    assert any("lm:x (fingerprint a, computed on cpu)" in note for note in result.notes)
    assert not {"lm", "encoder"} & QUICK(TOLD).params.keys()


def test_a_finding_that_is_overruled_does_not_clear_the_items() -> None:
    overruled = downgrade(ask_all(), 0.2, "After correction, this is not significant.")
    assert overruled.verdict == "undecided"


def test_the_gate_measures_the_gain_of_all_features() -> None:
    result = ask_all()
    (measured,) = MEASURES["shortcut_gain"].extract(result)
    (estimate,) = (e for e in result.estimates if e.metric == BLIND_SCORE)
    assert measured.raw == estimate
    assert measured.excess.value == pytest.approx(estimate.value - 0.25)
    assert measured.excess.value == pytest.approx(result.gain)


def test_it_repeats_and_its_seed_matters() -> None:
    benchmark = make_benchmark(random_items(2, 80, (3,)))
    probe = Shortcuts(randomisations=20, seed=3)
    assert probe(benchmark) == probe(benchmark)
    other = Shortcuts(randomisations=20, seed=4)(benchmark)
    assert rows(other, "rungs") != rows(probe(benchmark), "rungs")


def test_an_interrupted_audit_takes_it_up_and_an_audit_is_saved_with_it(tmp_path: Path) -> None:
    items = TOLD.splits["all"]
    probe = replace(QUICK, seed=1)
    blind = [run(items, "m", "choices", 0.9)]
    inputs: dict[str, Any] = {"blind": blind}

    def open_checkpoint(**changes: Any) -> AuditCheckpoint:
        return AuditCheckpoint(str(tmp_path / FILE_NAME), TOLD, {**inputs, **changes})

    audit = run_audit(
        TOLD, {"shortcuts": probe}, inputs=inputs, tokenizer="auto", checkpoint=open_checkpoint()
    )
    (result,) = audit.results
    resumed = open_checkpoint()
    again = run_audit(
        TOLD, {"shortcuts": probe}, inputs=inputs, tokenizer="auto", checkpoint=resumed
    )
    assert again.results == audit.results
    assert "shortcuts" in resumed.resumed
    changed = open_checkpoint(blind=[run(items, "m", "choices", 0.8)])
    assert changed.find_result(probe) is None
    save_audit(audit, str(tmp_path / "audit.json"))
    assert load_audit(str(tmp_path / "audit.json")).results == (result,)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"randomisations": 19}, "--randomisations: is 19, must be at least 20"),
        ({"level": 0.01}, "--randomisations: is 99, must be at least 111"),
        ({"margin": 0.0}, "--margin: is 0.0"),
        ({"level": 2.0}, "--level: is 2.0"),
    ],
)
def test_settings_out_of_range(flags: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Shortcuts(**flags)
