"""What a fitted model may tell, and where it is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof import logs
from hansproof.sweeps import plan_runs, predict, run_sweep, summarize_runs, summary_notes

from ..support.sweep_factories import ALONE, BENCH, MULTI_FIT, contents

TELLS = f"{MULTI_FIT}:tells=true"


def test_trials_and_cut_sequences_are_parameters_of_a_run() -> None:
    (run,) = plan_runs(BENCH, [TELLS], ["full"], [3])
    said = predict(BENCH, run)
    assert said.params["trials"] == tuple(f"rate={r}: .5 on select, seed 3" for r in (1, 2))
    assert (said.params["cut"], said.params["sequences"], said.params["length"]) == (12, 1900, 8)


def test_of_folds_one_after_the_other_and_counts_together() -> None:
    (run,) = plan_runs(ALONE, [TELLS], ["full"], [0], folds=2)
    said = predict(ALONE, run)
    assert said.params["trials"] == tuple(
        f"fold {fold}: rate={r}: .5 on select, seed 0" for fold in (1, 2) for r in (1, 2)
    )
    assert (said.params["cut"], said.params["sequences"]) == (24, 3800)


def test_a_model_that_tells_nothing_has_none_of_it() -> None:
    (run,) = plan_runs(BENCH, [MULTI_FIT], ["full"], [0])
    assert not {"trials", "cut", "sequences", "chosen"} & {*predict(BENCH, run).params}


def test_records_hold_it_and_a_note_says_what_was_cut(tmp_path: Path) -> None:
    runs = plan_runs(BENCH, [TELLS], ["full"], range(2))
    said = run_sweep(BENCH, runs, str(tmp_path))
    assert logs.read([f"{tmp_path}/*.jsonl"], BENCH) == said
    found = summarize_runs(BENCH, runs, said, str(tmp_path))
    assert [(row.cut, row.sequences, row.length) for row in found] == [(12, 1900, 8)]
    what = "12 of 1,900 sequences were longer than 8 tokens and were truncated"
    assert summary_notes(BENCH, found) == (f"{TELLS}, full of test: {what}",)


def test_training_that_fell_apart_is_no_number_in_the_record(tmp_path: Path) -> None:
    model = f"{MULTI_FIT}:does=diverge,at=1"
    runs = plan_runs(BENCH, [model], ["full"], range(3))
    said = run_sweep(BENCH, runs, str(tmp_path))
    assert [one.train_accuracy == 1 for one in said] == [True, False, True]
    assert said[1].train_accuracy != said[1].train_accuracy
    for content in contents(tmp_path).values():
        header = json.loads(content.splitlines()[0], parse_constant=pytest.fail)
        assert header["train_accuracy"] in (1.0, "nan")
        assert header["metrics"]["train_accuracy"] in (1.0, None)
    (row,) = summarize_runs(BENCH, runs, said, str(tmp_path))
    assert (row.degenerate_seeds, row.train_accuracy) == ((1,), 1)
