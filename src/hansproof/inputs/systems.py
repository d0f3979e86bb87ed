"""Groups runs into systems: one model, one view, one training set, many seeds."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..benchmarks import take_split
from ..errors import BadInput
from ..predictions import PER_RUN_PARAMS, AllAnswers, all_answers, identify_run, identify_system
from ..scoring import chance_credits, chance_level, is_tied, run_credits
from ..stats import Floats
from ..types import FULL, UNKNOWN_VIEW, Benchmark, Items, NoAnswer, Predictions
from ..views import NONSENSE, shows_choices, without_order
from .model_names import short_name

# the setting that names the model, of plug-ins that run models of other people
MODEL_SETTINGS = {"hf": "source", "lm": "source", "nsp": "source"} | dict.fromkeys(
    ("api", "llamacpp", "ollama", "openai", "vllm"), "model"
)
SHA256 = re.compile("[0-9a-f]{64}")
SHORT_DIGEST = 8  # digits of a digest in a name
SeedCounting = Literal["mean", "pooled"]  # how items with several runs are counted in a test


@dataclass(frozen=True, slots=True)
class System:
    """The runs of one system on one split, and the credit of each run for each item.

    Systems of the same split may differ in their items: those that were not asked are left out.
    """

    split: str
    name: str
    items: Items  # those that every run was asked
    runs: tuple[Predictions, ...]
    credits: Floats  # runs by items; 0 where there is no answer
    answered: NDArray[np.bool_]  # runs by items
    split_items: Items  # all items of the split

    @property
    def name_without_view(self) -> str:
        """The name without the view, which comes after the model."""
        model, view = _model_label(self.runs[0]), _view_suffix(self.runs[0])
        return model + self.name.removeprefix(model).removeprefix(view)

    @property
    def scores(self) -> Floats:
        """Per-item means over the runs."""
        return np.asarray(self.credits.mean(axis=0))

    @property
    def groups(self) -> list[str | None]:
        """The groups of the items."""
        return [item.group for item in self.items]

    @property
    def chance(self) -> float:
        """The expected accuracy of guessing."""
        return chance_level(self.items)

    @property
    def accuracy(self) -> float:
        """The mean credit; no answer counts as wrong."""
        return float(self.scores.mean())

    @property
    def accuracy_by_guessing(self) -> float:
        """The mean credit if the items without an answer were guessed."""
        guessed = np.where(self.answered, self.credits, chance_credits(self.items))
        return float(guessed.mean())

    @property
    def accuracy_left_out(self) -> float:
        """The mean credit of the answers alone."""
        return float(self.credits[self.answered].mean())

    def count_reasons(self) -> dict[NoAnswer, int]:
        """Count the missing answers of all runs by reason, without items that were not asked."""
        return dict(
            Counter(
                run.unanswered[item.id]
                for run in self.runs
                for item in self.items
                if item.id in run.unanswered
            )
        )

    def tie_rate(self) -> float:
        """Return the share of answers in which several choices have the highest score."""
        ties = [
            is_tied(run.scores[item.id])
            for run in self.runs
            for item in self.items
            if item.id in run.scores
        ]
        return float(np.mean(ties))

    def select_items(self, ids: Collection[str]) -> System:
        """Return the system on some of its items, in their order."""
        mask = np.array([item.id in ids for item in self.items], bool)
        return replace(
            self,
            items=tuple(item for item in self.items if item.id in ids),
            credits=self.credits[:, mask],
            answered=self.answered[:, mask],
        )


def build_systems(benchmark: Benchmark, predictions: Sequence[Predictions]) -> tuple[System, ...]:
    """Group runs into systems, per split, in the order of their first run."""
    if not predictions:
        raise BadInput("--predictions", "this probe needs predictions of models: give their files")
    usable_runs = drop_silent(drop_repeats(drop_controls(predictions)))
    if not usable_runs:
        message = (
            "all runs have random words, another order of the choices or no choices: also give "
            "others"
        )
        raise BadInput("--predictions", message)
    runs_by_key: dict[object, list[Predictions]] = defaultdict(list)
    for run in usable_runs:
        runs_by_key[identify_system(run)].append(run)
    names = _system_names([runs[0] for runs in runs_by_key.values()])
    return tuple(
        _build_system(benchmark, name, tuple(runs))
        for name, runs in zip(names, runs_by_key.values(), strict=True)
    )


def drop_controls(predictions: Sequence[Predictions]) -> list[Predictions]:
    """Leave out runs of random words, those with another order of the choices, and free answers.

    The first two say how a model goes by places; counted as systems, they would repeat each other.
    A language model that is asked without choices says what it remembers, not what it picks: to
    guess among choices that it does not see gives about 0, not 1/m.
    """
    return [
        run
        for run in predictions
        if run.view == without_order(run.view)
        and run.view.partition("/")[0] != NONSENSE
        and (shows_choices(run.view) or not is_asked(run))
    ]


def is_asked(run: Predictions) -> bool:
    """Whether a language model behind a server was asked: its record says in which way."""
    return "way" in run.params


def drop_repeats(predictions: Sequence[Predictions]) -> list[Predictions]:
    """Leave out a run of which a later one has the same seed and the same answers.

    Such is a run that two versions of hansproof have recorded: counted twice, it would look like
    two seeds. Runs without a seed may be of several seeds that agree.
    """
    answers_by_key: dict[object, list[AllAnswers]] = defaultdict(list)
    last_runs = []
    for run in reversed(predictions):
        earlier = answers_by_key[identify_run(run)]
        if run.seed is None or all_answers(run) not in earlier:
            earlier.append(all_answers(run))
            last_runs.append(run)
    return last_runs[::-1]


def drop_silent(predictions: Sequence[Predictions]) -> list[Predictions]:
    """Leave out runs without any answer, such as a model that always refuses, if others have some.

    Nothing can be computed from them; they must not keep others from being looked at.
    """
    return [run for run in predictions if run.scores] or [*predictions]


def systems_by_split(systems: Sequence[System]) -> dict[str, list[System]]:
    """Group systems by split."""
    splits: dict[str, list[System]] = defaultdict(list)
    for system in systems:
        splits[system.split].append(system)
    return dict(splits)


def pair_answered(first: System, second: System) -> tuple[System, System]:
    """Return two systems of a split on the items that all runs of both answered."""
    shared = answered_ids(first) & answered_ids(second)
    return first.select_items(shared), second.select_items(shared)


def answered_ids(system: System) -> frozenset[str]:
    """Return the items that all runs of a system answered."""
    pairs = zip(system.items, system.answered.T, strict=True)
    return frozenset(item.id for item, is_answered in pairs if is_answered.all())


def _build_system(benchmark: Benchmark, name: str, runs: tuple[Predictions, ...]) -> System:
    split = runs[0].split
    split_items = take_split(benchmark, split).splits[split]
    if any(item.answer is None for item in split_items):
        raise BadInput(benchmark.name, "has no answers to score predictions with", field=split)
    items = tuple(
        item
        for item in split_items
        if not any(run.unanswered.get(item.id) == "not asked" for run in runs)
    )
    if not items:
        raise BadInput("--predictions", f"no item of {split} was given to all runs of {name}")
    answered = np.array([[item.id in run.scores for item in items] for run in runs])
    if not answered.any():
        raise BadInput("--predictions", f"{name} has no answer to any item of {split}")
    credits = np.array([run_credits(run, items) for run in runs])
    return System(split, name, items, runs, credits, answered, split_items)


def _system_names(first_runs: list[Predictions]) -> list[str]:
    """Name systems by model and view, and by whatever else distinguishes them on a split."""
    names = [_model_label(run) + _view_suffix(run) for run in first_runs]
    descriptions = (
        lambda run, namesakes: "view unknown" if run.view == UNKNOWN_VIEW else "",
        lambda run, namesakes: f"trained on {run.trained_on}" if run.trained_on else "",
        lambda run, namesakes: run.protocol,
        _differing_params,
    )
    for describe in descriptions:
        runs_by_name: dict[object, list[Predictions]] = defaultdict(list)
        keys = [(run.split, name) for run, name in zip(first_runs, names, strict=True)]
        for key, run in zip(keys, first_runs, strict=True):
            runs_by_name[key].append(run)
        labels_by_run = [
            (
                describe(run, runs_by_name[key]),
                {describe(other, runs_by_name[key]) for other in runs_by_name[key]},
            )
            for key, run in zip(keys, first_runs, strict=True)
        ]
        names = [
            f"{name}, {label}" if label and len(labels) > 1 else name
            for name, (label, labels) in zip(names, labels_by_run, strict=True)
        ]
    return names


def _model_label(run: Predictions) -> str:
    """Return the model of a run; of a plug-in for pretrained models, with the model: `hf:mpnet`."""
    source = run.params.get(MODEL_SETTINGS.get(run.model, ""))
    is_other = isinstance(source, str) and source
    return f"{run.model}:{short_name(str(source))}" if is_other else run.model


def _view_suffix(run: Predictions) -> str:
    return f" on {run.view}" if run.view not in (FULL, UNKNOWN_VIEW) else ""


def _differing_params(run: Predictions, namesakes: Sequence[Predictions]) -> str:
    """Format the params in which runs of the same name differ.

    Digests, such as that of a prompt file, are left out where other params tell the run from all
    others, and shortened where they do not.
    """
    params, digests = _system_params(run)
    all_params = [_system_params(other) for other in namesakes]
    is_told_apart = all(other != params for other, marks in all_params if marks != digests)
    labels = [
        f"{name}={value}"
        for name, value in params.items()
        if any(name not in other or other[name] != value for other, _ in all_params)
    ]
    if not is_told_apart:
        labels += [
            f"{name}={digest[:SHORT_DIGEST]}"
            for name, digest in digests.items()
            if any(marks.get(name) != digest for _, marks in all_params)
        ]
    return ", ".join(labels)


def _system_params(run: Predictions) -> tuple[dict[str, object], dict[str, str]]:
    """Return the params that all runs of a system share: digests apart from all others."""
    params = {name: value for name, value in run.params.items() if name not in PER_RUN_PARAMS}
    digests = {
        name: value
        for name, value in params.items()
        if isinstance(value, str) and SHA256.fullmatch(value)
    }
    return {name: value for name, value in params.items() if name not in digests}, digests
