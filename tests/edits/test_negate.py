"""Negating: what partners are like, what is said of claims, and adversarial ARCT made again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hansproof import load
from hansproof.edits.negate import (
    CLAIM_UNCHANGED,
    NO_NEGATION,
    PARTNER_CONTRADICTS,
    PARTNER_EXISTS,
    SPELLED_DIFFERENTLY,
    Negate,
)
from hansproof.errors import BadInput
from hansproof.records.spreadsheet import write_sheet
from hansproof.types import Benchmark, EditResult, Item

from ..support.markers import needs_data

POLICE = Item("p", {"claim": "Police use too much force", "reason": "They abuse it."},
              ("it is warranted", "it is not warranted"), 1, meta={"title": "Police"})  # fmt: skip
LIBRARY = Item("l", {"claim": "We need libraries", "reason": "Books."}, ("a", "b"), 0, group="g")
BENCHMARK = Benchmark("b", {"dev": (POLICE, LIBRARY)})
NOT = "Police do not use too much force"


def negated(
    text: str, folder: Path, name: str = "map.csv", of: Benchmark = BENCHMARK
) -> EditResult:
    path = folder / name
    path.write_text(text)
    return Negate(map=str(path))(of)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("map.csv", f"claim,negation\nPolice use too much force ,{NOT}\n"),
        ("map.tsv", f"items\tnegation\tclaim\n1\t{NOT}\tPolice use too much force\n"),
        (
            "map.csv",
            f"\ufeffsep=;\r\nclaim;negation;;\r\nPolice use too much force;{NOT};;\r\n;\r\n",
        ),
        ("map.json", json.dumps({"Police use too much force": NOT})),
        ("map.jsonl", json.dumps({"claim": "Police use too much force", "negation": NOT})),
    ],
    ids=["csv", "tsv", "spreadsheet", "json", "jsonl"],
)
def test_a_partner_follows_its_original(name: str, text: str, tmp_path: Path) -> None:
    edited = negated(text, tmp_path, name)
    assert edited.benchmark.splits["dev"] == (
        replace(POLICE, group="p"),
        Item("p-adversarial", {"claim": NOT, "reason": "They abuse it."}, POLICE.choices, 0, "p",
             {"title": "Police", "negated_from": "p", "edit": "negate"}),
        LIBRARY,
    )  # fmt: skip
    assert edited.report.evidence == {NO_NEGATION: ("l",)}
    assert edited.report.tables["pairs"].rows == (("l", "We need libraries", None, NO_NEGATION),)
    assert edited.report.summary == "Added 1 item with a negated claim to 2 items."


def test_an_unchanged_claim_makes_a_pair_that_is_reported(tmp_path: Path) -> None:
    edited = negated("claim,negation\nWe need libraries,We need  libraries\n", tmp_path)
    assert [item.answer for item in edited.benchmark.splits["dev"]] == [1, 0, 1]
    assert edited.report.evidence[CLAIM_UNCHANGED] == ("l",)


def test_signs_may_be_all_that_is_negated(tmp_path: Path) -> None:
    item = Item("1", {"claim": "x > 5"}, ("a", "b"), 0)
    edited = negated(
        "claim,negation\nx > 5,x <= 5\n", tmp_path, of=Benchmark("b", {"all": (item,)})
    )
    assert edited.report.evidence == {}


def test_a_claim_spelled_otherwise_is_found_and_reported(tmp_path: Path) -> None:
    edited = negated("claim,negation\nwe need libraries!,No libraries\n", tmp_path)
    assert edited.benchmark.splits["dev"][-1].fields["claim"] == "No libraries"
    assert edited.report.evidence[SPELLED_DIFFERENTLY] == ("l",)


@pytest.mark.parametrize(
    ("answer", "added", "what"), [(0, 0, PARTNER_EXISTS), (1, 2, PARTNER_CONTRADICTS)]
)
def test_a_partner_that_is_in_the_data_already(
    answer: int, added: int, what: str, tmp_path: Path
) -> None:
    there = replace(POLICE, id="t", fields={**POLICE.fields, "claim": NOT}, answer=answer)
    both = Benchmark("b", {"dev": (POLICE,), "test": (there,)})
    text = f"claim,negation\n{POLICE.fields['claim']},{NOT}\n{NOT},{POLICE.fields['claim']}\n"
    edited = negated(text, tmp_path, of=both)
    assert sum(map(len, edited.benchmark.splits.values())) == 2 + added
    assert edited.report.evidence == {what: ("p", "t")}


def test_a_second_time_nothing_is_added(tmp_path: Path) -> None:
    text = "claim,negation\nWe need libraries,We need libraries\n" + (
        f"{POLICE.fields['claim']},{NOT}\n{NOT},{POLICE.fields['claim']}\n"
    )
    once = negated(text, tmp_path).benchmark
    twice = negated(text, tmp_path, of=once)
    assert twice.benchmark == once
    assert len(twice.report.evidence[PARTNER_EXISTS]) == 4


def test_two_negations_of_a_claim_are_refused(tmp_path: Path) -> None:
    text = "claim,negation\nWe need libraries,No\nother,x\nwe need libraries.,We do not\n"
    with pytest.raises(BadInput, match=r"map.csv:4: negation: the claim has two negations"):
        negated(text, tmp_path)
    with pytest.raises(BadInput, match=r"map.json: a: appears twice in an object"):
        negated('{"a": "b", "a": "c"}', tmp_path, "map.json")
    assert negated("claim,negation\na,b\na,b\n", tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("map.csv", "claim,not\n", "negation: missing column; found: claim, not"),
        ("map.json", "[]", "is not an object of claims"),
        ("map.json", '{"a": 1}', "is not an object of claims"),
    ],
)
def test_files_that_are_no_map(name: str, text: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=what):
        negated(text, tmp_path, name)


def test_what_cannot_be_negated() -> None:
    three = Benchmark("b", {"all": (replace(POLICE, choices=("a", "b", "c")),)})
    with pytest.raises(BadInput, match="item p: has 3 choices"):
        Negate(map="any")(three)
    with pytest.raises(BadInput, match="has no field premise"):
        Negate(rewrite="premise")(BENCHMARK)
    with pytest.raises(BadInput, match="hansproof worksheet negate BENCH"):
        Negate()(BENCHMARK)


def test_the_worksheet_has_each_claim_once(tmp_path: Path) -> None:
    more = Benchmark("b", {"dev": (POLICE, LIBRARY, replace(LIBRARY, id="m"))})
    assert Negate().worksheet(more) == [
        {"claim": "We need libraries", "items": "2", "negation": ""},
        {"claim": "Police use too much force", "items": "1", "negation": ""},
    ]
    path = str(tmp_path / "claims.csv")
    write_sheet(path, [{"claim": "We need libraries", "negation": "No"}])
    (left,) = Negate(map=path).worksheet(more)
    assert left["claim"] == "Police use too much force"


# --- adversarial ARCT, made again from ARCT and the published claims ---


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> EditResult:
    """ARCT with the published negations, through a worksheet on disk."""
    published = load("arct_adversarial").splits
    negations: dict[str, str] = {}
    for split, items in load("arct").splits.items():
        by_id = {item.id: item for item in published[split]}
        for item in items:
            negation = by_id[f"{item.id}-adversarial"].fields["claim"].strip()
            assert negations.setdefault(item.fields["claim"].strip(), negation) == negation
    rows = Negate().worksheet(load("arct"))
    assert len(rows) == len(negations) == 264
    path = str(tmp_path_factory.mktemp("again") / "claims.csv")
    write_sheet(path, [row | {"negation": negations[row["claim"]]} for row in rows])
    return Negate(map=path)(load("arct"))


def asked(item: Item) -> tuple[object, ...]:
    choices = [choice.strip() for choice in item.choices]
    assert item.answer is not None
    fields = frozenset((name, text.strip()) for name, text in item.fields.items())
    return item.id, fields, frozenset(choices), choices[item.answer], item.group


@needs_data
@pytest.mark.parametrize(("split", "size"), [("train", 2420), ("dev", 632), ("test", 888)])
def test_adversarial_arct_comes_out_item_by_item(again: EditResult, split: str, size: int) -> None:
    items = again.benchmark.splits[split]
    published = load("arct_adversarial").splits[split]
    assert len(items) == len(published) == size
    assert {asked(item) for item in items} == {asked(item) for item in published}


@needs_data
def test_published_contradictory_pairs_are_named(again: EditResult) -> None:
    claims: dict[str, set[str]] = {}
    for items in load("arct_adversarial").splits.values():
        for item in items:
            assert item.group is not None
            claims.setdefault(item.group, set()).add(item.fields["claim"].strip())
    wanted = {group for group, some in claims.items() if len(some) == 1}
    assert set(again.report.evidence[CLAIM_UNCHANGED]) == wanted
    splits = {item.id: split for split, items in load("arct").splits.items() for item in items}
    where = [splits[id] for id in again.report.evidence[CLAIM_UNCHANGED]]
    assert {split: where.count(split) for split in set(where)} == {"test": 28, "train": 12}
    assert set(again.report.evidence) == {CLAIM_UNCHANGED}
