from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, false_discovery_control

from hansproof import load
from hansproof.cues.significance import MAX_ROWS
from hansproof.errors import UnknownName
from hansproof.probes.cues import SUMMARY_COLUMNS, Cues
from hansproof.types import Benchmark, Item, Result


def rows(result: Result) -> list[dict[str, Any]]:
    table = result.tables["cues"]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


@pytest.fixture(scope="module")
def original() -> Result:
    return Cues()(load("toy:original"))


def test_the_embedded_benchmark_shows_the_problem(original: Result) -> None:
    flags = {row["cue"]: row["flag"] for row in rows(original) if row["flag"]}
    assert flags["had"] == flags["too"] == "telling"
    assert flags["new"] == "eliminating"
    assert original.verdict == "exposed"


def test_and_the_balanced_one_shows_it_gone() -> None:
    result = Cues()(load("toy:balanced"))
    assert result.verdict == "clear"
    assert {row["productivity"] for row in rows(result)} == {0.5}


def test_p_and_q_are_scipys_over_the_cues_that_could_be_significant(original: Result) -> None:
    # 120 items have so few cues that the table holds all that matter
    testable = [row for row in rows(original) if row["q"] is not None]
    p = [binomtest(row["hits"], row["applicability"], 0.5).pvalue for row in testable]
    assert [row["p"] for row in testable] == pytest.approx(p)
    assert [row["q"] for row in testable] == pytest.approx(false_discovery_control(p))
    summary = dict(zip(*(original.tables["summary"].columns, original.tables["summary"].rows[0]),
                       strict=True))  # fmt: skip
    assert summary["testable"] == len(testable)
    assert summary["least_applicability"] == min(row["applicability"] for row in testable) == 6


def test_evidence_is_what_a_cue_gives_away(original: Result) -> None:
    items = {item.id: item for item in load("toy:original").splits["original"]}
    for cue, right in (("had", True), ("new", False)):
        ids = original.evidence[f"original: {cue}"]
        row = next(row for row in rows(original) if row["cue"] == cue)
        assert len(ids) == (row["hits"] if right else row["applicability"] - row["hits"])
        for id in ids:
            answer = items[id].answer
            assert answer is not None
            assert (cue in items[id].choices[answer].lower().split()) == right


def test_splits_pooled_and_named() -> None:
    benchmark = load("toy")
    assert [r[0] for r in Cues(randomisations=9)(benchmark).tables["summary"].rows] == [
        "original", "mirrored", "pooled"
    ]  # fmt: skip
    named = Cues(split="original+mirrored", randomisations=9)(benchmark)
    assert [r[0] for r in named.tables["summary"].rows] == ["original+mirrored"]
    with pytest.raises(UnknownName, match="did you mean original"):
        Cues(split="orignal")(benchmark)


def test_five_choices_have_eliminating_cues_and_another_least_applicability() -> None:
    rng = np.random.default_rng(0)
    items = []
    for i in range(200):
        answer = int(rng.integers(5))
        texts = [" ".join(rng.choice(list("abcdefgh"), 2)) for _ in range(5)]
        texts[(answer + 1) % 5] += " never"
        items.append(Item(str(i), {}, tuple(texts), answer))
    result = Cues(ngram=1)(Benchmark("b", {"all": tuple(items)}))
    never = next(row for row in rows(result) if row["cue"] == "never")
    assert (never["hits"], never["applicability"], never["flag"]) == (0, 200, "eliminating")
    assert never["chance"] == pytest.approx(0.2)
    # striking out one of five: a guess among four
    listed = next(e for e in result.estimates if e.name == "all: rules over words")
    assert listed.value == pytest.approx(0.25, abs=0.02)
    assert result.tables["summary"].rows[0][4] == 2


def test_chance_is_the_mean_over_the_items_a_cue_applies_to() -> None:
    items = (Item("1", {}, ("x a", "b"), 0), Item("2", {}, ("x a", "b", "c", "d"), 0))
    result = Cues(ngram=1)(Benchmark("b", {"all": items}))
    assert next(row for row in rows(result) if row["cue"] == "x")["chance"] == pytest.approx(3 / 8)


def test_a_result_holds_the_top_and_every_file_the_rest() -> None:
    items = tuple(
        Item(str(i), {}, (f"common w{i} v{i}", f"u{i} t{i}"), 0) for i in range(400)
    )  # fmt: skip
    benchmark = Benchmark("b", {"all": items})
    probe = Cues(ngram=1, randomisations=9)
    assert len(rows(probe(benchmark))) == MAX_ROWS
    columns = probe.all_rows(benchmark)
    assert len(columns["cue"]) == 4 * 400 + 1
    assert columns["cue"][0] == "common"


def test_the_order_of_equal_cues_is_that_of_the_text() -> None:
    items = (Item("1", {}, ("b a", "c"), 0), Item("2", {}, ("d", "c"), 0))
    result = Cues(ngram=1)(Benchmark("b", {"all": items}))
    assert [row["cue"] for row in rows(result)] == ["c", "b", "a", "d"]


def test_a_tokenizer_by_name_is_in_the_result() -> None:
    items = (Item("1", {}, ("A a", "b"), 0),)
    result = Cues(tokenizer="whitespace", ngram=1)(Benchmark("b", {"all": items}))
    assert result.params["tokenizer"] == "whitespace"
    assert {row["cue"] for row in rows(result)} == {"A", "a", "b"}


def noise(seed: int, splits: tuple[str, ...]) -> Benchmark:
    """Items whose choices say nothing about their answers."""
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(40)]
    return Benchmark("noise", {
        split: tuple(
            Item(f"{split}{i}", {}, tuple(" ".join(rng.choice(words, 6)) for _ in range(2)),
                 int(rng.integers(2)))
            for i in range(100)
        )
        for split in splits
    })  # fmt: skip


@pytest.mark.slow
def test_noise_is_seldom_called_anything_but_clear() -> None:
    verdicts = [
        Cues(randomisations=99)(noise(seed, ("train", "dev", "test"))).verdict for seed in range(30)
    ]
    assert verdicts.count("exposed") <= 2
    assert verdicts.count("clear") >= 24


def test_a_plain_cue_is_exposed_however_many_splits_there_are() -> None:
    splits = tuple("abcdef")
    cued = {
        name: tuple(
            Item(i.id, {}, tuple(c + " yes" * (j == i.answer) for j, c in enumerate(i.choices)),
                 i.answer)
            for i in items
        )
        for name, items in noise(0, splits).splits.items()
    }  # fmt: skip
    result = Cues(ngram=1)(Benchmark("b", cued))
    assert result.verdict == "exposed"
    assert "answer 100.0% of items" in result.summary


def test_q_is_corrected_over_all_parts_together() -> None:
    result = Cues(randomisations=9)(noise(1, ("train", "dev")))
    testable = [row for row in rows(result) if row["q"] is not None]
    # all testable cues of these small splits are among the rows shown
    assert len(testable) == sum(int(str(row[3])) for row in result.tables["summary"].rows)
    assert [row["q"] for row in testable] == pytest.approx(
        false_discovery_control([row["p"] for row in testable])
    )


def test_too_few_items_to_find_anything() -> None:
    result = Cues()(Benchmark("b", {"all": (Item("1", {}, ("a", "b"), 0),)}))
    assert result.summary.startswith(
        "There are too few items for any word or phrase to be significant."
    )


def test_copies_do_not_make_a_cue() -> None:
    """Each pair of choices four times with the same answer: one fact, not four."""
    rng = np.random.default_rng(3)
    words = [f"w{i}" for i in range(40)]
    alarms = 0
    for sim in range(8):
        items = []
        for k in range(40):
            texts = tuple(" ".join(rng.choice(words, 4)) for _ in range(2))
            right = int(rng.integers(2))
            items += [Item(f"{sim}-{k}-{j}", {"q": f"q {k} {j}"}, texts, right) for j in range(4)]
        alarms += Cues()(Benchmark("b", {"all": tuple(items)})).verdict != "clear"
    assert alarms <= 2


def test_counts_of_words_that_give_away_and_that_rule_out() -> None:
    result = Cues()(load("toy:original"))
    (summary,) = (dict(zip(SUMMARY_COLUMNS, r, strict=True)) for r in result.tables["summary"].rows)
    assert (summary["telling"], summary["eliminating"]) == (2, 1)
    assert "2 words or phrases give answers away and 1 word or phrase rules choices out" in (
        result.summary
    )


def test_the_coverage_that_a_perfect_phrase_needs_is_stated() -> None:
    """A phrase of that coverage is significant, and one that is rarer is not."""
    clean = noise(0, ("all",))
    result = Cues()(clean)
    (summary,) = (dict(zip(SUMMARY_COLUMNS, r, strict=True)) for r in result.tables["summary"].rows)
    needed, n = int(str(summary["perfect_applicability"])), int(str(summary["n"]))
    assert f"at least {needed} of the {n} items" in result.summary
    for count, is_significant in ((needed + 1, True), (needed - 2, False)):
        items = tuple(
            replace(
                item,
                choices=tuple(
                    f"{c} zaz" if i < count and j == item.answer else c
                    for j, c in enumerate(item.choices)
                ),
            )
            for i, item in enumerate(clean.splits["all"])
        )
        flagged = {r["cue"] for r in rows(Cues()(Benchmark("b", {"all": items}))) if r["flag"]}
        assert ("zaz" in flagged) == is_significant


def test_a_few_items_are_undecided_and_mirrored_ones_clear() -> None:
    clean = noise(0, ("all",)).splits["all"]
    few = Cues()(Benchmark("b", {"all": clean[:40]}))
    assert few.verdict == "undecided"
    assert few.n_needed is not None
    mirrored = tuple(
        replace(item, id=f"{item.id}-{half}", answer=half, group=item.id)
        for item in clean[:4]
        for half in (0, 1)
    )
    assert Cues()(Benchmark("b", {"all": mirrored})).verdict == "clear"
