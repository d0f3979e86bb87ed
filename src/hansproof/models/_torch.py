"""Trains small networks over word vectors, keeps the best epoch, and scores with exact ties."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import vectors
from ..errors import BadInput
from ..text import tokenizer
from ..training.repeatable import repeatable
from ..training.select import right
from ..types import Items
from . import _coded, _device, _net
from ._coded import Coded, Ints
from ._net import Shape

if TYPE_CHECKING:
    import torch

_FASTEST = 1e30  # what single precision has room for, with some to spare


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a network is trained."""

    vectors: str
    tokenizer: str
    rates: tuple[float, ...]
    epochs: int
    batch: int
    dropout: float
    device: str
    factor: float = 0.1  # of the rate, where accuracy has not grown for `patience` epochs
    patience: int = 10

    def check(self, model: str) -> None:
        """Refuse what nothing can be trained with."""
        if not self.rates or not all(0 < rate <= _FASTEST for rate in self.rates):
            raise BadInput(f"{model}:rates", "must be at least one, each above 0")
        if self.epochs < 1 or self.batch < 1:
            raise BadInput(f"{model}:epochs, {model}:batch", "must be at least 1")
        if not 0 <= self.dropout < 1:
            raise BadInput(f"{model}:dropout", f"is {self.dropout}, must be in [0, 1)")


def recipe(model: Any) -> Recipe:
    """The recipe that a model's fields make."""
    return Recipe(
        model.vectors, model.tokenizer, model.rates, model.epochs, model.batch, model.dropout,
        model.device,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Words:
    """The words that were trained on by their row; others have the vector they begin with."""

    recipe: Recipe
    seed: int
    ids: dict[str, int]

    def code(self, items: Items, shape: Shape) -> tuple[Coded, NDArray[np.float32]]:
        """Items in numbers, and the vectors of the words that are new."""
        split = tokenizer(self.recipe.tokenizer).split
        new = [w for w in _coded.used(items, shape.contexts, split) if w not in self.ids]
        ids = self.ids | {word: at for at, word in enumerate(new, start=len(self.ids) + 1)}
        rows = vectors.rows(self.recipe.vectors, new, self.seed)
        return _coded.code(items, shape.contexts, split, ids), rows


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A trained network; one that never was finite says nothing."""

    net: Any
    shape: Shape
    words: Words
    tokenizer: str
    device: str
    chosen: dict[str, float | int | bool] = field(default_factory=dict)

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """One score per choice."""
        if self.net is None or not items:
            return [(0.0,) * len(item.choices) for item in items]
        return _net.scores(self.net, self.shape, *self.words.code(items, self.shape))


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """The best epoch of a training run so far."""

    rate: float
    net: Any = None
    epoch: int = 0
    accuracy: float = -1.0


def fit(items: Items, select: Items, seed: int, recipe: Recipe, shape: Shape) -> Fitted:
    """Train with each rate, keep the epoch that does best on `select`; of equals the first.

    Without items to select by, it is the first rate and the last epoch.
    """
    device = _device.find(recipe.device)
    words = _words(items, seed, recipe, shape)
    rates = recipe.rates if select else recipe.rates[:1]
    with repeatable(device.type == "cuda"):
        runs = [_run(rate, items, select, words, shape, device) for rate in rates]
    best = max(runs, key=lambda run: run.accuracy)
    chosen = {"rate": best.rate, "epoch": best.epoch}
    chosen |= {"nan": True} if best.net is None else {}
    name = tokenizer(recipe.tokenizer).name
    return Fitted(best.net, shape, words, name, _device.describe(device), chosen)


def _words(items: Items, seed: int, recipe: Recipe, shape: Shape) -> Words:
    used = _coded.used(items, shape.contexts, tokenizer(recipe.tokenizer).split)
    if used and not vectors.look_up(recipe.vectors, used)[1]:
        raise BadInput(recipe.vectors, f"has a vector for none of the {len(used)} words")
    return Words(recipe, seed, {word: at for at, word in enumerate(used, start=1)})


def _run(
    rate: float, items: Items, select: Items, words: Words, shape: Shape, device: torch.device
) -> _Run:
    """Train with one rate."""
    import torch

    recipe = words.recipe
    coded, _ = words.code(items, shape)
    judged = words.code(select, shape)
    rows = vectors.rows(recipe.vectors, list(words.ids), words.seed)
    net = _net.new(rows, shape, words.seed).to(device)
    adam = torch.optim.Adam(net.parameters(), lr=rate)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(
        adam, mode="max", factor=recipe.factor, patience=recipe.patience
    )
    order = np.random.default_rng(words.seed)
    best = _Run(rate)
    for epoch in range(1, recipe.epochs + 1):
        _epoch(net, adam, shape, coded, order.permutation(len(items)), recipe)
        if not all(bool(torch.isfinite(weights).all()) for weights in net.parameters()):
            break  # a run that broke down is not mended: what was best before stays
        exact = copy.deepcopy(net).double()
        accuracy = right(_net.scores(exact, shape, *judged), select) if select else epoch
        if accuracy > best.accuracy:
            best = _Run(rate, exact, epoch, accuracy)
        if select:
            plateau.step(accuracy)
    return best


def _epoch(
    net: torch.nn.ModuleDict,
    adam: torch.optim.Adam,
    shape: Shape,
    coded: Coded,
    order: Ints,
    recipe: Recipe,
) -> None:
    for at in range(0, len(order), recipe.batch):
        rows = order[at : at + recipe.batch]
        adam.zero_grad()
        _net.loss(_net.logits(net, shape, coded, rows, recipe.dropout), coded, rows).backward()
        adam.step()
