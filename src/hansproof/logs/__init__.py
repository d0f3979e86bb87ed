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

import os
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from .._infra.flag_names import keywords_in_errors
from .._infra.value_types import convert_value
from ..benchmarks import load
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

__all__ = ["LogOverrides", "read", "read_items", "read_partial", "read_runs", "split_label"]


def read(
    patterns: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    benchmark: Any,
    kind: str | None = None,
    overrides: LogOverrides | None = None,
) -> tuple[Predictions, ...]:
    """Read every run in files of predictions or logs of other tools.

    The answers are checked against the benchmark. Of a log that broke off, the items that are
    missing count as not asked.

    Args:
        patterns: A file, a folder or a wildcard (`**` too), or a list of these. `NAME=FILES` and
            `NAME@VIEW=FILES` state the model and the view.
        benchmark: A Benchmark, or its name or path.
        kind: The kind of the files, such as `lm_eval`. By default it is detected from their first
            bytes.
        overrides: Values that take precedence over those of the log, such as
            `LogOverrides(model="mine")`.

    Raises:
        BadInput: There is no such file, or it does not fit the benchmark.
        UnknownName: There is no such benchmark, kind, split or view.

    Examples:
        >>> import hansproof, pathlib
        >>> lines = ["item,choice", *(f"toy-{i:03},B" for i in range(1, 121))]
        >>> _ = pathlib.Path("always_b.csv").write_text("\\n".join(lines))
        >>> (run,) = hansproof.logs.read("always_b.csv", "toy:original")
        >>> run.model, run.split, run.scores["toy-001"]
        ('always_b', 'original', (0.0, 1.0))
    """
    with keywords_in_errors():
        loaded = benchmark if isinstance(benchmark, Benchmark) else load(benchmark)
        is_single = isinstance(patterns, str | os.PathLike)
        paths = convert_value("patterns", [patterns] if is_single else patterns, Sequence[str])
        return read_runs(paths, loaded, kind, overrides)


def read_runs(
    patterns: Sequence[str],
    benchmark: Benchmark,
    kind: str | None = None,
    overrides: LogOverrides | None = None,
) -> tuple[Predictions, ...]:
    """Read runs like `read`; errors name flags of the command line."""
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
    """Read runs like `read_runs`, but return an `IncompleteRun` for a run that broke off."""
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
