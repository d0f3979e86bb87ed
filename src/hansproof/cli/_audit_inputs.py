"""The inputs of an audit: files that were given, and models that are run for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .. import plugins
from ..errors import BadInput
from ._estimate import print_estimate
from ._options import INPUT_HELP
from ._outputs import create_folder
from ._run_options import (
    RunOptions,
    check_keys,
    check_positive,
    plan_for_audit,
    predict_blind,
    predict_for_audit,
)

if TYPE_CHECKING:
    from ..types import Benchmark

Inputs = dict[str, Sequence[Any]]  # by name


@dataclass(frozen=True, slots=True)
class AuditInputs:
    """What was given besides the benchmark, as it was given."""

    values: Mapping[str, Sequence[str]]  # paths, and models of --lm and --encoder, by input
    other_benchmarks: Sequence[str]
    models: Sequence[str]  # to run on every view
    blind: Sequence[str]  # to run on the choices alone
    seeds: int
    options: RunOptions

    @classmethod
    def from_flags(cls, flags: dict[str, Any], models: Sequence[str], seeds: int) -> AuditInputs:
        """Take the inputs and the options of models out of the flags of a command."""
        options = RunOptions.from_flags(flags)
        specs = options.apply_to((*models, *flags.pop("blind")))
        options.check_prompts(specs)
        if models:
            check_positive("--seeds", seeds)
        values = {name: flags.pop(name) for name in INPUT_HELP if name in flags}
        other_benchmarks = values.pop("others")
        n_models = len(models)
        on_views, blind = map(options.expand_prompts, (specs[:n_models], specs[n_models:]))
        return cls(values, other_benchmarks, on_views, blind, seeds, options)

    def names(self) -> list[str]:
        """Name the inputs that the audit will have."""
        from ..inputs.load import given_names

        predictions = [*self.values["predictions"], *self.models]
        added = {"others": self.other_benchmarks, "predictions": predictions, "blind": self.blind}
        return given_names({**self.values, **added})

    def check(self, benchmark: Benchmark, sample: int | None) -> None:
        """Raise a HansproofError if a model cannot be used, or files are about more than a sample.

        This is quick, while loading the inputs may run models.
        """
        from ..inputs.check_specs import check_model, check_specs

        about_items = [
            f"--{name}"
            for name, values in self.values.items()
            if values and name not in (*plugins.MODEL_INPUTS, *plugins.TEXT_INPUTS)
        ]
        if sample is not None and about_items:
            message = f"samples the items, but {' and '.join(about_items)} cover all of them"
            raise BadInput("--sample", f"{message}: use only one of the two")
        check_specs(benchmark, {**self.values, "blind": self.blind})
        for spec in self.models:
            check_model(spec)
        self.options.check_budget([*self.models, *self.blind])
        if not self.options.dry_run:
            check_keys([*self.models, *self.blind])

    def _print_estimate(self, benchmark: Benchmark, output: str) -> None:
        """Print what the models would take, for a dry run."""
        from .. import sweeps

        if not self.models and not self.blind:
            raise BadInput("--dry-run", "is about the models of --model and --blind: name one")
        runs = [*plan_for_audit(benchmark, self.models, self.seeds)] if self.models else []
        runs += sweeps.plan_blind_runs(benchmark, self.blind) if self.blind else ()
        print_estimate(benchmark, runs, f"{output}/runs")

    def load(
        self,
        benchmark: Benchmark,
        other_benchmarks: Sequence[Benchmark],
        sample: int | None,
        output: str,
    ) -> tuple[Benchmark, Inputs]:
        """Return the benchmark, or its sample, and the inputs; runs of models are saved.

        A dry run ends here: it prints what the models would take.
        """
        if self.options.dry_run:
            self._print_estimate(benchmark, output)
            raise click.exceptions.Exit(0)
        from ..inputs.load import load_inputs
        from ..sampling import sample_benchmark

        of_texts = {name: self.values[name] for name in plugins.TEXT_INPUTS}
        of_items = {name: v for name, v in self.values.items() if name not in of_texts}
        inputs = load_inputs(benchmark, {**of_items, "others": other_benchmarks})
        if sample is not None:
            benchmark = sample_benchmark(benchmark, sample)
        inputs |= load_inputs(benchmark, of_texts)  # of the sample only
        return benchmark, inputs | self._run_models(benchmark, inputs, output)

    def _run_models(self, benchmark: Benchmark, inputs: Inputs, output: str) -> Inputs:
        """Run models on every view, and others on the choices alone."""
        runs: Inputs = {}
        folder = f"{output}/runs"
        if self.models:
            create_folder(output)
            predictions = inputs.get("predictions", ())
            trained = predict_for_audit(benchmark, self.models, self.seeds, self.options, folder)
            new_runs = [run for run in trained if run not in predictions]
            runs["predictions"] = [*predictions, *new_runs]
        if self.blind:
            runs["blind"] = predict_blind(benchmark, self.blind, self.options, folder)
        return runs
