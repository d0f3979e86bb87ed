from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.errors import BadInput, UnknownName
from hansproof.types import (
    Audit,
    Benchmark,
    Estimate,
    Failure,
    Item,
    Result,
    Table,
    fingerprint,
)

from .support.report_sample import sample


def item(name: str, answer: int | None = 0, **changes: object) -> Item:
    return replace(Item(name, {"q": f"text of {name}"}, ("yes", "no"), answer), **changes)  # type: ignore[arg-type]


BENCHMARK = Benchmark(
    "b",
    {"a": (item("1"), item("2")), "b": (item("3"),), "hidden": (item("4", None),)},
    roles={"train": "a"},
    aliases={"ab": ("a", "b")},
)


@pytest.mark.parametrize(
    ("names", "ids"),
    [("a", "12"), ("a+b", "123"), ("ab", "123"), ("b+ab", "312"), ("pooled", "123")],
)
def test_take_gives_one_split_of_that_name(names: str, ids: str) -> None:
    taken = BENCHMARK.take_split(names)
    assert list(taken.splits) == [names]
    assert "".join(i.id for i in taken.splits[names]) == ids


def test_take_names_what_is_unknown() -> None:
    with pytest.raises(KeyError, match="nope"):
        BENCHMARK.take_split("a+nope")


def test_a_split_without_answers_is_unlabelled() -> None:
    assert list(BENCHMARK.labelled_splits()) == ["a", "b"]


def test_roles_follow_the_split_taken() -> None:
    assert BENCHMARK.take_split("a").roles == {"train": "a"}
    assert BENCHMARK.take_split("b").roles == {}


@given(st.permutations(range(5)), st.text(" \t\n", max_size=3))
def test_fingerprint_ignores_order_blanks_meta_and_group(order: list[int], blank: str) -> None:
    items = [item(str(i)) for i in range(5)]
    changed = [
        replace(
            items[i],
            fields={"q": blank + items[i].fields["q"] + blank},
            choices=tuple(c + blank for c in items[i].choices),
            group="g",
            meta={"x": 1},
        )
        for i in order
    ]
    assert fingerprint(changed) == fingerprint(items)


@pytest.mark.parametrize(
    "change",
    [{"id": "9"}, {"answer": 1}, {"choices": ("no", "yes")}, {"fields": {"q": "other"}}],
)
def test_fingerprint_sees_what_is_asked_and_answered(change: dict[str, object]) -> None:
    assert fingerprint([item("1", **change)]) != fingerprint([item("1")])  # type: ignore[arg-type]


def test_results_are_looked_up_by_the_name_of_their_probe() -> None:
    audit = sample(failures=(Failure("seeds", "no runs"),))
    assert audit["cues"] is next(result for result in audit.results if result.probe == "cues")
    assert ["cues" in audit, "seeds" in audit, "nope" in audit] == [True, False, False]
    with pytest.raises(UnknownName, match="unknown probe of this audit 'cue'; did you mean cues"):
        audit["cue"]
    with pytest.raises(UnknownName, match="known: class_balance, cues, integrity, surface"):
        audit["zzz"]
    with pytest.raises(BadInput, match="seeds: could not be run: no runs"):
        audit["seeds"]


def test_a_probe_that_was_not_run_says_what_it_needs() -> None:
    audit = sample()
    assert audit["class-balance"] is audit["class_balance"]
    assert "class-balance" in audit
    for name, message in (
        ("accuracy", "accuracy: was not run: it needs predictions$"),
        ("seeds", "it needs predictions or accuracies"),
        ("partial-input", r"partial_input: was not run: name it, as in probes=\['partial_input'\]"),
    ):
        with pytest.raises(BadInput, match=message):
            audit[name]


def test_an_audit_has_a_verdict_and_a_headline() -> None:
    audit = sample()
    assert audit.verdict == "exposed"
    assert "is not Hans-proof" in audit.headline


def test_a_table_has_a_length_and_dicts() -> None:
    table = Table(("word", "n"), (("not", 12), ("never", 3)))
    assert len(table) == 2
    assert table.to_dicts() == [{"word": "not", "n": 12}, {"word": "never", "n": 3}]


def test_an_audit_is_neither_iterated_over_nor_empty() -> None:
    with pytest.raises(TypeError, match="not iterable"):
        list(sample())  # type: ignore[call-overload]
    assert replace(sample(), results=())


def test_estimates_are_looked_up_by_name() -> None:
    estimates = (Estimate("dev: longest", 0.5), Estimate("test: longest", 0.6))
    result = Result("surface", {}, "clear", "", estimates)
    assert result.estimate("test: longest") is estimates[1]
    with pytest.raises(UnknownName, match="unknown estimate of surface 'longest'"):
        result.estimate("longest")


def test_items_are_found_in_the_order_of_their_ids() -> None:
    audit = sample()
    first, second = audit.items[:2]
    assert audit.find_items([second.id, "nobody", first.id]) == (second, first)


def test_an_audit_is_saved_and_loaded(tmp_path: Path) -> None:
    audit, folder = sample(), tmp_path / "new" / "folder"
    audit.save(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["audit.json", "report.html"]
    assert Audit.load(folder) == Audit.load(folder / "audit.json") == audit
    assert "<!doctype html>" in (folder / "report.html").read_text()
    with pytest.raises(BadInput, match="No such file"):
        Audit.load(tmp_path / "none.json")
