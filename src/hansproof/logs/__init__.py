"""Reads the answers of models from logs of many tools: one file per kind of log.

A kind defines `matches(path, head)`, which recognises its files by name and first bytes, and
`runs(path)`, which yields their runs; or `read(path, splits)` if a file names its benchmark.
A kind whose logs contain questions, choices and answers may also define `items(path)`.

    >>> import hansproof, pathlib
    >>> lines = ["item,choice", *(f"toy-{i:03},A" for i in range(1, 121))]
    >>> _ = pathlib.Path("always_a.csv").write_text("\\n".join(lines))
    >>> (run,) = hansproof.logs.read(["always_a.csv"], hansproof.load("toy:original"))
    >>> run.model, len(run.scores)
    ('always_a', 120)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType

from ..errors import BadInput
from ..predictions import BenchmarkSplits, IncompleteRun, mark_not_asked
from ..types import Benchmark, Predictions
from ._collisions import LoggedRun, RunCollection
from ._log_files import find_logs
from ._log_run import LogRun
from ._logged_items import read_items
from ._matching.overrides import LogOverrides
from ._matching.run_matcher import RunMatcher, apply_overrides
from ._named_patterns import check_view, parse_pattern, split_label

__all__ = ["LogOverrides", "read", "read_items", "read_partial", "split_label"]


def read(
    patterns: Sequence[str],
    benchmark: Benchmark,
    kind: str | None = None,
    overrides: LogOverrides | None = None,
) -> tuple[Predictions, ...]:
    """Read every run in the files that match the patterns, checked against the benchmark.

    A pattern is a file, a folder, or contains wildcards (`**` too); `NAME=FILES` and
    `NAME@VIEW=FILES` state model and view. Without `kind`, the kind of a file is detected from its
    first bytes. `overrides` take precedence over the log. Of a log that broke off, the items that
    are missing were not asked.
    """
    splits = BenchmarkSplits(benchmark)
    runs = []
    for run in read_partial(patterns, benchmark, kind, overrides):
        if isinstance(run, IncompleteRun):
            if not run.is_usable:
                raise run
            run = mark_not_asked(run.run, splits.load_split(run.run.split)[0])
        runs.append(run)
    return tuple(runs)


def read_partial(
    patterns: Sequence[str],
    benchmark: Benchmark,
    kind: str | None = None,
    overrides: LogOverrides | None = None,
) -> list[LoggedRun]:
    """Read runs like `read`, but return an `IncompleteRun` for a run that broke off."""
    overrides = overrides or LogOverrides()
    splits = BenchmarkSplits(benchmark)
    if overrides.split is not None:
        splits.load_split(overrides.split)  # raises on an unknown name before any file is read
    if overrides.view is not None:
        check_view(overrides.view, benchmark, "--view")
    named_patterns = [parse_pattern(pattern, benchmark) for pattern in patterns]
    matcher, collection = RunMatcher(splits, overrides), RunCollection()
    for file in find_logs(named_patterns, kind):
        stated = LogOverrides(model=file.argument.model, view=file.argument.view)
        is_named = (file.argument.model or overrides.model) is not None
        for run in _read_log_file(file.path, file.module, splits, matcher, overrides):
            collection.add_run(_override_run(run, stated), file.path, is_named)
    if not collection.runs:
        split_note = f" on {overrides.split}" if overrides.split is not None else ""
        raise BadInput(", ".join(patterns), f"contains no run{split_note}")
    return collection.runs


def _override_run(run: LoggedRun, overrides: LogOverrides) -> LoggedRun:
    if isinstance(run, IncompleteRun):
        run.run = apply_overrides(run.run, overrides)
        return run
    return apply_overrides(run, overrides)


def _read_log_file(
    path: str,
    module: ModuleType,
    splits: BenchmarkSplits,
    matcher: RunMatcher,
    overrides: LogOverrides,
) -> Iterator[LoggedRun]:
    if hasattr(module, "runs"):
        yield from matcher.match_runs(list(_log_runs(path, module, overrides)), path)
        return
    try:
        run = module.read(path, splits)
    except IncompleteRun as error:
        yield _override_run(error, overrides)
        return
    if overrides.split in (None, run.split):
        yield apply_overrides(run, overrides)


def _log_runs(path: str, module: ModuleType, overrides: LogOverrides) -> Iterator[LogRun]:
    if not overrides.per_char:
        yield from module.runs(path)
    elif hasattr(module, "runs_per_char"):
        yield from module.runs_per_char(path)
    else:
        message = "--per-char needs log-likelihoods of lm-eval, which the log does not contain"
        raise BadInput(path, message)
