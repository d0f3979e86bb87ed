"""What each limit is held against."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hansproof import load
from hansproof.errors import BadInput
from hansproof.gates.limits import MEASURES, Measurement
from hansproof.probes.class_balance import BEST_FIXED, ClassBalance
from hansproof.probes.integrity import Integrity
from hansproof.probes.surface import Surface
from hansproof.text.token_check import UNSPLIT_NOTE
from hansproof.types import Benchmark, Estimate, Item, Result, Table

from ..support.gate_factories import cues, estimates, tells, views


def found(name: str, result: Result) -> list[Measurement]:
    return MEASURES[name].extract(result)


def ends(measured: Measurement) -> tuple[float, float | None, float | None]:
    return measured.excess.value, measured.excess.low, measured.excess.high


def test_a_cue_that_tells_and_one_that_eliminates_are_as_far_from_chance() -> None:
    telling = ("dev", "not", 20, 18, 0.9, 0.7, 0.97, 0.5, "telling")
    eliminating = ("dev", "new", 20, 2, 0.1, 0.03, 0.3, 0.5, "eliminating")
    weak = ("dev", "the", 20, 10, 0.5, 0.3, 0.7, 0.5, "")
    first, second = found("cue_lift", cues([telling, eliminating, weak]))
    assert ends(first) == ends(second) == (0.4, 0.2, 0.47)
    assert first.raw == Estimate("cue lift", 0.9, 0.7, 0.97, 20, 0.5)
    assert (first.split, first.subject, first.unit) == ("dev", "not", "items with this cue")
    assert "“not” is right 18 of 20 times in dev" in first.description


def test_without_a_significant_cue_the_lift_is_0() -> None:
    weak = ("dev", "the", 20, 10, 0.5, 0.3, 0.7, 0.5, "")
    (none,) = found("cue_lift", cues([weak], verdict="clear"))
    assert ends(none) == (0.0, None, None)
    assert none.description == "no cue is significant"


def test_what_the_audit_holds_for_luck_is_no_significant_cue() -> None:
    lucky = ("dev", "not", 8, 8, 1.0, 0.68, 1.0, 0.5, "telling")
    (none,) = found("cue_lift", cues([lucky], verdict="clear"))
    assert none.description == "no cue is significant"


def test_where_there_are_too_few_items_nothing_is_known() -> None:
    lucky = ("dev", "not", 8, 8, 1.0, 0.68, 1.0, 0.5, "telling")
    (unknown,) = found("cue_lift", cues([lucky], verdict="undecided"))
    assert ends(unknown) == (0.0, 0.0, 1.0)
    assert unknown.description == "no cue is significant, but there are too few items for a verdict"
    unsplit = replace(cues([], verdict="undecided"), notes=(UNSPLIT_NOTE,))
    (unknown,) = found("cue_lift", unsplit)
    assert unknown.description.endswith("the tokenizer does not find the words of this script")
    (unknown,) = found("surface_gain", tells([], verdict="undecided"))
    assert ends(unknown) == (0.0, 0.0, 1.0)


def test_many_weak_cues_count_by_what_rules_over_them_gain() -> None:
    (joint,) = found("cue_lift", cues([], gain=0.08))
    assert ends(joint) == (0.08, None, None)
    assert joint.description == "no single cue is significant, but all of them together are"


def test_a_tell_that_is_rarely_right_gains_by_avoiding_its_choice() -> None:
    longest = ("test", "", "longest choice", 0.92, 0.88, 0.95, 0.25, 200, "tell")
    (best,) = found("surface_gain", tells([longest], gain=0.67, key="test: longest choice"))
    assert ends(best) == (0.67, 0.63, 0.7)
    assert (
        best.description == "“longest choice” is right in 92.0% of the items in test (chance 25.0%)"
    )
    shortest = ("test", "", "shortest choice", 0.01, 0.004, 0.04, 0.25, 200, "tell")
    (best,) = found("surface_gain", tells([shortest], gain=0.08, key="test: shortest choice"))
    assert ends(best) == pytest.approx((0.08, 0.07, 0.082))
    assert best.description.endswith("; avoiding its choice answers 33.0%")


def test_surface_gain_is_the_gain_that_the_probe_judges() -> None:
    """A slice counts if it is judged; one that separates groups is flagged, but not judged."""
    halves = [
        ("test", f"mirrored={half}", "longest choice", 0.95, 0.9, 0.98, 0.5, 100, "tell")
        for half in ("True", "False")
    ]
    topic = ("test", "topic=law", "longest choice", 0.7, 0.6, 0.8, 0.5, 100, "tell")
    whole = ("test", "", "longest choice", 0.5, 0.4, 0.6, 0.5, 200, "")
    key = "test: longest choice, topic=law"
    (best,) = found("surface_gain", tells([*halves, topic, whole], gain=0.1, key=key))
    assert ends(best) == pytest.approx((0.1, 0.05, 0.15))  # half of the items are about law
    assert "of the items in test with topic=law" in best.description
    (none,) = found("surface_gain", tells(halves, verdict="clear"))
    assert ends(none) == (0.0, None, None)


def test_surface_gain_of_real_items_is_that_of_the_result() -> None:
    items = tuple(
        Item(f"i{i}", {"q": f"q{i}"}, ("x" * 9, "y" * 4, "z" * 3), 0 if i % 10 else 1)
        for i in range(100)
    )
    result = Surface()(Benchmark("b", {"all": items}))
    assert result.verdict == "exposed"
    (best,) = found("surface_gain", result)
    assert best.excess.value == pytest.approx(result.gain)
    assert best.raw.value == pytest.approx(0.9)


def test_blind_views_are_those_that_the_probe_judges() -> None:
    rows = views(
        ("dev", "choices", "bow", 0.7, 0.6, 0.8, 0.5, 0.01, "above chance", "cv", "dev", 99),
        ("dev", "choices", "bow", 0.6, 0.5, 0.7, 0.5, 0.02, "", "train-test", "train", 99),
        ("dev", "claim+choices", "bow", 0.5, 0.5, 0.5, 0.5, None, "by construction", "cv", "", 99),
        ("dev", "full", "bow", 0.9, 0.8, 0.95, 0.5, None, "", "cv", "dev", 99),
        ("dev", "full/shuffled", "bow", 0.9, 0.8, 0.95, 0.5, None, "", "cv", "dev", 99),
        ("dev", "claim", "bow", 0.5, 0.5, 0.5, 0.5, None, "no choices", "cv", "dev", 99),
    )  # fmt: skip
    first, second, third = found("blind_accuracy", rows)
    assert ends(first) == (0.2, 0.1, 0.3)
    assert (first.split, second.split, third.split) == ("dev", "train → dev", "dev")
    assert first.subject == "choices (bow)"
    assert third.description.endswith(", by design")


def test_class_imbalance_is_beyond_chance() -> None:
    even = Estimate("dev: best fixed position", 0.55, 0.45, 0.65, 99, 0.5,
                    split="dev", metric=BEST_FIXED)  # fmt: skip
    (one,) = found("class_imbalance", estimates("class_balance", even))
    assert ends(one) == (0.05, -0.05, 0.15)  # not 0.050000000000000044
    assert one.split == "dev"


def test_duplicates_and_contradictions_are_what_integrity_finds() -> None:
    first = load("toy:original").splits["original"][:3]
    again = Item("again", first[0].fields, first[0].choices, first[0].answer)
    other = Item("other", first[1].fields, first[1].choices, 1 - (first[1].answer or 0))
    result = Integrity()(Benchmark("b", {"train": first, "test": (again, other)}))
    (twice,), (torn,) = found("duplicates", result), found("contradictions", result)
    assert (twice.excess.value, twice.split) == (1, "train + test")
    assert (torn.excess.value, torn.split) == (1, "train + test")
    (none,) = found("duplicates", Integrity()(Benchmark("b", {"train": first})))
    assert (none.excess.value, none.split) == (0, "")


@pytest.mark.parametrize(
    ("name", "table", "said"),
    [
        ("cue_lift", None, "audit: p/cues: the table is missing"),
        ("cue_lift", Table(("split",), ()), "audit: p/cues: the column applicability is missing"),
        ("blind_accuracy", Table(("split",), ()), "audit: p/views: the column accuracy is missing"),
        ("duplicates", Table(("finding", "splits", "count"),
                             (("duplicate items (exact)", "a", "many"),)),
         "audit: count: 'many' is not a number"),
    ],
)  # fmt: skip
def test_an_audit_that_somebody_else_wrote_is_met_with_a_line(
    name: str, table: Table | None, said: str
) -> None:
    tables = {} if table is None else dict.fromkeys(("cues", "views", "findings"), table)
    with pytest.raises(BadInput, match=said):
        found(name, Result("p", {}, "caution", "", tables=tables))


def test_numbers_beyond_all_counting_are_refused() -> None:
    huge = ("dev", "not", 10**400, 18, 0.9, 0.7, 0.97, 0.5, "telling")
    with pytest.raises(BadInput, match="applicability: the number is too large"):
        found("cue_lift", cues([huge]))


def test_a_key_that_is_skewed_where_choices_are_many_is_seen() -> None:
    two = tuple(Item(f"a{i}", {"q": f"a{i}"}, ("x", "y"), i % 2) for i in range(1000))
    four = tuple(
        Item(f"b{i}", {"q": f"b{i}"}, ("w", "x", "y", "z"), 2 if i < 390 else 0) for i in range(400)
    )
    (one,) = found("class_imbalance", ClassBalance()(Benchmark("b", {"all": two + four})))
    assert one.excess.value == pytest.approx((390 - 100) / 1400)
