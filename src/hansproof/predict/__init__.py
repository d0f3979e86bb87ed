"""Runs models: which runs there are to do, one of them, all of them into a store.

    >>> runs = plan(benchmark, ["bow"], ["full", "choices"], range(20))
    >>> predict(benchmark, runs[0])                  # one, in memory
    >>> sweep(benchmark, runs, "store", jobs=4)      # all, each kept when it is finished

Items reach a model only as its view shows them (`hansproof.views`).
"""

from __future__ import annotations

from ._entries import pattern
from ._measures import measures
from ._plan import Run, plan
from ._predict import predict
from ._rows import Row, notes, rows
from ._sweep import sweep
from ._version import version

__all__ = [
    "Row",
    "Run",
    "measures",
    "notes",
    "pattern",
    "plan",
    "predict",
    "rows",
    "sweep",
    "version",
]
