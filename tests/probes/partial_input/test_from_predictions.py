"""Predictions of other models whose view is unknown, or that lack answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hansproof.probes.partial_input.from_predictions import results_from_predictions
from hansproof.probes.partial_input.hans_score import hans_score
from hansproof.types import Benchmark, Item, NoAnswer, Predictions

from ...support.probe_factories import run

ITEMS = tuple(
    Item(f"{i}", {"q": f"why {i}"}, (f"one {i}", f"other {i}"), i % 2) for i in range(120)
)
BENCHMARK = Benchmark("b", {"all": ITEMS})


def drop_answers(predictions: Predictions, ids: range, reason: NoAnswer) -> Predictions:
    dropped: dict[str, NoAnswer] = {f"{i}": reason for i in ids}
    scores = {id: row for id, row in predictions.scores.items() if id not in dropped}
    return replace(predictions, scores=scores, unanswered=dropped)


def test_unknown_views_are_left_out_and_named() -> None:
    runs = [run(ITEMS, f"log{i}", "unknown") for i in range(7)]
    results, notes = results_from_predictions(BENCHMARK, [*runs, run(ITEMS, "m", "choices")])
    assert [result.model for result in results] == ["m"]
    assert notes == (
        "Left out, since the log does not say which parts of the items the model saw: log0, "
        "log1, log2, log3, log4 and others; name the view with --predictions NAME@VIEW=FILES, "
        "such as NAME@full=FILES.",
    )
    assert results_from_predictions(BENCHMARK, runs)[0] == []
    assert results_from_predictions(BENCHMARK, []) == ([], ())


def test_missing_answers_are_noted_and_not_asked_items_left_out() -> None:
    refused = drop_answers(run(ITEMS, "m", "choices"), range(20), "refused")
    limited = drop_answers(run(ITEMS, "n", "choices"), range(100, 120), "not asked")
    (first, second), notes = results_from_predictions(BENCHMARK, [refused, limited])
    assert (len(first.items), len(second.items)) == (120, 100)
    assert first.accuracy == pytest.approx(first.credits[:, 20:].sum() / 120)
    assert notes[0].startswith("m on choices: 20 of 120 answers in all are missing (20 refused)")
    assert notes[1] == "n on choices: 20 of 120 items of all were not given to it and are left out."


def test_the_hans_score_compares_items_that_were_answered_both_times() -> None:
    full, blind = run(ITEMS, "m", knows=0.9), run(ITEMS, "m", "choices", 0.5)
    (full_part, blind_part), _ = results_from_predictions(
        BENCHMARK,
        [
            drop_answers(full, range(30), "error"),
            drop_answers(blind, range(90, 120), "not asked"),
        ],
    )
    both = ITEMS[30:90]
    kept = [replace(r, scores={i.id: r.scores[i.id] for i in both}) for r in (full, blind)]
    (full_alone, blind_alone), _ = results_from_predictions(Benchmark("b", {"all": both}), kept)
    score = hans_score(blind_part, full_part, seed=0)
    assert score == hans_score(blind_alone, full_alone, seed=0)
    assert score[0] is not None
