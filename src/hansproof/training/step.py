"""One update of several runs at once: what it is about, and what it does.

Its tensors stay where they are, so that on a GPU the whole of it is captured once and replayed.
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
from .adam import Weights
from .packing import Sequences
from .recipes import Recipe, factor

Ints = NDArray[np.int64]
NO = -2  # the answer of a question with one choice, which is wrong
UNCORRECTED = 1e9  # a step so late that Adam corrects nothing


class Net(Protocol):
    """A network as a function of weights, each (lanes, ...)."""

    most: int  # lanes it can have
    captures: bool  # a step on a GPU can be captured: its shapes do not depend on the data
    likelihood: bool  # scores are log-likelihoods of answers; else any number, to be compared

    def start(self, seed: int) -> dict[str, torch.Tensor]:
        """The weights that a run begins with."""

    def scores(
        self, weights: dict[str, torch.Tensor], sequences: Sequences, rows: torch.Tensor,
        width: int, longest: int, training: bool,
    ) -> torch.Tensor:  # fmt: skip
        """A score for each sequence of those numbers, (lanes, sequences)."""

    def decays(self, name: str) -> bool:
        """Whether weight decay is usual for a weight."""

    def activations(self, width: int, count: int, longest: int) -> int:
        """About how many bytes a lane takes beside its weights."""


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """Items by the numbers of their sequences, (items, most choices), none where there is none."""

    items: Items
    rows: Ints

    def answers(self) -> Ints:
        """Right choices, `NO` and -1 for unknown."""
        return np.array([_answer(item) for item in self.items], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """A run to be trained."""

    learn: Questions
    select: Questions
    seed: int
    rate: float


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """What lanes have in common."""

    net: Net
    sequences: Sequences
    recipe: Recipe
    batch: int
    epochs: int
    device: torch.device
    dtype: torch.dtype  # of what is computed with
    repeatable: bool = False  # the same numbers every time, on the same machine


@dataclass(frozen=True, slots=True)
class Size:
    """What all parts of all batches have room in."""

    choices: int  # most of an item
    count: int  # sequences
    width: int  # tokens of a part
    longest: int

    @classmethod
    def of(cls, work: Work, lanes: Sequence[Lane], parts: int = 1) -> Size:
        """Of lanes whose batches go in so many parts, which is what memory is needed for."""
        lengths = work.sequences.lengths.cpu().numpy()
        choices = max(q.rows.shape[1] for lane in lanes for q in (lane.learn, lane.select))
        width = longest = 1
        part = -(-work.batch // parts)
        starts = range(0, work.batch, part)
        for lane in lanes:
            own = lengths[lane.learn.rows]
            each = own.sum(axis=1)
            for epoch in range(work.epochs):
                some = order(work, lane, epoch)
                widths = [each[one[at : at + part]].sum() for one in some for at in starts]
                width = max([width, *map(int, widths)])
            for questions in (lane.learn, lane.select):
                longest = max(longest, int(lengths[questions.rows].max(initial=1)))
        # tidy numbers suit the matrix units
        return cls(choices, choices * work.batch, -(-width // 64) * 64, -(-longest // 8) * 8)


def order(work: Work, lane: Lane, epoch: int) -> list[Ints]:
    """The batches of an epoch."""
    turned = np.random.default_rng([lane.seed, epoch]).permutation(len(lane.learn.items))
    some = [turned[at : at + work.batch] for at in range(0, len(turned), work.batch)]
    drop = work.recipe.leftover == "drop" and len(some) > 1 and len(some[-1]) < work.batch
    return some[:-1] if drop else some


class Step:
    """An update of all lanes, over tensors that stay where they are: a step can be captured."""

    def __init__(
        self, work: Work, size: Size, weights: Weights, lanes: Sequence[Lane], parts: int
    ) -> None:
        self.work, self.size, self.weights, self.parts = work, size, weights, parts
        self.lanes, self.right = lanes, [lane.learn.answers() for lane in lanes]
        whole = -(-work.batch // parts) * parts  # so that all parts are alike
        self.shape = (len(lanes), whole, size.choices)
        self.rows = torch.full(self.shape, work.sequences.none, device=work.device)
        self.answers = torch.full(self.shape[:2], -1, device=work.device)
        self.now = torch.zeros((len(lanes), 4), dtype=torch.float64, device=work.device)
        self.losses = torch.zeros(len(lanes), device=work.device)

    def tell(self, some: Sequence[Ints], taken: Sequence[int], steps: Sequence[int]) -> None:
        """What the next step is about: items of each lane, steps it has taken, and will in all."""
        rows = np.full(self.shape, self.work.sequences.none)
        answers = np.full(self.shape[:2], -1)
        now = np.zeros((len(self.lanes), 4))
        recipe = self.work.recipe
        for at, (lane, chosen) in enumerate(zip(self.lanes, some, strict=True)):
            own = lane.learn.rows[chosen]
            rows[at, : len(chosen), : own.shape[1]] = own
            answers[at, : len(chosen)] = self.right[at][chosen]
            rate = lane.rate * factor(recipe, taken[at], steps[at])
            number = taken[at] + 1 if recipe.correct else UNCORRECTED
            now[at] = (len(chosen) > 0, rate, recipe.decay, number)
        for tensor, array in ((self.rows, rows), (self.answers, answers), (self.now, now)):
            tensor.copy_(torch.from_numpy(array), non_blocking=True)

    def run(self) -> None:
        """Gradients of all parts, then the update."""
        used = self.weights.used
        grads: list[torch.Tensor] = []
        self.losses.zero_()
        for part in range(self.parts):
            loss = self._loss(part)
            new = torch.autograd.grad(loss.sum(), list(used.values()), allow_unused=True)
            pairs = zip(new, used.values(), strict=True)
            own = [torch.zeros_like(w) if g is None else g for g, w in pairs]
            grads = [a + b for a, b in zip(grads, own, strict=True)] if grads else own
            self.losses += loss.detach()
        named = dict(zip(used, grads, strict=True))
        decays = (lambda name: True) if self.work.recipe.decay_all else self.work.net.decays
        adam.update(self.weights, named, self.now, self.work.recipe.clip, decays)

    def _loss(self, part: int) -> torch.Tensor:
        """Of each lane, what this part adds to the mean over the batch."""
        lanes, whole, _ = self.shape
        each = whole // self.parts
        rows = self.rows[:, part * each : (part + 1) * each]
        answers = self.answers[:, part * each : (part + 1) * each]
        lengths = self.work.sequences.lengths
        width = self.size.width
        if not rows.is_cuda:  # nothing is captured: just as wide as it must be
            width = int(lengths[rows].sum(dim=(1, 2)).max())
        given = self.work.net.scores(
            self.weights.used, self.work.sequences, rows.reshape(lanes, -1), max(1, width),
            self.size.longest, True,
        )  # fmt: skip
        there = rows != self.work.sequences.none
        losses = _losses(given.view(rows.shape).float(), there, answers, self.work.net.likelihood)
        return losses.sum(dim=1) / (self.answers != -1).sum(dim=1).clamp(min=1)


def _answer(item: Item) -> int:
    if len(item.choices) == 1:
        return 0 if item.answer == 0 else NO
    return -1 if item.answer is None else int(item.answer)


def _losses(
    scores: torch.Tensor, there: torch.Tensor, answers: torch.Tensor, likelihood: bool
) -> torch.Tensor:
    """Of each item the cross entropy: over its choices, or of yes and no where there is but one."""
    masked = scores.masked_fill(~there & there.any(2, keepdim=True), -math.inf)
    each = masked if likelihood else torch.log_softmax(masked, dim=2)
    of_many = -each.gather(2, answers.clamp(min=0)[:, :, None])[:, :, 0]
    first = scores[:, :, 0]
    of_one = torch.nn.functional.softplus(torch.where(answers == NO, first, -first))
    losses = torch.where(there.sum(2) == 1, of_one, of_many)
    return losses.where(answers != -1, 0.0)


def captured(step: Step) -> Callable[[], None]:
    """The step as one launch. What runs before is told that no lane lives, and changes nothing."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step.run()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step.run()
    replay: Callable[[], None] = graph.replay
    return replay
