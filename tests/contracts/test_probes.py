"""What every probe must do, whoever wrote it."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import Any, get_args

import msgspec
import numpy as np
import pytest

from hansproof import load, plugins
from hansproof.errors import BadInput
from hansproof.probes.contamination import CONTAMINATED
from hansproof.probes.seeds import SPREAD
from hansproof.types import Benchmark, Estimate, EstimateKind, Item, Probe, Result, Subject
from hansproof.vectors import save_vectors

from ..support.probe_factories import given

PROBES = {name: plugins.load_class("probes", name) for name in plugins.names("probes")}
every = pytest.mark.parametrize("name", PROBES)
alone = pytest.mark.parametrize("name", [n for n, probe in PROBES.items() if not probe.needs])
FLAGS: dict[str, dict[str, Any]] = {}  # filled below, where there is a folder
needy = pytest.mark.parametrize("name", [n for n, probe in PROBES.items() if probe.needs])


def made(name: str) -> Probe:
    """With its defaults, but for files that are not there."""
    probe: Probe = PROBES[name](**FLAGS.get(name, {}))
    return probe


def ask(name: str, benchmark: Benchmark) -> Result:
    """With whatever it needs."""
    result = made(name)(benchmark, **given(benchmark, PROBES[name].needs))
    assert isinstance(result, Result)
    return result


@pytest.fixture(scope="module", autouse=True)
def flags(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Word vectors by which some words of the benchmark are near each other."""
    folder = tmp_path_factory.mktemp("robustness")
    words = ("sand", "rain", "wood", "water", "metal", "light", "why")
    save_vectors(str(folder / "near.npz"), words, (np.eye(len(words)) + 3).astype(np.float32))
    FLAGS["robustness"] = {"vectors": str(folder / "near.npz"), "encoder": "none", "sentence": 0,
                           "tagger": "none", "journal": str(folder)}  # fmt: skip


@pytest.fixture(scope="module")
def toy() -> Benchmark:
    return load("toy")


@pytest.fixture(scope="module")
def results(toy: Benchmark) -> dict[str, Result]:
    return {name: ask(name, toy) for name in PROBES}


@every
def test_it_is_a_frozen_dataclass_with_documented_flags(name: str) -> None:
    probe = PROBES[name]
    assert probe.__dataclass_params__.frozen
    assert not hasattr(probe(), "__dict__")
    assert probe.__doc__
    assert probe.__module__.startswith("hansproof.probes.")
    from hansproof.cli._dataclass_options import field_options

    assert len(field_options(probe)) == len(dataclasses.fields(probe))


@every
def test_its_summary_is_a_question(name: str) -> None:
    assert plugins.names("probes")[name].endswith("?")


@every
def test_it_names_itself_and_all_its_parameters(name: str, results: dict[str, Result]) -> None:
    assert results[name].probe == name
    fields = {field.name for field in dataclasses.fields(PROBES[name])}
    assert set(results[name].params) == fields


@every
def test_it_is_pure(name: str, toy: Benchmark, results: dict[str, Result]) -> None:
    assert ask(name, toy) == results[name]


@every
def test_its_result_survives_the_file(name: str, results: dict[str, Result]) -> None:
    line = msgspec.json.encode(results[name])
    assert msgspec.json.decode(line, type=Result) == results[name]


@every
def test_its_numbers_have_company(name: str, results: dict[str, Result]) -> None:
    result = results[name]
    assert result.summary.endswith(".")
    for estimate in result.estimates:
        assert isinstance(estimate, Estimate)
        # what is there has no chance level, nor has a spread
        has_none = estimate.metric in (CONTAMINATED, SPREAD)
        assert (estimate.chance is None) == has_none
        assert estimate.n
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low <= estimate.value + 1e-12
        assert estimate.high >= estimate.value - 1e-12


@every
def test_what_readers_need_is_not_in_its_prose(
    name: str, toy: Benchmark, results: dict[str, Result]
) -> None:
    result = results[name]
    names = [estimate.name for estimate in result.estimates]
    assert result.key is None or result.key in names
    assert result.subject in get_args(Subject)
    assert result.headline.count(". ") == 0  # one sentence: it becomes part of a longer one
    assert not result.headline or result.verdict in ("caution", "exposed")
    assert (result.gain is None) == (result.headline == "")
    for estimate in result.estimates:
        assert estimate.kind in get_args(EstimateKind)
        assert estimate.split in (*toy.splits, "pooled", "")


@every
def test_its_tables_are_rectangular(name: str, results: dict[str, Result]) -> None:
    assert results[name].tables
    for table in results[name].tables.values():
        assert all(len(row) == len(table.columns) for row in table.rows)


@every
def test_its_evidence_is_of_this_benchmark(
    name: str, toy: Benchmark, results: dict[str, Result]
) -> None:
    known = {item.id for items in toy.splits.values() for item in items}
    for ids in results[name].evidence.values():
        assert ids
        assert set(ids) <= known


@alone
def test_a_split_without_answers_is_skipped_aloud(name: str) -> None:
    items = tuple(Item(f"{i}", {"q": "why"}, (f"a {i}", "b"), i % 2) for i in range(30))
    bare = tuple(Item(f"u{i}", {"q": "how"}, (f"a {i}", "b"), None) for i in range(3))
    result = PROBES[name]()(Benchmark("b", {"train": items, "test": bare}))
    if name != "integrity":  # which looks at all items
        assert any("test: skipped, has no answers" in note for note in result.notes)


@every
def test_one_item_does_not_break_it_and_clears_nothing(name: str) -> None:
    one = (Item("1", {"q": "why"}, ("a", "b", "c"), 2),)
    verdict = ask(name, Benchmark("b", {"all": one})).verdict
    if name == "integrity":  # which is no test of a sample
        assert verdict == "clear"
    else:
        assert verdict in ("undecided", "skipped") or PROBES[name].needs


@needy
def test_without_what_it_needs_it_says_so(name: str, toy: Benchmark) -> None:
    flags = "|".join(need for probe in PROBES.values() for need in probe.needs)
    with pytest.raises(BadInput, match=rf"^--({flags}): this probe needs"):
        PROBES[name]()(toy)


@needy
def test_what_it_finds_does_not_depend_on_the_order_of_choices(name: str) -> None:
    """Choices shuffled together with their scores: the same numbers, whatever it measures."""
    items = tuple(
        Item(f"{i}", {"q": f"why {i}"}, tuple(f"{c}{i}" for c in "abc"), i % 3) for i in range(60)
    )
    there = given(Benchmark("b", {"all": items}), PROBES[name].needs)
    order = (2, 0, 1)
    turned = tuple(
        replace(i, choices=tuple(i.choices[o] for o in order), answer=order.index(i.answer or 0))
        for i in items
    )
    back = dict(there)
    if "predictions" in there:
        back["predictions"] = [
            replace(run, scores={id: tuple(s[o] for o in order) for id, s in run.scores.items()})
            for run in there["predictions"]
        ]
    if "ratings" in there:
        back["ratings"] = [
            replace(one, rows=tuple((i, r, order.index(c)) for i, r, c in one.rows))
            for one in there["ratings"]
        ]
    if "scans" in there:  # a scan is of items as they are
        back["scans"] = given(Benchmark("b", {"all": turned}), ["scans"])["scans"]
    here = made(name)(Benchmark("b", {"all": items}), **there)
    shuffled = made(name)(Benchmark("b", {"all": turned}), **back)
    for one, other in zip(here.estimates, shuffled.estimates, strict=True):
        assert one.name == other.name
        assert one.value == pytest.approx(other.value)
        assert one.low == pytest.approx(other.low)


@alone
def test_without_any_answers_it_says_so(name: str) -> None:
    bare = Benchmark("b", {"all": (Item("1", {"q": "why"}, ("a", "b"), None),)})
    if name == "integrity":  # which looks at all items
        assert PROBES[name]()(bare).verdict == "clear"
    else:
        with pytest.raises(BadInput, match="b: this probe needs answers, but no split has any"):
            PROBES[name]()(bare)


@alone
def test_a_pool_leaves_out_the_split_without_answers(name: str) -> None:
    items = tuple(Item(f"{i}", {"q": "why"}, (f"a {i}", "b"), i % 2) for i in range(30))
    bare = (Item("u", {"q": "how"}, ("a", "b"), None),)
    both = Benchmark("b", {"test": bare, "train": items})
    assert PROBES[name]()(both.take_split("test+train")).tables == (
        PROBES[name]()(Benchmark("b", {"test+train": items})).tables
    )


@every
def test_flags_out_of_range_are_refused(name: str) -> None:
    fields = {field.name for field in dataclasses.fields(PROBES[name])}
    wrong: dict[str, tuple[Any, ...]]
    wrong = {"level": (-1.0, 1.5, float("nan")), "margin": (-0.1,), "ngram": (0,), "folds": (1,),
             "randomisations": (0,), "seed": (-1,), "seeds": ("both",), "rule": ("mine",),
             "least": (2.0,), "against": (-0.5,), "over": ("worst",)}  # fmt: skip
    if name == "transfer":  # where they are a number
        wrong["seeds"] = (0,)
    for flag in fields & set(wrong):
        for value in wrong[flag]:
            with pytest.raises(BadInput, match=f"--{flag}: is "):
                PROBES[name](**{flag: value})
