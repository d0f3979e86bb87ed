"""Reads the answers of models from logs of many tools: one file per kind of log.

A kind defines `matches(path, head)`, which recognises its files by name and first bytes, and
`runs(path)`, which yields their runs; or `read(path, splits)` if a file names its benchmark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType

from ..errors import BadInput
from ..predictions import BenchmarkSplits, IncompleteRun
from ..types import Benchmark, Predictions
from ._log_files import find_logs
from ._log_run import LogRun
from ._matching.overrides import LogOverrides
from ._matching.run_matcher import RunMatcher, apply_overrides

__all__ = ["LogOverrides", "read", "read_partial"]


def read(
    patterns: Sequence[str],
    benchmark: Benchmark,
    kind: str | None = None,
    overrides: LogOverrides | None = None,
) -> tuple[Predictions, ...]:
    """Read every run in the files that match the patterns, checked against the benchmark.

    A pattern is a file, a folder, or contains wildcards (`**` too). Without `kind`, the kind of a
    file is detected from its first bytes. `overrides` take precedence over the log.
    """
    runs = []
    for run in read_partial(patterns, benchmark, kind, overrides):
        if isinstance(run, IncompleteRun):
            raise run
        runs.append(run)
    return tuple(runs)


def read_partial(
    patterns: Sequence[str],
    benchmark: Benchmark,
    kind: str | None = None,
    overrides: LogOverrides | None = None,
) -> list[Predictions | IncompleteRun]:
    """Read runs like `read`, but return an `IncompleteRun` for a run that lacks items."""
    overrides = overrides or LogOverrides()
    splits = BenchmarkSplits(benchmark)
    if overrides.split is not None:
        splits.load_split(overrides.split)  # raises on an unknown name before any file is read
    matcher = RunMatcher(splits, overrides)
    runs: list[Predictions | IncompleteRun] = []
    for path, module in find_logs(patterns, kind):
        file_runs = list(_read_log_file(path, module, splits, matcher, overrides))
        if any(run in runs for run in file_runs):
            raise BadInput(path, "holds a run that was given before: the same scores and seed")
        runs += file_runs
    if not runs:
        split_note = f" on {overrides.split}" if overrides.split is not None else ""
        raise BadInput(", ".join(patterns), f"holds no run{split_note}")
    return runs


def _read_log_file(
    path: str,
    module: ModuleType,
    splits: BenchmarkSplits,
    matcher: RunMatcher,
    overrides: LogOverrides,
) -> Iterator[Predictions | IncompleteRun]:
    if hasattr(module, "runs"):
        yield from matcher.match_runs(list(_log_runs(path, module, overrides)), path)
        return
    try:
        run = module.read(path, splits)
    except IncompleteRun as error:
        yield IncompleteRun(path, error.message, apply_overrides(error.run, overrides), error.line)
        return
    if overrides.split in (None, run.split):
        yield apply_overrides(run, overrides)


def _log_runs(path: str, module: ModuleType, overrides: LogOverrides) -> Iterator[LogRun]:
    if not overrides.per_char:
        yield from module.runs(path)
    elif hasattr(module, "runs_per_char"):
        yield from module.runs_per_char(path)
    else:
        raise BadInput(path, "--per-char is for lm-eval's log-likelihoods, which it does not hold")
