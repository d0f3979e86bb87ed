"""What a model saw, inferred from the prompts of a log: the whole item, or nothing is known."""

from __future__ import annotations

import time

import pytest

from hansproof.logs._log_run import LogEntry
from hansproof.logs._matching.item_index import MatchedEntry
from hansproof.logs._matching.prompt_view import detect_view
from hansproof.types import Item

CHOICES = ("Use a whisk.", "Use a hammer.")
LISTED = "A. use a whisk\nB. use a hammer\nAnswer:"


def match_prompt(field: str, prompt: str) -> MatchedEntry:
    return MatchedEntry(
        LogEntry("1", 0, prompt=prompt), Item("1", {"q": field}, CHOICES, 0), (0, 1)
    )


@pytest.mark.parametrize(
    "field",
    [
        "[header] How to beat eggs until they are stiff",
        "<p>How to beat eggs until they are stiff</p>",
        "Q1: How to beat eggs until they are stiff",
    ],
)
def test_a_field_with_a_prefix_or_markup_is_not_a_blind_view(field: str) -> None:
    prompt = f"How to beat eggs until they are stiff\n{LISTED}"
    assert detect_view([match_prompt(field, prompt)]) is None


def test_full_needs_every_field_and_choice_of_every_item() -> None:
    field = "How to beat eggs, until they are_stiff?"
    shown = match_prompt(field, f"how to BEAT eggs until\nthey are stiff\n{LISTED}")
    assert detect_view([shown, shown]) == "full"
    assert detect_view([shown, match_prompt(field, LISTED)]) is None
    assert detect_view([shown, match_prompt(field, "")]) is None
    assert detect_view([match_prompt(field, field)]) is None
    assert detect_view([]) is None


def test_it_stops_at_the_first_prompt_that_does_not_show_its_item() -> None:
    long = match_prompt("How?", f"How? {LISTED}" * 20_000)
    entries = [match_prompt("How?", LISTED), *[long] * 500]
    start = time.process_time()
    assert detect_view(entries) is None
    assert time.process_time() - start < 1
