"""Reads what models said, whoever wrote it down: one file per kind of log.

A kind has `matches(path, head)`, which knows its files by name and first bytes, and
`runs(path)`, which yields what they say; or `read(path, splits)` where a file names its benchmark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType

from ..errors import BadInput
from ..predictions import Splits, Unfinished
from ..types import Benchmark, Predictions
from ._bind import Binder, stated
from ._files import found as files_of
from ._given import Given
from ._run import Run

__all__ = ["Given", "attempts", "read"]


def read(
    patterns: Sequence[str],
    benchmark: Benchmark,
    kind: str | None = None,
    given: Given | None = None,
) -> tuple[Predictions, ...]:
    """Every run in the files that the patterns mean, checked against the benchmark.

    A pattern is a file, a folder, or has wildcards (`**` too); the kind of a file is seen from
    its beginning where it is not given. What is `given` goes before what a log says.
    """
    runs = []
    for one in attempts(patterns, benchmark, kind, given):
        if isinstance(one, Unfinished):
            raise one
        runs.append(one)
    return tuple(runs)


def attempts(
    patterns: Sequence[str],
    benchmark: Benchmark,
    kind: str | None = None,
    given: Given | None = None,
) -> list[Predictions | Unfinished]:
    """The same, with an error in the place of a run that breaks off."""
    given = given or Given()
    splits = Splits(benchmark)
    if given.split is not None:
        splits.take(given.split)  # an unknown name is told before anything is read
    binder = Binder(splits, given)
    found: list[Predictions | Unfinished] = []
    for path, module in files_of(patterns, kind):
        here = list(_runs(path, module, splits, binder, given))
        if any(one in found for one in here):
            raise BadInput(path, "holds a run that was given before: the same scores and seed")
        found += here
    if not found:
        on = f" on {given.split}" if given.split is not None else ""
        raise BadInput(", ".join(patterns), f"holds no run{on}")
    return found


def _runs(
    path: str, module: ModuleType, splits: Splits, binder: Binder, given: Given
) -> Iterator[Predictions | Unfinished]:
    if hasattr(module, "runs"):
        yield from binder.bind(list(_said(path, module, given)), path)
        return
    try:
        run = module.read(path, splits)
    except Unfinished as error:
        yield Unfinished(path, error.what, stated(error.run, given), error.line)
        return
    if given.split in (None, run.split):
        yield stated(run, given)


def _said(path: str, module: ModuleType, given: Given) -> Iterator[Run]:
    if not given.per_char:
        yield from module.runs(path)
    elif hasattr(module, "runs_per_char"):
        yield from module.runs_per_char(path)
    else:
        raise BadInput(path, "--per-char is for lm-eval's log-likelihoods, which it does not hold")
