"""Options of commands that run models, and the sweep that they start."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from . import _printing
from ._command import HeadedOption
from ._options import RUN_HEADING

if TYPE_CHECKING:
    from ..sweeps import Engine, RunSpec
    from ..types import Benchmark, Predictions

AUTO = "auto"
DEFAULT_SEEDS = 20


run_option = functools.partial(click.option, cls=HeadedOption, heading=RUN_HEADING)


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `RunOptions`."""
    options = [
        run_option("--recipe", metavar="NAME",
                     help="Training recipe of all models that have one: default, kavumba-bert, "
                     "kavumba-roberta, kavumba-albert, niven-bert, branco, branco-gpt2 or "
                     "branco-t5. A recipe that is given with a model takes precedence."),
        run_option("--deterministic", is_flag=True,
                     help="Make every run give the same scores, even if that is slower."),
        run_option("--jobs", default=AUTO, show_default=True, metavar="N",
                     help="Number of parallel runs. `auto` uses all cores for slow models and one "
                     "otherwise."),
        run_option("--engine", type=click.Choice(("local", "ray")), default="local",
                     show_default=True, help="Run in processes on this machine, or as Ray tasks "
                     "(on the cluster at $RAY_ADDRESS, if it is set)."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How models are run: parameters set for all of them, parallel runs, and the engine."""

    recipe: str | None
    deterministic: bool
    jobs: str
    engine: Engine

    @classmethod
    def from_flags(cls, flags: dict[str, Any]) -> RunOptions:
        """Take the options out of a command's flags."""
        options = cls(*(flags.pop(name) for name in ("recipe", "deterministic", "jobs", "engine")))
        if options.jobs != AUTO:
            if not options.jobs.lstrip("-").isdecimal():
                raise BadInput("--jobs", f"is {options.jobs!r}: give a number, or {AUTO}")
            check_positive("--jobs", int(options.jobs))
        return options

    def apply_to(self, models: Sequence[str]) -> Sequence[str]:
        """Add the recipe and `deterministic` to model specs."""
        if self.recipe is not None:
            models = _set_parameter(models, "--recipe", self.recipe, None)
        return (
            _set_parameter(models, "--deterministic", "true", bool)
            if self.deterministic
            else models
        )

    def parse_seeds(self, value: str | None) -> Sequence[int]:
        """Parse a number of seeds or a list; without a value, use the recipe's or the default."""
        if value is None and self.recipe is not None:
            from ..training.recipes import RECIPES, get_recipe

            # a user's own model may have recipes that are not in RECIPES
            if self.recipe.replace("_", "-") in RECIPES:
                return get_recipe(self.recipe).seeds
        numbers = (value or str(DEFAULT_SEEDS)).split(",")
        if not all(number.strip().isdecimal() for number in numbers):
            raise BadInput(
                "--seeds", f"is {value!r}: give a number of seeds, or a list such as 42,1128"
            )
        if len(numbers) > 1:
            return tuple(dict.fromkeys(map(int, numbers)))
        check_positive("--seeds", int(numbers[0]))
        return range(int(numbers[0]))

    def n_jobs(self, models: Sequence[str]) -> int:
        """Return how many runs of these models to run in parallel."""
        if self.jobs != AUTO:
            return int(self.jobs)
        return _available_cores() if self.engine == "ray" or _should_use_all_cores(models) else 1


def _set_parameter(
    models: Sequence[str], flag: str, value: str, value_type: type | None
) -> Sequence[str]:
    from ..models import with_parameter

    name = flag.removeprefix("--")
    if not models:
        raise BadInput(flag, "is about training: name a model with --model or --blind")
    changed_specs = [with_parameter(spec, name, value, value_type) for spec in models]
    if not any(changed_specs):
        raise BadInput(flag, f"has no effect on {', '.join(models)}: leave it out")
    return [new or old for new, old in zip(changed_specs, models, strict=True)]


def _should_use_all_cores(models: Sequence[str]) -> bool:
    """Tell whether a model is slow on a single core and none fits many runs at once."""
    from ..capabilities import batch_capacity, is_slow
    from ..models import load

    loaded_models = [load(spec) for spec in models]
    return any(map(is_slow, loaded_models)) and all(
        batch_capacity(model) == 1 for model in loaded_models
    )


def _available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_positive(flag: str, number: int) -> None:
    """Raise BadInput unless the value of an option is at least 1."""
    if number < 1:
        raise BadInput(flag, f"is {number}, must be at least 1")


def predict_for_audit(
    benchmark: Benchmark, models: Sequence[str], seeds: int, options: RunOptions, folder: str
) -> Sequence[Predictions]:
    """Train models on all default views and return their predictions, for an audit."""
    from .. import sweeps
    from ..views import default_views, fields_of, view_name

    check_positive("--seeds", seeds)
    fields = fields_of(item for items in benchmark.splits.values() for item in items)
    views = [view_name(view, fields) for view in default_views(fields)]
    runs = sweeps.plan_runs(benchmark, models, views, range(seeds))
    return _sweep_with_notes(benchmark, runs, folder, options)


def predict_blind(
    benchmark: Benchmark, models: Sequence[str], options: RunOptions, folder: str
) -> Sequence[Predictions]:
    """Run models on the choices alone and return their predictions, for an audit."""
    from .. import sweeps

    runs = sweeps.plan_blind_runs(benchmark, models)
    return _sweep_with_notes(benchmark, runs, folder, options)


def _sweep_with_notes(
    benchmark: Benchmark, runs: Sequence[RunSpec], folder: str, options: RunOptions
) -> Sequence[Predictions]:
    """Run a sweep for an audit; print notes on its runs."""
    from .. import sweeps

    predictions = sweep_with_bar(benchmark, runs, folder, options)
    for note in sweeps.summary_notes(
        benchmark, sweeps.summarize_runs(benchmark, runs, predictions, folder)
    ):
        echo_note(f"note: {note}")
    return predictions


def sweep_with_bar(
    benchmark: Benchmark,
    runs: Sequence[RunSpec],
    folder: str,
    options: RunOptions,
    keep: str | None = None,
) -> Sequence[Predictions]:
    """Run a sweep with a progress bar."""
    from .._infra.progress import count_bar
    from ..sweeps import run_sweep

    n_jobs = options.n_jobs([*dict.fromkeys(run.model for run in runs)])
    with count_bar(len(runs), "runs") as progress:
        return run_sweep(benchmark, runs, folder, n_jobs, progress, echo_note, keep, options.engine)


def echo_note(message: str) -> None:
    """Print a note on stderr."""
    _printing.echo_note(f"hansproof: {message}")
