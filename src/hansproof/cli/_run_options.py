"""Values of the flags of commands that run models, and the sweep that they start."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from . import _printing
from ._run_flags import AUTO

if TYPE_CHECKING:
    from ..spending import Spending
    from ..sweeps import Engine, RunSpec
    from ..types import Benchmark, Predictions

DEFAULT_SEEDS = 20


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How models are run: parameters set for all of them, parallel runs, engine and budget."""

    recipe: str | None
    deterministic: bool
    jobs: str
    engine: Engine
    prompts: tuple[str, ...] = ()
    spending: Spending | None = None  # on models behind servers, of the whole command
    dry_run: bool = False

    @classmethod
    def from_flags(cls, flags: dict[str, Any]) -> RunOptions:
        """Take the options out of a command's flags."""
        names = ("recipe", "deterministic", "jobs", "engine")
        prompts = tuple(filter(None, (flags.pop("prompts", None) or "").split(",")))
        budget, dry_run = flags.pop("budget", None), flags.pop("dry_run", False)
        recipe, deterministic, jobs, engine = (flags.pop(name) for name in names)
        spending = None
        if budget is not None:
            from ..spending import Spending

            spending = Spending(budget)
        options = cls(recipe, deterministic, jobs, engine, prompts, spending, dry_run)
        if budget is not None and not 0 < budget < float("inf"):
            raise BadInput("--budget", "must be a number of dollars above 0")
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

    def expand_prompts(self, models: Sequence[str]) -> Sequence[str]:
        """Return each model with each of the prompts; models without prompts as they are."""
        from ..models import with_parameter

        if not self.prompts:
            return models
        return [
            *dict.fromkeys(
                with_parameter(spec, "prompt", name) or spec
                for spec in models
                for name in self.prompts
            )
        ]

    def check_prompts(self, models: Sequence[str]) -> None:
        """Raise BadInput if prompts are given and no model is asked."""
        if self.prompts and not find_respondents(models):
            raise BadInput("--prompts", "is for models behind servers: leave it out")
        for spec in models if self.prompts else ():
            if re.search(r",\s*prompt=", spec):
                raise BadInput("--prompts", f"{spec} names a prompt, too: use only one of the two")

    def check_budget(self, models: Sequence[str]) -> None:
        """Raise BadInput if a budget is given for models whose price is not known."""
        from ..capabilities import EndpointModel
        from ..models import load

        if self.spending is None:
            return
        loaded = [(spec, load(spec)) for spec in models]
        endpoints = [(spec, model) for spec, model in loaded if isinstance(model, EndpointModel)]
        if not endpoints:
            raise BadInput("--budget", "is for models behind servers: leave it out")
        for spec, model in endpoints:
            if not model.token_price:
                message = f"needs the price of {spec}: add price=0.15|0.60, in quotes (dollars"
                raise BadInput("--budget", f"{message} per million tokens of prompts and answers)")

    def parse_seeds(self, value: str | None, models: Sequence[str] = ()) -> Sequence[int]:
        """Parse a number of seeds or a list; without a value, use the recipe's or the default.

        By default a model behind a server is asked once, as each sample costs money.
        """
        if value is None and find_respondents(models):
            return range(1)
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
        if respondents := find_respondents(models):
            if self.engine == "ray" or self.jobs not in (AUTO, "1"):
                message = f"{respondents[0]} sends many requests at once by itself (concurrency=): "
                raise BadInput("--jobs", f"{message}leave out --jobs and --engine")
            return 1
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


def find_respondents(models: Sequence[str]) -> list[str]:
    """Return the specs of models that are asked and may cost money."""
    from ..capabilities import Respondent
    from ..models import load

    return [spec for spec in models if isinstance(load(spec), Respondent)]


def check_positive(flag: str, number: int) -> None:
    """Raise BadInput unless the value of an option is at least 1."""
    if number < 1:
        raise BadInput(flag, f"is {number}, must be at least 1")


def predict_for_audit(
    benchmark: Benchmark, models: Sequence[str], seeds: int, options: RunOptions, folder: str
) -> Sequence[Predictions]:
    """Train models on all default views and return their predictions, for an audit."""
    runs = plan_for_audit(benchmark, models, seeds)
    return _sweep_with_notes(benchmark, runs, folder, options)


def plan_for_audit(benchmark: Benchmark, models: Sequence[str], seeds: int) -> Sequence[RunSpec]:
    """Plan models on all default views, for an audit."""
    from .. import sweeps
    from ..views import default_views, fields_of, view_name

    check_positive("--seeds", seeds)
    fields = fields_of(item for items in benchmark.splits.values() for item in items)
    views = [view_name(view, fields) for view in default_views(fields)]
    return sweeps.plan_runs(benchmark, models, views, range(seeds))


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
    from ..spending import Spending, format_dollars
    from ..sweeps import run_sweep

    models = [*dict.fromkeys(run.model for run in runs)]
    n_jobs = options.n_jobs(models)
    check_keys(models)
    spending = options.spending or Spending()
    spent_before = spending.spent
    with count_bar(len(runs), "runs") as progress:
        predictions = run_sweep(
            benchmark, runs, folder, n_jobs, progress, echo_note, keep, options.engine, spending
        )
    if spending.spent > spent_before:
        echo_note(f"spent {format_dollars(spending.spent - spent_before)}")
    return predictions


def check_keys(models: Sequence[str]) -> None:
    """Raise BadInput if the key of a model behind a server is missing."""
    from ..capabilities import EndpointModel
    from ..models import load

    for model in map(load, models):
        if isinstance(model, EndpointModel):
            model.check_key()


def echo_note(message: str) -> None:
    """Print a note on stderr."""
    _printing.echo_note(f"hansproof: {message}")
