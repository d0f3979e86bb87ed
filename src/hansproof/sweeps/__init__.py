"""Runs of models: plan them, run one in memory, or all of them into a store.

    >>> runs = plan_runs(benchmark, ["bow"], ["full", "choices"], range(20))
    >>> predict(benchmark, runs[0])                   # one, in memory
    >>> run_sweep(benchmark, runs, "store", jobs=4)   # all; each is stored when it is finished

A model sees items only as the view of its run shows them (`hansproof.views`). A run is prepared,
which gives its training tasks, and finished with the fitted models:

    >>> prepared = prepare_run(benchmark, runs[0], model)
    >>> prepared.finish(fit_all(model, prepared.tasks), code_version())
"""

from __future__ import annotations

from .fitting import fit_all
from .notes import summary_notes
from .plan import RunSpec, plan_blind_runs, plan_runs
from .prepared_run import PreparedRun, prepare_run
from .run_keys import predictions_pattern
from .single_run import predict
from .summary import RunSummary, summarize_runs
from .sweep import Engine, run_sweep
from .trained_model import TrainedModel, expand_model_specs, load_or_train, load_trained_models
from .version import code_version

__all__ = [
    "Engine",
    "PreparedRun",
    "RunSpec",
    "RunSummary",
    "TrainedModel",
    "code_version",
    "expand_model_specs",
    "fit_all",
    "load_or_train",
    "load_trained_models",
    "plan_blind_runs",
    "plan_runs",
    "predict",
    "predictions_pattern",
    "prepare_run",
    "run_sweep",
    "summarize_runs",
    "summary_notes",
]
