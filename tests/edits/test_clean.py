"""A benchmark without the items that stood in a text."""

from __future__ import annotations

import pytest

from hansproof.edits.clean import Clean
from hansproof.errors import BadInput
from hansproof.types import Benchmark, Item

from ..support.scan_factories import scan_of

LONG = "the tall stranger counted every single pebble upon the northern shore"
BENCHMARK = Benchmark(
    "made",
    {
        "test": (
            Item("seen", {"q": LONG}, ("yes", "no"), 0),
            Item(
                "unseen", {"q": LONG.replace("pebble", "boat").replace("the", "a")}, ("b", "c"), 1
            ),
            Item("short", {"q": "why"}, ("b", "c"), 1),
        ),
        "train": (Item("t", {"q": "what"}, ("b", "c"), 0),),
    },
)
SCANS = [("found.json", scan_of(Benchmark("made", {"test": BENCHMARK.splits["test"]}), LONG))]


@pytest.mark.parametrize(("flag", "left"), [("drop", ["unseen"]), ("keep", ["unseen", "short"])])
def test_what_was_found_goes_and_what_could_not_be_looked_for_unless_it_is_kept(
    flag: str, left: list[str]
) -> None:
    edited = Clean(unsearchable=flag)(BENCHMARK, SCANS)  # type: ignore[arg-type]
    assert [item.id for item in edited.benchmark.splits["test"]] == left
    assert edited.benchmark.splits["train"] == BENCHMARK.splits["train"]
    assert edited.benchmark.splits["test"][0].meta["contamination"] == "clean"
    assert edited.report.evidence["test: match"] == ("seen",)


def test_it_needs_a_scan() -> None:
    with pytest.raises(BadInput, match="--scans"):
        Clean()(BENCHMARK)
