"""Fine-tuning of one checkpoint for many tasks: trials, and which of them is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from ..errors import BadInput
from ..training.engine import Trained, train
from ..training.packing import Sequences
from ..training.recipes import Recipe
from ..training.repeatable import repeatable
from ..training.step import Ints, Lane, Questions, Work
from ..training.task import Task, Watch
from . import _checkpoint, _device
from ._families import Opened, Way, opened
from ._families.coder import Tokens
from ._fitted import Fitted

if TYPE_CHECKING:
    from .hf import Hf


def tuned(model: Hf, tasks: Sequence[Task], watch: Watch) -> Iterator[Fitted]:
    """Fitted models in the order of the tasks."""
    recipe, place = model.settled(), _device.find(model.device)
    way = Way(recipe.pooling, recipe.inputs, recipe.length, recipe.head_dropout, model.task)
    open = opened(model.source, _checkpoint.fingerprint(model.source), way)
    if model.pooling not in ("", "auto", open.pooling):
        what = f"is {model.pooling}, but this network knows all at the end: take last"
        raise BadInput("hf:pooling", what)
    dtype = precision(model.precision, place)
    with repeatable(model.deterministic and place.type == "cuda"):
        job = _Job.of(open, tasks, recipe, place, dtype, model.deterministic)
        for at, kept in enumerate(job.run(watch)):
            weights = kept.best.weights and job.restored(kept.best.weights)
            chosen = {"rate": kept.rate, "batch": kept.batch, "epoch": kept.best.epoch,
                      "pooling": open.pooling, "precision": str(dtype).removeprefix("torch."),
                      **({} if weights else {"nan": True})}  # fmt: skip
            read = {t for items in (tasks[at].items, tasks[at].select) for item in items
                    for t in open.coder.texts(item)}  # fmt: skip
            yield Fitted(open, weights, place, chosen, tuple(kept.trials), read)


def precision(name: str, place: torch.device) -> torch.dtype:
    """What products are worked out in: in half precision where the chip gains by it."""
    if name == "auto":
        name = "bf16" if place.type == "cuda" or _half_is_faster() else "fp32"
    return torch.bfloat16 if name == "bf16" else torch.float32


def _half_is_faster() -> bool:
    """Whether a CPU has instructions for products in half precision."""
    asked = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")  # names of PyTorch's own
    return any(getattr(torch.cpu, name, lambda: False)() for name in asked)


@dataclass(slots=True, eq=False)
class _Kept:
    """What a task has come to."""

    best: Trained
    rate: float
    batch: int
    trials: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """All tasks over one table of sequences."""

    make: Callable[[int, int], Work]  # by size of a batch and number of epochs
    recipe: Recipe
    learn: list[Questions]
    select: list[Questions]
    seeds: list[int]
    restored: Callable[[dict[str, torch.Tensor]], dict[str, torch.Tensor]]

    @classmethod
    def of(cls, open: Opened, tasks: Sequence[Task], recipe: Recipe, place: torch.device,
           dtype: torch.dtype, repeatable: bool) -> _Job:  # fmt: skip
        coded = [[open.coder.code(items) for items in (t.items, t.select)] for t in tasks]
        each = [{one for some in both for item in some for one in item} for both in coded]
        number = {one: at for at, one in enumerate(sorted(set().union(*each)))}
        net, tokens, restored = open.family.trimmed([list(ids) for ids, _ in number])
        table = Sequences.of(tokens, [list(kinds) for _, kinds in number], place)
        most = max((len(i) for both in coded for some in both for i in some), default=1)
        rows = [[_rows(some, number, most) for some in both] for both in coded]
        return cls(
            lambda batch, epochs: Work(net, table, recipe, batch, epochs, place, dtype, repeatable),
            recipe,
            [Questions(t.items, own[0]) for t, own in zip(tasks, rows, strict=True)],
            [Questions(t.select, own[1]) for t, own in zip(tasks, rows, strict=True)],
            [t.seed for t in tasks],
            restored,
        )

    def run(self, watch: Watch) -> Iterator[_Kept]:
        """What is kept of each task."""
        recipe = self.recipe
        judged = all(questions.items for questions in self.select)
        rates = recipe.rates if judged else recipe.rates[:1]
        if not judged or (len(recipe.batches) == 1 and not recipe.trial_epochs):
            return self._by_rate(rates, recipe.batches[0], recipe.epochs, watch)
        return self._by_stages(rates, watch)

    def _by_rate(
        self, rates: Sequence[float], batch: int, epochs: int, watch: Watch
    ) -> Iterator[_Kept]:
        """Runs with every rate; the best is kept, of equals the first."""
        lanes = [self._lane(at, rate) for at in range(len(self.seeds)) for rate in rates]
        found = train(self.make(batch, epochs), lanes, watch)
        for _ in self.seeds:
            tried = [(next(found), rate) for rate in rates]
            best, rate = max(tried, key=lambda pair: _worth(pair[0]))
            yield _Kept(best, rate, batch, [_line(one, r, batch) for one, r in tried])

    def _by_stages(self, rates: Sequence[float], watch: Watch) -> Iterator[_Kept]:
        """The best rate by short trials, with it the best size of a batch, then the run itself."""
        recipe = self.recipe
        epochs = recipe.trial_epochs or recipe.epochs
        first, *others = recipe.batches
        parts = [_part_of(watch, at, len(others) + 2) for at in range(len(others) + 2)]
        kept = [_without(one) for one in self._by_rate(rates, first, epochs, parts[0])]
        for batch, part in zip(others, parts[1:], strict=False):
            lanes = [self._lane(at, one.rate) for at, one in enumerate(kept)]
            for one, found in zip(kept, train(self.make(batch, epochs), lanes, part), strict=True):
                one.trials.append(_line(found, one.rate, batch))
                if _worth(found) > _worth(one.best):
                    one.best, one.batch = _without_weights(found), batch
        yield from self._runs(kept, parts[-1])

    def _runs(self, kept: Sequence[_Kept], watch: Watch) -> Iterator[_Kept]:
        """The runs themselves; those of one size go together, none waits for all of them."""
        done = dict.fromkeys((one.batch for one in kept), 0.0)  # how much of the tasks of each

        def of_size(batch: int) -> Iterator[Trained]:
            lanes = [self._lane(at, k.rate) for at, k in enumerate(kept) if k.batch == batch]

            def told(share: float, now: float | None) -> None:
                done[batch] = share * len(lanes)
                watch(sum(done.values()) / len(kept), now)

            return train(self.make(batch, self.recipe.epochs), lanes, told)

        runs = {batch: of_size(batch) for batch in done}
        for one in kept:
            yield _Kept(next(runs[one.batch]), one.rate, one.batch, one.trials)

    def _lane(self, task: int, rate: float) -> Lane:
        return Lane(self.learn[task], self.select[task], self.seeds[task], rate)


def _part_of(watch: Watch, at: int, parts: int) -> Watch:
    return lambda done, now: watch((at + done) / parts, now)


def _rows(coded: list[list[Tokens]], number: dict[Tokens, int], most: int) -> Ints:
    """Numbers of sequences, (items, most choices); one beyond them where there is no choice."""
    rows = np.full((len(coded), most), len(number), np.int64)
    for at, some in enumerate(coded):
        rows[at, : len(some)] = [number[one] for one in some]
    return rows


def _worth(found: Trained) -> float:
    return -1.0 if found.accuracy is None else found.accuracy


def _without_weights(found: Trained) -> Trained:
    return Trained(None, found.epoch, found.accuracy)


def _without(kept: _Kept) -> _Kept:
    return _Kept(_without_weights(kept.best), kept.rate, kept.batch, kept.trials)


def _line(found: Trained, rate: float, batch: int) -> str:
    """A trial in words."""
    told = "nothing to choose by" if found.weights else "not a number"
    if found.accuracy is not None:
        told = f"{found.accuracy:.3f} on select"
    return f"rate={rate:g} batch={batch}: epoch {found.epoch}, {told}"
