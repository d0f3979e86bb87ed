"""Fine-tuning of networks, as many runs at once as fit on the device.

Runs of one network that are trained together are its lanes: they share each step, and each has its
own weights, items, order, rate and seed. On a GPU a step is captured once and replayed; when memory
runs out, fewer lanes are tried, then smaller parts of a batch, and finished runs are not lost. On a
CPU there is one lane; runs are parallel as processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import ModelError
from .adam import LaneWeights
from .compilation import run_eager
from .selection import selection_accuracy
from .step import BatchShape, Ints, Lane, TrainConfig, TrainStep, capture_step, epoch_batches
from .training_task import ProgressCallback

MAX_LANES = 32  # more gain nothing
MEMORY_SHARE = 0.85  # of the free memory that lanes may take
COMPILE_SECONDS = 15.0  # to compile a step
SAVED_SECONDS_PER_BYTE = 8e-12  # by a compiled step, per byte of activations; measured on an H200
NO_ITEMS = np.zeros(0, np.int64)  # of a lane that has no batch left in an epoch


@dataclass(frozen=True, slots=True, eq=False)
class LaneResult:
    """The best weights of a lane; None if they were never finite."""

    weights: dict[str, torch.Tensor] | None
    epoch: int
    accuracy: float | None  # on the select items


def train_lanes(
    config: TrainConfig,
    lanes: Sequence[Lane],
    on_progress: ProgressCallback = lambda share, accuracy: None,
) -> Iterator[LaneResult]:
    """Train lanes, and yield the result of each in their order."""
    capacity, n_parts, n_done = _lane_capacity(config, lanes), 1, 0
    while n_done < len(lanes):
        group = lanes[n_done : n_done + capacity]
        try:
            results = _train_together(
                config, group, n_parts, _scale_progress(on_progress, n_done, len(group), len(lanes))
            )
        except torch.OutOfMemoryError:
            results = None
        if (
            results is None
        ):  # outside the handler, so that the traceback does not keep tensors alive
            _release_memory(config.device)
            if capacity == 1 and n_parts >= config.batch_size:
                raise ModelError(f"{config.device}: not enough memory for even one item of a batch")
            capacity, n_parts = (max(1, capacity // 2), 1) if capacity > 1 else (1, n_parts * 2)
            continue
        n_done += len(group)
        while results:
            yield results.pop(0)
        _release_memory(config.device)


def _scale_progress(
    on_progress: ProgressCallback, n_done: int, n_lanes: int, n_total: int
) -> ProgressCallback:
    return lambda share, accuracy: on_progress((n_done + share * n_lanes) / n_total, accuracy)


def _release_memory(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.empty_cache()


def _lane_capacity(config: TrainConfig, lanes: Sequence[Lane]) -> int:
    """Estimate, cautiously, how many lanes fit in memory."""
    if config.device.type != "cuda" or config.deterministic or config.net.max_lanes == 1:
        return 1
    max_lanes = min(len(lanes), config.net.max_lanes, MAX_LANES)
    free_bytes, _ = torch.cuda.mem_get_info(config.device)
    n_weights = sum(tensor.numel() for tensor in config.net.start(0).values())
    batch_shape = BatchShape.from_lanes(config, lanes[:max_lanes])
    # single precision: weights, two moments, the best weights; half: weights, gradients
    bytes_per_lane = n_weights * (4 * 4 + 2 * 2) + config.net.activations(
        batch_shape.width, batch_shape.count, batch_shape.longest
    )
    return max(1, min(max_lanes, int(free_bytes * MEMORY_SHARE / bytes_per_lane)))


def _train_together(
    config: TrainConfig, lanes: Sequence[Lane], n_parts: int, on_progress: ProgressCallback
) -> list[LaneResult]:
    """Train lanes together."""
    batch_shape = BatchShape.from_lanes(config, lanes, n_parts)
    weights = LaneWeights.from_lanes(
        [config.net.start(lane.seed) for lane in lanes], config.device, config.dtype
    )
    step = TrainStep(config, batch_shape, weights, lanes, n_parts)
    run_step = step.run
    if config.device.type == "cuda" and config.net.captures:
        with run_eager(_skips_compilation(config, batch_shape, lanes)):
            run_step = capture_step(step)
    torch.manual_seed(_shared_seed(lanes))
    best = [LaneResult(None, 0, None) for _ in lanes]
    alive = [True] * len(lanes)
    n_updates = [0] * len(lanes)  # updates so far
    for epoch in range(config.epochs):
        lane_batches = [epoch_batches(config, lane, epoch) for lane in lanes]
        total_updates = [len(batches) * config.epochs for batches in lane_batches]
        for index in range(max(map(len, lane_batches))):
            current = [
                batches[index] if index < len(batches) else NO_ITEMS for batches in lane_batches
            ]
            step.load_batch(current, n_updates, total_updates)
            run_step()
            n_updates = [
                count + (index < len(batches))
                for count, batches in zip(n_updates, lane_batches, strict=True)
            ]
        _update_best(config, lanes, weights, batch_shape, epoch + 1, best, alive)
        accuracies = [result.accuracy for result in best if result.accuracy is not None]
        on_progress(
            (epoch + 1) / config.epochs, sum(accuracies) / len(accuracies) if accuracies else None
        )
    return best


def _skips_compilation(config: TrainConfig, batch_shape: BatchShape, lanes: Sequence[Lane]) -> bool:
    """Whether compiling a step would take longer than it saves."""
    updates = sum(len(epoch_batches(config, lane, 0)) for lane in lanes) * config.epochs
    bytes_moved = config.net.activations(batch_shape.width, batch_shape.count, batch_shape.longest)
    return updates * bytes_moved * SAVED_SECONDS_PER_BYTE < COMPILE_SECONDS


def _shared_seed(lanes: Sequence[Lane]) -> int:
    return int(np.random.default_rng([lane.seed for lane in lanes]).integers(2**62))


def _update_best(
    config: TrainConfig, lanes: Sequence[Lane], weights: LaneWeights, batch_shape: BatchShape,
    epoch: int, best: list[LaneResult], alive: list[bool],
) -> None:  # fmt: skip
    """Update each lane's best result: the first of equals, or the last epoch without selection."""
    judges_epochs = config.recipe.selection == "best" and any(lane.select.items for lane in lanes)
    if not judges_epochs and epoch < config.epochs:
        return
    # without select items, scores of a training batch show whether the weights are usable
    rows_to_score = [
        lane.select.rows if lane.select.items else lane.train.rows[: config.batch_size]
        for lane in lanes
    ]
    scores = score_sequences(config, weights.compute, rows_to_score, batch_shape.longest)
    for index, lane in enumerate(lanes):
        alive[index] = (
            alive[index] and _is_finite(weights, index) and bool(np.isfinite(scores[index]).all())
        )
        if not alive[index]:
            continue  # a lane that diverged stays out: its best result so far remains
        accuracy = None
        if lane.select.items:
            rows = [
                tuple(map(float, row[: len(item.choices)]))
                for row, item in zip(scores[index], lane.select.items, strict=True)
            ]
            accuracy = selection_accuracy(rows, lane.select.items)
        previous = best[index].accuracy
        if accuracy is None or previous is None or accuracy > previous or not judges_epochs:
            best[index] = LaneResult(weights.copy_lane(index), epoch, accuracy)


def _is_finite(weights: LaneWeights, index: int) -> bool:
    sums = [tensor[index].detach().sum() for tensor in weights.master.values()]
    return bool(torch.isfinite(torch.stack(sums)).all())


def score_sequences(
    config: TrainConfig, weights: dict[str, torch.Tensor], rows: Sequence[Ints], longest: int
) -> list[NDArray[np.float64]]:
    """Score sequences without training; `rows` and scores are (items, choices) for each lane."""
    lengths = config.sequences.lengths.cpu().numpy()
    max_items = max(len(lane_rows) for lane_rows in rows)
    n_choices = rows[0].shape[1]
    scores = [np.zeros(lane_rows.shape) for lane_rows in rows]
    with torch.no_grad(), run_eager():
        for start in range(0, max_items, config.batch_size):
            batch = np.full(
                (len(rows), min(config.batch_size, max_items - start) * n_choices),
                config.sequences.empty_index,
            )
            for lane, lane_rows in enumerate(rows):
                flat_rows = lane_rows[start : start + config.batch_size].flatten()
                batch[lane, : len(flat_rows)] = flat_rows
            width = max(1, int(lengths[batch].sum(axis=1).max()))
            batch_scores = config.net.scores(
                weights, config.sequences, torch.from_numpy(batch).to(config.device), width,
                longest, False,
            )  # fmt: skip
            for lane, row in enumerate(batch_scores.double().cpu().numpy()):
                target = scores[lane][start : start + config.batch_size]
                target[:] = row.reshape(-1, n_choices)[: len(target)]
    return scores
