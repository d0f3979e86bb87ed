"""A single run, in memory."""

from __future__ import annotations

from contextlib import closing

from .._infra.threads import single_threaded
from ..models import load
from ..types import Benchmark, Predictions
from .fitting import fit_all
from .plan import RunSpec
from .prepared_run import prepare_run
from .version import code_version


def predict(benchmark: Benchmark, run: RunSpec) -> Predictions:
    """Train the model of a run if it learns, and return its scores for every item of the split."""
    model = load(run.model)
    prepared = prepare_run(benchmark, run, model)
    with single_threaded(), closing(fit_all(model, prepared.tasks)) as fitted:
        return prepared.finish(fitted, code_version())
