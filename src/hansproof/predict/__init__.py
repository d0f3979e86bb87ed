"""Runs models: which runs there are to do, one of them, all of them into a store.

    >>> runs = plan(benchmark, ["bow"], ["full", "choices"], range(20))
    >>> predict(benchmark, runs[0])                  # one, in memory
    >>> sweep(benchmark, runs, "store", jobs=4)      # all, each kept when it is finished

Items reach a model only as its view shows them (`hansproof.views`). A run is first its tasks, then
what is concluded from fitted models:

    >>> one = begun(benchmark, runs[0], model)
    >>> one.conclude(fits(model, one.tasks), version())
"""

from __future__ import annotations

from ._begun import Begun, begun
from ._entries import pattern
from ._fits import fits, room
from ._measures import measures
from ._notes import notes
from ._plan import Run, plan
from ._predict import predict
from ._rows import Row, rows
from ._sweep import Engine, sweep
from ._trained import Trained, all_trained, specs_of, trained
from ._version import version

__all__ = [
    "Begun",
    "Engine",
    "Row",
    "Run",
    "Trained",
    "all_trained",
    "begun",
    "fits",
    "measures",
    "notes",
    "pattern",
    "plan",
    "predict",
    "room",
    "rows",
    "specs_of",
    "sweep",
    "trained",
    "version",
]
