"""The example of a finding: twins side by side, and captions in plain words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hansproof.probes.balance import Balance
from hansproof.probes.compare import Compare
from hansproof.probes.integrity import Integrity
from hansproof.report.html.evidence import EvidenceStore
from hansproof.report.html.example import Example, choose_example
from hansproof.report.sections import build_section, describe_one_of
from hansproof.types import Benchmark, Item, Items, Predictions, Result, fingerprint

FIRST = Item("first", {"premise": "It rained."}, ("He ran.", "He swam."), 0, group="1")
COPY = replace(FIRST, id="copy", group="2")
SHOUTED = replace(FIRST, id="shouted", fields={"premise": "IT RAINED"}, group="3")
OPPOSITE = replace(FIRST, id="opposite", answer=1)
OTHER = Item("other", {"premise": "It snowed."}, ("He sat.", "He lay."), 1, group="4")


def example_of(result: Result, items: Items) -> Example:
    example = choose_example(result, build_section(result), EvidenceStore(items))
    assert example is not None
    return example


def integrity(*items: Item) -> Example:
    return example_of(Integrity()(Benchmark("b", {"test": items})), items)


def ids(example: Example) -> list[str]:
    return [part.item.id for part in example.items]


def test_a_duplicate_is_shown_with_what_it_repeats() -> None:
    example = integrity(OTHER, FIRST, COPY)
    assert ids(example) == ["first", "copy"]
    assert example.caption == "These items have the same fields and choices."


def test_a_contradiction_is_shown_with_both_answers() -> None:
    example = integrity(OTHER, FIRST, COPY, OPPOSITE)
    assert ids(example) == ["first", "opposite", "copy"]
    assert example.caption.endswith("but different right answers.")


def test_a_problem_is_shown_rather_than_a_notice() -> None:
    empty = replace(OTHER, id="empty", choices=("", "He lay."))
    example = integrity(FIRST, SHOUTED, empty)
    assert ids(example) == ["empty"]
    assert example.caption == "One example of empty choice, in test."


def test_a_broken_mirrored_group_is_shown_whole() -> None:
    items = (
        FIRST,
        OPPOSITE,
        OTHER,
        replace(OTHER, id="mirrored", fields={"premise": "It hailed."}, answer=0),
    )
    example = example_of(Balance()(Benchmark("b", {"test": items})), items)
    assert ids(example) == ["first", "opposite"]
    assert example.caption.endswith("but different right answers.")


@pytest.mark.parametrize("n_runs", [1, 2])
def test_compared_systems_are_shown_by_an_item_on_which_they_differ(n_runs: int) -> None:
    items = tuple(replace(OTHER, id=str(i), group=None) for i in range(9))
    right: dict[str, tuple[float, ...]] = {item.id: (0.0, 1.0) for item in items}
    answers = {"a": right, "b": right | {"0": (1.0, 0.0)}}
    runs = [
        Predictions("b", "test", fingerprint(items), model, "full", scores, seed)
        for model, scores in answers.items()
        for seed in range(n_runs)
    ]
    result = Compare()(Benchmark("b", {"test": items}), runs)
    caption = example_of(replace(result, verdict="caution"), items).caption
    if n_runs == 1:
        assert caption == (
            "The only item in test that only one of the two systems answers correctly (a, b)."
        )
    else:
        assert (
            caption == "The only item in test that a and b do not answer correctly equally often."
        )


def test_captions_count_items() -> None:
    assert describe_one_of(1234, "test") == "One of the 1,234 items in test"
    assert describe_one_of(74, "pooled") == "One of the 74 items"
    assert describe_one_of(1, "all") == "The only item"
