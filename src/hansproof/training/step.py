"""One training step of several runs at once.

Its tensors stay in place, so that on a GPU the step can be captured once and replayed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from ..types import Item, Items
from . import adam
from .adam import LaneWeights
from .packing import Sequences
from .recipes import Recipe, lr_factor

Ints = NDArray[np.int64]
NEGATIVE = -2  # the answer code of an item whose single choice is wrong
UNCORRECTED_STEP = 1e9  # so late that Adam's bias correction has no effect


class Network(Protocol):
    """A network as a function of its weights, each (lanes, ...)."""

    max_lanes: int
    captures: bool  # whether a step can be captured on a GPU: its shapes do not depend on data
    likelihood: bool  # whether scores are log-likelihoods of answers

    def start(self, seed: int) -> dict[str, torch.Tensor]:
        """Return the initial weights of a run."""

    def scores(
        self, weights: dict[str, torch.Tensor], sequences: Sequences, rows: torch.Tensor,
        width: int, longest: int, training: bool,
    ) -> torch.Tensor:  # fmt: skip
        """Score the sequences with these numbers, (lanes, sequences)."""

    def decays(self, name: str) -> bool:
        """Return whether weight decay is usual for a weight."""

    def activations(self, width: int, count: int, longest: int) -> int:
        """Estimate how many bytes a lane takes besides its weights."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedQuestions:
    """Items with the numbers of their sequences, (items, most choices), padded with empty ones."""

    items: Items
    rows: Ints

    def answer_codes(self) -> Ints:
        """Return the index of each answer; `NEGATIVE` for a wrong single choice, -1 if unknown."""
        return np.array([_encode_answer(item) for item in self.items], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """A run that is trained together with others."""

    train: EncodedQuestions
    select: EncodedQuestions
    seed: int
    rate: float


@dataclass(frozen=True, slots=True, eq=False)
class TrainConfig:
    """The settings that all lanes share."""

    net: Network
    sequences: Sequences
    recipe: Recipe
    batch_size: int
    epochs: int
    device: torch.device
    dtype: torch.dtype  # of the computation
    deterministic: bool = False  # the same numbers every time, on the same machine


@dataclass(frozen=True, slots=True)
class BatchShape:
    """A shape that every part of every batch fits in."""

    choices: int  # maximum of an item
    count: int  # sequences
    width: int  # tokens of one part of a batch
    longest: int  # tokens of one sequence

    @classmethod
    def from_lanes(cls, config: TrainConfig, lanes: Sequence[Lane], n_parts: int = 1) -> BatchShape:
        """Return the shape for lanes whose batches are computed in `n_parts` parts."""
        lengths = config.sequences.lengths.cpu().numpy()
        choices = max(q.rows.shape[1] for lane in lanes for q in (lane.train, lane.select))
        width = longest = 1
        part_size = -(-config.batch_size // n_parts)
        starts = range(0, config.batch_size, part_size)
        for lane in lanes:
            row_lengths = lengths[lane.train.rows]
            item_lengths = row_lengths.sum(axis=1)
            for epoch in range(config.epochs):
                batches = epoch_batches(config, lane, epoch)
                widths = [
                    item_lengths[batch[start : start + part_size]].sum()
                    for batch in batches
                    for start in starts
                ]
                width = max([width, *map(int, widths)])
            for questions in (lane.train, lane.select):
                longest = max(longest, int(lengths[questions.rows].max(initial=1)))
        # round numbers suit the matrix units
        return cls(choices, choices * config.batch_size, -(-width // 64) * 64, -(-longest // 8) * 8)


def epoch_batches(config: TrainConfig, lane: Lane, epoch: int) -> list[Ints]:
    """Return the batches of an epoch as positions of training items."""
    shuffled = np.random.default_rng([lane.seed, epoch]).permutation(len(lane.train.items))
    batches = [
        shuffled[start : start + config.batch_size]
        for start in range(0, len(shuffled), config.batch_size)
    ]
    is_incomplete = len(batches) > 1 and len(batches[-1]) < config.batch_size
    return batches[:-1] if is_incomplete and config.recipe.leftover == "drop" else batches


class TrainStep:
    """An update of all lanes, over tensors that stay in place, so that it can be captured."""

    def __init__(
        self,
        config: TrainConfig,
        batch_shape: BatchShape,
        weights: LaneWeights,
        lanes: Sequence[Lane],
        n_parts: int,
    ) -> None:
        self.config, self.batch_shape = config, batch_shape
        self.weights, self.n_parts = weights, n_parts
        self.lanes, self.lane_answers = lanes, [lane.train.answer_codes() for lane in lanes]
        padded_size = -(-config.batch_size // n_parts) * n_parts  # so that all parts have one size
        self.tensor_shape = (len(lanes), padded_size, batch_shape.choices)
        self.rows = torch.full(
            self.tensor_shape, config.sequences.empty_index, device=config.device
        )
        self.answers = torch.full(self.tensor_shape[:2], -1, device=config.device)
        self.lane_state = torch.zeros((len(lanes), 4), dtype=torch.float64, device=config.device)
        self.losses = torch.zeros(len(lanes), device=config.device)

    def load_batch(
        self, batches: Sequence[Ints], n_updates: Sequence[int], total_updates: Sequence[int]
    ) -> None:
        """Set the items of each lane for the next step, and its updates so far and in total."""
        rows = np.full(self.tensor_shape, self.config.sequences.empty_index)
        answers = np.full(self.tensor_shape[:2], -1)
        lane_state = np.zeros((len(self.lanes), 4))
        recipe = self.config.recipe
        for index, (lane, indices) in enumerate(zip(self.lanes, batches, strict=True)):
            lane_rows = lane.train.rows[indices]
            rows[index, : len(indices), : lane_rows.shape[1]] = lane_rows
            answers[index, : len(indices)] = self.lane_answers[index][indices]
            rate = lane.rate * lr_factor(recipe, n_updates[index], total_updates[index])
            step_number = n_updates[index] + 1 if recipe.correct else UNCORRECTED_STEP
            lane_state[index] = (len(indices) > 0, rate, recipe.decay, step_number)
        tensors = (self.rows, self.answers, self.lane_state)
        for tensor, array in zip(tensors, (rows, answers, lane_state), strict=True):
            tensor.copy_(torch.from_numpy(array), non_blocking=True)

    def run(self) -> None:
        """Add up the gradients of all parts, then update the weights."""
        compute = self.weights.compute
        grads: list[torch.Tensor] = []
        self.losses.zero_()
        for part in range(self.n_parts):
            loss = self._part_loss(part)
            part_grads = torch.autograd.grad(loss.sum(), list(compute.values()), allow_unused=True)
            pairs = zip(part_grads, compute.values(), strict=True)
            filled_grads = [torch.zeros_like(w) if g is None else g for g, w in pairs]
            sums = [a + b for a, b in zip(grads, filled_grads, strict=True)] if grads else None
            grads = sums or filled_grads
            self.losses += loss.detach()
        grads_by_name = dict(zip(compute, grads, strict=True))
        decays = (lambda name: True) if self.config.recipe.decay_all else self.config.net.decays
        adam.update_weights(
            self.weights, grads_by_name, self.lane_state, self.config.recipe.clip, decays
        )

    def _part_loss(self, part: int) -> torch.Tensor:
        """Return what one part adds to each lane's mean loss over the batch."""
        lanes, padded_size, _ = self.tensor_shape
        part_size = padded_size // self.n_parts
        rows = self.rows[:, part * part_size : (part + 1) * part_size]
        answers = self.answers[:, part * part_size : (part + 1) * part_size]
        lengths = self.config.sequences.lengths
        width = self.batch_shape.width
        if not rows.is_cuda:  # nothing is captured, so the width may vary: no wider than needed
            width = int(lengths[rows].sum(dim=(1, 2)).max())
        scores = self.config.net.scores(
            self.weights.compute, self.config.sequences, rows.reshape(lanes, -1), max(1, width),
            self.batch_shape.longest, True,
        )  # fmt: skip
        mask = rows != self.config.sequences.empty_index
        losses = _item_losses(
            scores.view(rows.shape).float(), mask, answers, self.config.net.likelihood
        )
        return losses.sum(dim=1) / (self.answers != -1).sum(dim=1).clamp(min=1)


def _encode_answer(item: Item) -> int:
    if len(item.choices) == 1:
        return 0 if item.answer == 0 else NEGATIVE
    return -1 if item.answer is None else int(item.answer)


def _item_losses(
    scores: torch.Tensor, mask: torch.Tensor, answers: torch.Tensor, likelihood: bool
) -> torch.Tensor:
    """Return the cross entropy of each item: over its choices, or binary for a single choice."""
    masked = scores.masked_fill(~mask & mask.any(2, keepdim=True), -math.inf)
    log_probs = masked if likelihood else torch.log_softmax(masked, dim=2)
    choice_losses = -log_probs.gather(2, answers.clamp(min=0)[:, :, None])[:, :, 0]
    first_scores = scores[:, :, 0]
    binary_losses = torch.nn.functional.softplus(
        torch.where(answers == NEGATIVE, first_scores, -first_scores)
    )
    losses = torch.where(mask.sum(2) == 1, binary_losses, choice_losses)
    return losses.where(answers != -1, 0.0)


def capture_step(step: TrainStep) -> Callable[[], None]:
    """Capture a step as one launch. It runs before with no lane live, which changes nothing."""
    side_stream = torch.cuda.Stream()
    side_stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side_stream):
        for _ in range(3):
            step.run()
    torch.cuda.current_stream().wait_stream(side_stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step.run()
    replay: Callable[[], None] = graph.replay
    return replay
