from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hansproof import auditing, load
from hansproof.errors import BadInput
from hansproof.probes.priority import Priority
from hansproof.probes.priority.blind_models import mirror_copies
from hansproof.types import Benchmark, Item, Result

from ..support.cue_factories import some_items
from ..support.markers import needs_data
from ..support.quiz_factories import uneven_quiz


@pytest.fixture(scope="module")
def told() -> Result:
    items = some_items(2, 200, (2,), telling=0.8)
    return Priority(shuffles=5, randomisations=199)(Benchmark("b", {"all": items}))


def rows(result: Result, table: str) -> list[dict[str, object]]:
    found = result.tables[table]
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def test_items_that_tell_come_first(told: Result) -> None:
    first = rows(told, "order")[:10]
    assert sum("“tell”" in str(row["words"]) for row in first) >= 7  # three are named of each
    assert [row["rank"] for row in first] == list(range(1, 11))


def test_the_length_of_phrases_means_nothing_to_rules() -> None:
    with pytest.raises(BadInput, match="ngram has no effect here: leave it out"):
        Priority(target="rules", ngram=4)


def test_fewer_are_needed_in_this_order_than_at_random(told: Result) -> None:
    until = {(row["until"], row["way"]): row for row in rows(told, "until")}
    for what in ("null", "significant"):
        mine, random = until[what, "priority"], until[what, "random"]
        assert 0 < float(str(mine["items"])) < float(str(random["low"]))
        assert random["orders"] == 5
    assert told.verdict == "caution"
    most = max(int(str(until[what, "priority"]["items"])) for what in ("null", "significant"))
    assert len(told.evidence["mirror first"]) == most
    assert list(told.evidence["mirror first"]) == [r["item"] for r in rows(told, "order")[:most]]


def test_the_curve_begins_as_counted_and_ends_with_nothing(told: Result) -> None:
    words = [r for r in rows(told, "curve") if r["order"] == 1 and r["way"] == "priority"]
    assert words[0]["mirrored"] == 0
    assert float(str(words[0]["ratio"])) > float(str(words[0]["band_high"]))
    assert float(str(words[-1]["ratio"])) == 1
    left = [row for row in rows(told, "left") if row["way"] == "priority"]
    assert (left[-1]["accuracy"], left[-1]["significant"]) == (0.5, 0)
    assert float(str(left[0]["accuracy"])) > 0.6
    marks = {str(row["mark"]): row for row in left if row["mark"]}
    assert marks["significant"]["significant"] == 0
    assert {e.name for e in told.estimates} >= {"blind accuracy, 0 items mirrored"}


def test_the_blind_model_falls_to_chance_and_not_below(told: Result) -> None:
    left = [row for row in rows(told, "left") if row["way"] == "priority"]
    for row in left:
        assert float(str(row["high"])) > 0.5 - 1e-9
    for row in left[len(left) // 2 :]:
        assert float(str(row["accuracy"])) < 0.56


def test_random_orders_are_cut_where_the_same_number_of_items_is_mirrored() -> None:
    items = some_items(2, 60, (2,), telling=0.8)
    tied = tuple(replace(i, group="large" if int(i.id) < 25 else None) for i in items)
    result = Priority(shuffles=3, randomisations=99)(Benchmark("b", {"all": tied}))
    for row in rows(result, "left"):
        many, n = int(str(row["mirrored"])), int(str(row["n"]))
        assert many <= n - 60 <= many + (0 if row["way"] == "priority" else 25)


def test_many_choices_of_lone_words() -> None:
    items = tuple(Item(f"{i}", {}, (f"a{i} b{i} c{i}", f"d{i}", f"e{i}"), 0) for i in range(30))
    result = Priority(shuffles=2, randomisations=99)(Benchmark("b", {"all": items}))
    assert len(result.tables["order"].rows) == 30


def test_a_mirrored_item_stands_there_once_for_every_answer() -> None:
    item = Item("7", {"q": "why"}, ("a", "b", "c"), 2)
    found = mirror_copies(item)
    assert [copy.answer for copy in found] == [0, 1, 2]
    assert {copy.group for copy in found} == {"7"}
    assert len({copy.id for copy in found}) == 3


def test_an_audit_has_it_on_request_only() -> None:
    assert "priority" not in auditing.default_probes()
    assert Priority.on_request


def test_what_is_balanced_is_left_out() -> None:
    result = Priority(shuffles=2, randomisations=99)(load("toy:balanced"))
    assert result.tables["order"].rows == ()
    assert result.verdict == "skipped"


@pytest.mark.parametrize("word", ["", "the "])
def test_words_in_too_few_items_are_not_tested(word: str) -> None:
    choices = [(f"{word}a{i}", f"b{i}") for i in range(4)]
    items = tuple(Item(f"{i}", {"q": "why"}, choices[i], 0) for i in range(4))
    result = Priority(shuffles=2, randomisations=99)(Benchmark("b", {"all": items}))
    assert result.verdict == "skipped"
    assert result.summary == (
        "Skipped: no word of the choices occurs in enough items to be tested."
    )


@needs_data
def test_copa_is_inside_its_band_which_does_not_mean_clean() -> None:
    result = Priority(shuffles=2, randomisations=199)(load("copa:dev"))
    assert result.summary.startswith(
        "Skipped: there is nothing to mirror, as no cue (word or phrase) is"
    )
    assert "does not prove that there are no cues" in result.summary
    assert len(result.tables["order"].rows) == 473  # 27 have no word that another item has


@pytest.mark.slow
@needs_data
def test_arct_needs_a_ninth_of_its_items_instead_of_most() -> None:
    result = Priority(shuffles=3)(load("arct:train"))
    until = {(row["until"], row["way"]): row for row in rows(result, "until")}
    assert until["null", "priority"]["items"] == 137
    assert int(str(until["null", "random"]["low"])) > 800
    assert until["significant", "priority"]["items"] == 235


@pytest.fixture(scope="module")
def about_rules() -> Result:
    items = uneven_quiz(1, 120, share=0.6)
    probe = Priority(target="rules", shuffles=4, randomisations=99)
    return probe(Benchmark("b", {"all": items}))


def test_of_rules_too_fewer_are_needed_than_at_random(about_rules: Result) -> None:
    assert about_rules.verdict == "caution"
    assert "all rules together are no stronger than by chance (in random order: " in (
        about_rules.summary
    )
    until = {(row["until"], row["way"]): row for row in rows(about_rules, "until")}
    for what in ("null", "significant"):
        mine, random = until[what, "priority"], until[what, "random"]
        assert 0 < float(str(mine["items"])) < float(str(random["items"]))


def test_of_rules_the_order_names_what_an_item_strengthens(about_rules: Result) -> None:
    first = rows(about_rules, "order")[:20]
    assert all(re.search("longe(r|st)", str(row["rules"])) for row in first)


def test_of_rules_the_blind_model_sees_what_they_are_about(about_rules: Result) -> None:
    """A bag of words would not see a length."""
    left = [row for row in rows(about_rules, "left") if row["way"] == "priority"]
    assert float(str(left[0]["accuracy"])) > 0.5
    assert "long" in str(left[0]["strongest"])
    assert float(str(left[-1]["accuracy"])) < 0.35
    assert float(str(left[-1]["n"])) > float(str(left[0]["n"]))


def test_without_rules_it_is_skipped() -> None:
    items = uneven_quiz(9, 60, share=0.0)
    result = Priority(target="rules", shuffles=2, randomisations=99)(Benchmark("b", {"all": items}))
    assert result.verdict == "skipped"
    assert result.summary.startswith("Skipped: there is nothing to mirror, as no significant rule")
    assert result.tables["order"].rows == ()
