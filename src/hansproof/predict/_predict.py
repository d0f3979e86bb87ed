"""One run, in memory."""

from __future__ import annotations

from contextlib import closing

from ..models import load
from ..training.threads import one_thread
from ..types import Benchmark, Predictions
from ._begun import begun
from ._fits import fits
from ._plan import Run
from ._version import version


def predict(benchmark: Benchmark, run: Run) -> Predictions:
    """What the model of a run says about every item of its split."""
    model = load(run.model)
    one = begun(benchmark, run, model)
    with one_thread(), closing(fits(model, one.tasks)) as fitted:
        return one.conclude(fitted, version())
