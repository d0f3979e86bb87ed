"""Fine-tunes one checkpoint for many tasks: runs trials and keeps the best of each task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from ...errors import BadInput
from ...pretrained import checkpoint, devices
from ...training.determinism import deterministic_mode
from ...training.engine import LaneResult, train_lanes
from ...training.packing import Sequences
from ...training.recipes import Recipe
from ...training.step import EncodedQuestions, Ints, Lane, TrainConfig
from ...training.training_task import ProgressCallback, TrainingTask
from ...types import Items
from .._architectures import InputFormat, LoadedModel, load_model
from .._architectures.item_tokenizer import TokenSequence
from .finetuned import FinetunedTransformer

if TYPE_CHECKING:
    from ..hf import Hf


def finetune(
    model: Hf, tasks: Sequence[TrainingTask], on_progress: ProgressCallback
) -> Iterator[FinetunedTransformer]:
    """Yield a fitted model for each task, in order."""
    recipe, device = model.effective_recipe(), devices.find_device(model.device)
    input_format = InputFormat(
        recipe.pooling, recipe.inputs, recipe.length, recipe.head_dropout, model.task
    )
    base_model = load_model(model.source, checkpoint.fingerprint(model.source), input_format)
    if model.pooling not in ("", "auto", base_model.pooling):
        message = (
            f"is {model.pooling}, but this network sees the whole text only at its last token: "
            "use last"
        )
        raise BadInput("hf:pooling", message)
    dtype = compute_dtype(model.precision, device)
    with deterministic_mode(model.deterministic and device.type == "cuda"):
        job = _FinetuneJob.build(base_model, tasks, recipe, device, dtype, model.deterministic)
        for index, trial in enumerate(job.run_trials(on_progress)):
            weights = trial.best.weights and job.restore(trial.best.weights)
            chosen = {
                "rate": trial.rate, "batch": trial.batch, "epoch": trial.best.epoch,
                "pooling": base_model.pooling, "precision": str(dtype).removeprefix("torch."),
                **({} if weights else {"nan": True}),
            }  # fmt: skip
            read_texts = {
                text
                for item in (*tasks[index].items, *tasks[index].select)
                for text in base_model.item_tokenizer.choice_texts(item)
            }
            yield FinetunedTransformer(
                base_model, weights, device, chosen, tuple(trial.trials), read_texts
            )


def compute_dtype(name: str, device: torch.device) -> torch.dtype:
    """Return the type for matrix products; `auto` is half precision where that is faster."""
    if name == "auto":
        name = "bf16" if device.type == "cuda" or _half_is_faster() else "fp32"
    return torch.bfloat16 if name == "bf16" else torch.float32


def _half_is_faster() -> bool:
    """Return whether the CPU has instructions for products in half precision."""
    checks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")  # private to PyTorch
    return any(getattr(torch.cpu, name, lambda: False)() for name in checks)


@dataclass(slots=True, eq=False)
class _BestTrial:
    """The best result of a task so far, and its settings."""

    best: LaneResult
    rate: float
    batch: int
    trials: list[str]  # one line for each setting that was tried


@dataclass(frozen=True, slots=True, eq=False)
class _FinetuneJob:
    """All tasks, over one table of their distinct sequences."""

    make_config: Callable[[int, int], TrainConfig]  # from batch size and number of epochs
    recipe: Recipe
    learn: list[EncodedQuestions]
    select: list[EncodedQuestions]
    seeds: list[int]
    restore: Callable[[dict[str, torch.Tensor]], dict[str, torch.Tensor]]

    @classmethod
    def build(
        cls, base_model: LoadedModel, tasks: Sequence[TrainingTask], recipe: Recipe,
        device: torch.device, dtype: torch.dtype, deterministic: bool,
    ) -> _FinetuneJob:  # fmt: skip
        """Encode the items of all tasks, and number their distinct sequences."""
        encode = base_model.item_tokenizer.encode
        train, select = [encode(t.items) for t in tasks], [encode(t.select) for t in tasks]
        encoded_items = [item for split in (*train, *select) for item in split]
        distinct = {sequence for item in encoded_items for sequence in item}
        sequence_ids = {sequence: index for index, sequence in enumerate(sorted(distinct))}
        net, tokens, restore = base_model.architecture.trim_vocabulary(
            [list(ids) for ids, _ in sequence_ids]
        )
        table = Sequences.from_lists(
            tokens, [list(segment_ids) for _, segment_ids in sequence_ids], device
        )
        max_choices = max(map(len, encoded_items), default=1)

        def number_questions(items: Items, split: list[list[TokenSequence]]) -> EncodedQuestions:
            return EncodedQuestions(items, _sequence_rows(split, sequence_ids, max_choices))

        return cls(
            lambda batch, epochs: TrainConfig(
                net, table, recipe, batch, epochs, device, dtype, deterministic
            ),
            recipe,
            [number_questions(t.items, split) for t, split in zip(tasks, train, strict=True)],
            [number_questions(t.select, split) for t, split in zip(tasks, select, strict=True)],
            [task.seed for task in tasks],
            restore,
        )

    def run_trials(self, on_progress: ProgressCallback) -> Iterator[_BestTrial]:
        """Yield the best trial of each task."""
        recipe = self.recipe
        has_select = all(questions.items for questions in self.select)
        rates = recipe.rates if has_select else recipe.rates[:1]
        if not has_select or (len(recipe.batches) == 1 and not recipe.trial_epochs):
            return self._train_rates(rates, recipe.batches[0], recipe.epochs, on_progress)
        return self._train_in_stages(rates, on_progress)

    def _train_rates(
        self, rates: Sequence[float], batch: int, epochs: int, on_progress: ProgressCallback
    ) -> Iterator[_BestTrial]:
        """Train every task with every rate, and yield the best trial; of equals, the first."""
        lanes = [self._build_lane(task, rate) for task in range(len(self.seeds)) for rate in rates]
        results = train_lanes(self.make_config(batch, epochs), lanes, on_progress)
        for _ in self.seeds:
            trials = [(next(results), rate) for rate in rates]
            best, rate = max(trials, key=lambda pair: _selection_accuracy(pair[0]))
            yield _BestTrial(
                best,
                rate,
                batch,
                [_describe_trial(result, trial_rate, batch) for result, trial_rate in trials],
            )

    def _train_in_stages(
        self, rates: Sequence[float], on_progress: ProgressCallback
    ) -> Iterator[_BestTrial]:
        """Choose the rate by short trials, then the batch size, then train with both."""
        recipe = self.recipe
        epochs = recipe.trial_epochs or recipe.epochs
        first, *other_batches = recipe.batches
        stage_callbacks = [
            _stage_progress(on_progress, stage, len(other_batches) + 2)
            for stage in range(len(other_batches) + 2)
        ]
        best_trials = [
            _drop_trial_weights(trial)
            for trial in self._train_rates(rates, first, epochs, stage_callbacks[0])
        ]
        for batch, stage_callback in zip(other_batches, stage_callbacks[1:], strict=False):
            lanes = [self._build_lane(task, trial.rate) for task, trial in enumerate(best_trials)]
            for trial, result in zip(
                best_trials,
                train_lanes(self.make_config(batch, epochs), lanes, stage_callback),
                strict=True,
            ):
                trial.trials.append(_describe_trial(result, trial.rate, batch))
                if _selection_accuracy(result) > _selection_accuracy(trial.best):
                    trial.best, trial.batch = _drop_weights(result), batch
        yield from self._final_runs(best_trials, stage_callbacks[-1])

    def _final_runs(
        self, best_trials: Sequence[_BestTrial], on_progress: ProgressCallback
    ) -> Iterator[_BestTrial]:
        """Train each task with its chosen settings; tasks of one batch size train together."""
        # by batch size: how many of its tasks are done
        finished = dict.fromkeys((trial.batch for trial in best_trials), 0.0)

        def train_with_batch(batch: int) -> Iterator[LaneResult]:
            lanes = [
                self._build_lane(task, trial.rate)
                for task, trial in enumerate(best_trials)
                if trial.batch == batch
            ]

            def report_progress(share: float, accuracy: float | None) -> None:
                finished[batch] = share * len(lanes)
                on_progress(sum(finished.values()) / len(best_trials), accuracy)

            return train_lanes(self.make_config(batch, self.recipe.epochs), lanes, report_progress)

        runs = {batch: train_with_batch(batch) for batch in finished}
        for trial in best_trials:
            yield _BestTrial(next(runs[trial.batch]), trial.rate, trial.batch, trial.trials)

    def _build_lane(self, task: int, rate: float) -> Lane:
        return Lane(self.learn[task], self.select[task], self.seeds[task], rate)


def _stage_progress(on_progress: ProgressCallback, stage: int, n_stages: int) -> ProgressCallback:
    """Return a callback that reports one stage of several as a part of the whole."""
    return lambda share, accuracy: on_progress((stage + share) / n_stages, accuracy)


def _sequence_rows(
    item_sequences: list[list[TokenSequence]],
    sequence_ids: dict[TokenSequence, int],
    max_choices: int,
) -> Ints:
    """Return sequence numbers, (items, most choices); one past the last where no choice is."""
    rows = np.full((len(item_sequences), max_choices), len(sequence_ids), np.int64)
    for index, sequences in enumerate(item_sequences):
        rows[index, : len(sequences)] = [sequence_ids[sequence] for sequence in sequences]
    return rows


def _selection_accuracy(result: LaneResult) -> float:
    return -1.0 if result.accuracy is None else result.accuracy


def _drop_weights(result: LaneResult) -> LaneResult:
    return LaneResult(None, result.epoch, result.accuracy)


def _drop_trial_weights(trial: _BestTrial) -> _BestTrial:
    return _BestTrial(_drop_weights(trial.best), trial.rate, trial.batch, trial.trials)


def _describe_trial(result: LaneResult, rate: float, batch: int) -> str:
    """Return one line about a trial."""
    outcome = "no items to select by" if result.weights else "diverged"
    if result.accuracy is not None:
        outcome = f"{result.accuracy:.3f} on select"
    return f"rate={rate:g} batch={batch}: epoch {result.epoch}, {outcome}"
