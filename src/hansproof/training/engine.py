"""Fine-tunes networks, as many runs at once as the device has room for.

Runs of one network that are trained together are its lanes: the same step for all of them, each
with its own weights, items, order, rate and seed. On a GPU a step is captured once and replayed;
where memory does not suffice, fewer lanes are tried, then smaller parts of a batch, and nothing
that is finished is lost. On a CPU there is one lane; runs go side by side as processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ..errors import ModelError
from .adam import Weights
from .fusing import plain
from .select import right
from .step import Ints, Lane, Size, Step, Work, captured, order
from .task import Watch

MOST = 32  # lanes; more gain nothing
ROOM = 0.85  # of the free memory
COMPILING = 15.0  # seconds
SAVED = 8e-12  # seconds that a compiled step saves for a byte of activations, as seen on an H200
NONE = np.zeros(0, np.int64)  # items of a lane that has none left in an epoch


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """What came of a lane; no weights where they never were numbers."""

    weights: dict[str, torch.Tensor] | None
    epoch: int
    accuracy: float | None  # on the select items


def train(
    work: Work, lanes: Sequence[Lane], watch: Watch = lambda done, now: None
) -> Iterator[Trained]:
    """What comes of each lane, in their order."""
    room, parts, done = _room(work, lanes), 1, 0
    while done < len(lanes):
        some = lanes[done : done + room]
        try:
            found = _together(work, some, parts, _share_of(watch, done, len(some), len(lanes)))
        except torch.OutOfMemoryError:
            found = None
        if found is None:  # out of the handler, so that nothing holds on to memory
            _free(work.device)
            if room == 1 and parts >= work.batch:
                raise ModelError(f"{work.device}: has no room for even one item of a batch")
            room, parts = (max(1, room // 2), 1) if room > 1 else (1, parts * 2)
            continue
        done += len(some)
        while found:
            yield found.pop(0)
        _free(work.device)


def _share_of(watch: Watch, done: int, some: int, all: int) -> Watch:
    return lambda share, accuracy: watch((done + share * some) / all, accuracy)


def _free(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.empty_cache()


def _room(work: Work, lanes: Sequence[Lane]) -> int:
    """How many lanes there is room for, by a guess that errs on the cautious side."""
    if work.device.type != "cuda" or work.repeatable or work.net.most == 1:
        return 1
    most = min(len(lanes), work.net.most, MOST)
    free, _ = torch.cuda.mem_get_info(work.device)
    numbers = sum(one.numel() for one in work.net.start(0).values())
    size = Size.of(work, lanes[:most])
    # single precision: weights, two of Adam, the best; half: weights, gradients
    each = numbers * (4 * 4 + 2 * 2) + work.net.activations(size.width, size.count, size.longest)
    return max(1, min(most, int(free * ROOM / each)))


def _together(work: Work, lanes: Sequence[Lane], parts: int, watch: Watch) -> list[Trained]:
    """Train lanes side by side."""
    size = Size.of(work, lanes, parts)
    weights = Weights.of([work.net.start(lane.seed) for lane in lanes], work.device, work.dtype)
    step = Step(work, size, weights, lanes, parts)
    run = step.run
    if work.device.type == "cuda" and work.net.captures:
        with plain(_short(work, size, lanes)):
            run = captured(step)
    torch.manual_seed(_seed(lanes))
    best = [Trained(None, 0, None) for _ in lanes]
    alive = [True] * len(lanes)
    taken = [0] * len(lanes)  # updates so far
    for epoch in range(work.epochs):
        orders = [order(work, lane, epoch) for lane in lanes]
        steps = [len(some) * work.epochs for some in orders]
        for at in range(max(map(len, orders))):
            now = [some[at] if at < len(some) else NONE for some in orders]
            step.tell(now, taken, steps)
            run()
            taken = [t + (at < len(some)) for t, some in zip(taken, orders, strict=True)]
        _judge(work, lanes, weights, size, epoch + 1, best, alive)
        known = [one.accuracy for one in best if one.accuracy is not None]
        watch((epoch + 1) / work.epochs, sum(known) / len(known) if known else None)
    return best


def _short(work: Work, size: Size, lanes: Sequence[Lane]) -> bool:
    """Whether it takes longer to compile a step than to go without."""
    updates = sum(len(order(work, lane, 0)) for lane in lanes) * work.epochs
    moved = work.net.activations(size.width, size.count, size.longest)
    return updates * moved * SAVED < COMPILING


def _seed(lanes: Sequence[Lane]) -> int:
    return int(np.random.default_rng([lane.seed for lane in lanes]).integers(2**62))


def _judge(
    work: Work, lanes: Sequence[Lane], weights: Weights, size: Size, epoch: int,
    best: list[Trained], alive: list[bool],
) -> None:  # fmt: skip
    """Keep what is best so far: of equals the first, or the last where nothing is to be judged."""
    every = work.recipe.selection == "best" and any(lane.select.items for lane in lanes)
    if not every and epoch < work.epochs:
        return
    # where nothing is to be judged: whether it scores at all
    asked = [one.select.rows if one.select.items else one.learn.rows[: work.batch] for one in lanes]
    scores = scored(work, weights.used, asked, size.longest)
    for at, lane in enumerate(lanes):
        alive[at] = alive[at] and _finite(weights, at) and bool(np.isfinite(scores[at]).all())
        if not alive[at]:
            continue  # a run that broke down is not mended: what was best before stays
        accuracy = None
        if lane.select.items:
            rows = [
                tuple(map(float, row[: len(item.choices)]))
                for row, item in zip(scores[at], lane.select.items, strict=True)
            ]
            accuracy = right(rows, lane.select.items)
        before = best[at].accuracy
        if accuracy is None or before is None or accuracy > before or not every:
            best[at] = Trained(weights.lane(at), epoch, accuracy)


def _finite(weights: Weights, at: int) -> bool:
    sums = [one[at].detach().sum() for one in weights.master.values()]
    return bool(torch.isfinite(torch.stack(sums)).all())


def scored(
    work: Work, weights: dict[str, torch.Tensor], rows: Sequence[Ints], longest: int
) -> list[NDArray[np.float64]]:
    """The scores of sequences by number, (items, most choices) for each lane; nothing is learnt."""
    lengths = work.sequences.lengths.cpu().numpy()
    most = max(len(one) for one in rows)
    choices = rows[0].shape[1]
    found = [np.zeros(one.shape) for one in rows]
    with torch.no_grad(), plain():
        for at in range(0, most, work.batch):
            some = np.full((len(rows), min(work.batch, most - at) * choices), work.sequences.none)
            for lane, one in enumerate(rows):
                part = one[at : at + work.batch].flatten()
                some[lane, : len(part)] = part
            width = max(1, int(lengths[some].sum(axis=1).max()))
            said = work.net.scores(
                weights, work.sequences, torch.from_numpy(some).to(work.device), width, longest,
                False,
            )  # fmt: skip
            for lane, row in enumerate(said.double().cpu().numpy()):
                into = found[lane][at : at + work.batch]
                into[:] = row.reshape(-1, choices)[: len(into)]
    return found
