"""A log meets a benchmark: which split, which item, in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.errors import BadInput, UnknownName
from hansproof.logs import LogOverrides, read
from hansproof.logs._log_run import LogEntry, LogRun
from hansproof.logs._matching.run_matcher import RunMatcher
from hansproof.predictions import BenchmarkSplits, IncompleteRun
from hansproof.types import Benchmark, Predictions

from ..support.log_factories import BENCH, make_item, write_file

# ids that a counter may hit by accident, pairs that share their choices
TWINS = Benchmark(
    "twins",
    {
        "train": (
            make_item("0", 0, "x", "y"),
            make_item("1", 1, "y", "x"),
            make_item("2", 0, "p", "q", "r"),
        ),
        "test": (make_item("3", 0, "p", "q"), make_item("4", 0, "s", "t")),
    },
)


def bind(
    *entries: LogEntry,
    benchmark: Benchmark = TWINS,
    overrides: LogOverrides | None = None,
    **run: str,
) -> Predictions:
    binder = RunMatcher(BenchmarkSplits(benchmark), overrides or LogOverrides())
    (found,) = binder.match_runs([LogRun(entries, "m", **run)], "log")  # type: ignore[arg-type]
    if isinstance(found, IncompleteRun):
        raise found
    return found


def test_by_text_in_any_order() -> None:
    run = bind(
        LogEntry("0", (0.1, 0.9), choices=(" t", "s ")),
        LogEntry("1", (3.0, 4.0), choices=("p", "q")),
    )
    assert run.split == "test"
    assert run.scores == {"3": (3.0, 4.0), "4": (0.9, 0.1)}
    run = bind(LogEntry("0", 0, choices=("t", "s")), LogEntry("1", 0, choices=("p", "q")))
    assert run.scores == {"3": (1.0, 0.0), "4": (0.0, 1.0)}


def test_ids_count_where_the_texts_agree() -> None:
    run = bind(
        LogEntry("1", 0, choices=("x", "y")),
        LogEntry("0", 0, choices=("x", "y")),
        LogEntry("2", (1.0, 2.0, 3.0), choices=("r", "p", "q")),
    )
    assert run.scores == {"0": (1.0, 0.0), "1": (0.0, 1.0), "2": (2.0, 3.0, 1.0)}


def test_several_items_have_these_choices() -> None:
    with pytest.raises(BadInput, match="log: id: several items have the choices of 7: 0,"):
        bind(LogEntry("7", 0, choices=("x", "y")), overrides=LogOverrides(split="train"))
    pair = Benchmark("pair", {"s": (make_item("a", 0, "x", "y"), make_item("b", 0, "y", "x"))})
    run = bind(  # the right answer tells them apart
        LogEntry("7", 0, answer=0, choices=("x", "y")),
        LogEntry("8", 0, answer=1, choices=("x", "y")),
        benchmark=pair,
    )
    assert run.scores == {"a": (1.0, 0.0), "b": (0.0, 1.0)}


def test_answers_in_another_order() -> None:
    run = bind(
        LogEntry("0", 0, answer=1, choices=("t", "s")),
        LogEntry("1", 0, answer=0, choices=("p", "q")),
    )
    assert run.scores["4"] == (0.0, 1.0)
    with pytest.raises(BadInput, match="says choice 1 is right for 4, but the benchmark says 0"):
        bind(LogEntry("0", 0, answer=0, choices=("t", "s")), LogEntry("1", 0, choices=("p", "q")))


def test_texts_that_no_item_has() -> None:
    with pytest.raises(BadInput, match=r"no item of test \(2 items\) has the choices of 3"):
        bind(LogEntry("3", 0, choices=("a", "b")), overrides=LogOverrides(split="test"))
    with pytest.raises(BadInput, match=r"17 is not an item of train \(3 items\)"):
        bind(LogEntry("17", 0))


def test_wrong_number_of_scores_beside_quoted_choices() -> None:
    with pytest.raises(BadInput, match="4 has 3 scores for 2 choices"):
        bind(LogEntry("4", (1.0, 2.0, 3.0), choices=("t", "s")), LogEntry("3", 0))
    with pytest.raises(BadInput, match="4: choice 2 is out of range for 2 choices"):
        bind(LogEntry("4", 2, choices=("t", "s")), LogEntry("3", 0))


def test_ids_that_are_in_two_splits() -> None:
    twice = Benchmark("twice", {"a": (make_item("1", 0),), "b": (make_item("1", 1),)})
    with pytest.raises(
        BadInput, match=r"log: fits several splits \(a and b\): .* such as BENCH:a$"
    ):
        bind(LogEntry("1", 0), benchmark=twice)
    with pytest.raises(BadInput, match=r"load only one, such as copa:a$"):
        bind(LogEntry("1", 0), benchmark=Benchmark("copa", twice.splits))
    assert bind(LogEntry("1", 0), benchmark=twice, split="b").split == "b"
    assert (
        bind(LogEntry("1", 0), benchmark=twice, overrides=LogOverrides(split="a"), split="b").split
        == "a"
    )


def test_a_split_without_answers_must_be_named() -> None:
    with pytest.raises(BadInput, match="h is not an item"):
        bind(LogEntry("h", 0), benchmark=BENCH)
    assert (
        bind(LogEntry("h", 0), benchmark=BENCH, overrides=LogOverrides(split="hidden")).split
        == "hidden"
    )
    hidden = Benchmark("b", {"hidden": BENCH.splits["hidden"]})
    with pytest.raises(BadInput, match=r"no split of b has answers: convert .* --split SPLIT"):
        bind(LogEntry("h", 0), benchmark=hidden)


def test_several_splits_together() -> None:
    entries = [LogEntry(id, 0) for id in "34"] + [LogEntry(id, 0) for id in "012"]
    with pytest.raises(BadInput, match="is not an item of"):
        bind(*entries)
    run = bind(*entries, overrides=LogOverrides(split="pooled"))
    assert (run.split, list(run.scores)) == ("pooled", ["0", "1", "2", "3", "4"])


def test_a_log_that_breaks_off() -> None:
    with pytest.raises(IncompleteRun, match="status is error; it contains 1 of 2 items") as caught:
        bind(LogEntry("3", 0), unfinished="status is error")
    assert caught.value.run.scores == {"3": (1.0, 0.0)}
    with pytest.raises(BadInput, match="log: was cancelled"):
        bind(unfinished="was cancelled")
    with pytest.raises(BadInput, match="log: contains no answers"):
        bind()


def test_patterns(tmp_path: Path) -> None:
    for name in ("m/one.csv", "m/deep/two.csv", "m/x[1].csv"):
        write_file(tmp_path, name, "id,choice\na,A\nb,B\nc,A\n")
    write_file(tmp_path, "m/notes.md", "none")

    def models(*patterns: str) -> list[str]:
        return [run.model for run in read([f"{tmp_path}/{p}" for p in patterns], BENCH)]

    assert models("m") == models("m/") == models("m/*.csv") == ["one", "x[1]"]
    assert models("m/**/*.csv", "m/one.csv") == ["two", "one", "x[1]"]
    assert models("m/x[1].csv") == ["x[1]"]
    for pattern in ("nope", "m/*.tsv", "n/**"):
        with pytest.raises(BadInput, match="no such file"):
            models("m/one.csv", pattern)
    with pytest.raises(BadInput, match=r"notes.md: is not a supported predictions file;"):
        models("m/*")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="empty: contains no predictions file; supported: arct2,"):
        models("empty")


def test_unknown_names(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "id,choice\na,A\nb,B\nc,A\n")
    with pytest.raises(UnknownName, match="unknown split 'tset'; did you mean test"):
        read([path], BENCH, overrides=LogOverrides(split="tset"))
    with pytest.raises(UnknownName, match="unknown log 'tabel'; did you mean table"):
        read([path], BENCH, kind="tabel")
