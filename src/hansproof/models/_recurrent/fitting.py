"""Trains small networks over word vectors, keeps the best epoch, and scores with exact ties."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ... import vectors
from ...errors import BadInput
from ...pretrained import devices
from ...text.detect_script import choose_tokenizer
from ...text.tokenizers import get_tokenizer
from ...training.determinism import deterministic_mode
from ...training.selection import selection_accuracy
from ...types import FitInfo, Items
from . import nets, numericalize
from .nets import NetworkSpec
from .numericalize import Ints, NumericItems

if TYPE_CHECKING:
    import torch

_MAX_RATE = 1e30  # within the range of single precision


@dataclass(frozen=True, slots=True)
class NetworkRecipe:
    """How a network is trained."""

    vectors: str
    tokenizer: str
    rates: tuple[float, ...]
    epochs: int
    batch: int
    dropout: float
    device: str
    factor: float = 0.1  # of the rate, after `patience` epochs without progress
    patience: int = 10

    def check_values(self, model: str) -> None:
        """Raise if a setting makes training impossible; `model` names it in the message."""
        if not self.rates or not all(0 < rate <= _MAX_RATE for rate in self.rates):
            raise BadInput(f"{model}:rates", "needs at least one rate, each above 0")
        if self.epochs < 1 or self.batch < 1:
            raise BadInput(f"{model}:epochs, {model}:batch", "must be at least 1")
        if not 0 <= self.dropout < 1:
            raise BadInput(f"{model}:dropout", f"is {self.dropout}, must be in [0, 1)")


def network_recipe(model: Any) -> NetworkRecipe:
    """Return the recipe in a model's fields."""
    return NetworkRecipe(
        model.vectors, model.tokenizer, model.rates, model.epochs, model.batch, model.dropout,
        model.device,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Rows of the words seen in training; other words keep their pretrained vectors."""

    recipe: NetworkRecipe
    seed: int
    ids: dict[str, int]

    def encode_items(
        self, items: Items, spec: NetworkSpec
    ) -> tuple[NumericItems, NDArray[np.float32]]:
        """Return the items as numbers, and the vectors of words not seen in training."""
        split = get_tokenizer(self.recipe.tokenizer).split
        new_words = [
            w
            for w in numericalize.collect_vocabulary(items, spec.contexts, split)
            if w not in self.ids
        ]
        ids = self.ids | {
            word: index for index, word in enumerate(new_words, start=len(self.ids) + 1)
        }
        new_vectors = vectors.matrix_for(self.recipe.vectors, new_words, self.seed)
        return numericalize.encode_items(items, spec.contexts, split, ids), new_vectors


@dataclass(frozen=True, slots=True, eq=False)
class FittedNetwork:
    """A trained network; if training diverged at once, there is none and all choices tie."""

    net: Any
    spec: NetworkSpec
    vocabulary: Vocabulary
    tokenizer: str
    device: str
    chosen: dict[str, float | int | bool] = field(default_factory=dict)

    @property
    def fit_info(self) -> FitInfo:
        return FitInfo(self.chosen, tokenizer=self.tokenizer, device=self.device)

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return one score per choice."""
        if self.net is None or not items:
            return [(0.0,) * len(item.choices) for item in items]
        return nets.score_items(
            self.net, self.spec, *self.vocabulary.encode_items(items, self.spec)
        )


@dataclass(frozen=True, slots=True, eq=False)
class _BestEpoch:
    """The best epoch of a training run so far."""

    rate: float
    net: Any = None
    epoch: int = 0
    accuracy: float = -1.0


def fit_network(
    items: Items, select: Items, seed: int, recipe: NetworkRecipe, spec: NetworkSpec
) -> FittedNetwork:
    """Train with each rate, and keep the epoch with the best accuracy on `select`.

    Of equal epochs, keep the first. Without select items, use the first rate and the last epoch.
    """
    device = devices.find_device(recipe.device)
    recipe = replace(recipe, tokenizer=choose_tokenizer(recipe.tokenizer, items).name)
    vocabulary = _build_vocabulary(items, seed, recipe, spec)
    rates = recipe.rates if select else recipe.rates[:1]
    with deterministic_mode(device.type == "cuda"):
        runs = [_train_with_rate(rate, items, select, vocabulary, spec, device) for rate in rates]
    best = max(runs, key=lambda run: run.accuracy)
    chosen = {"rate": best.rate, "epoch": best.epoch}
    chosen |= {"nan": True} if best.net is None else {}
    described = devices.describe_device(device)
    return FittedNetwork(best.net, spec, vocabulary, recipe.tokenizer, described, chosen)


def _build_vocabulary(
    items: Items, seed: int, recipe: NetworkRecipe, spec: NetworkSpec
) -> Vocabulary:
    words = numericalize.collect_vocabulary(
        items, spec.contexts, get_tokenizer(recipe.tokenizer).split
    )
    if words and not vectors.lookup_vectors(recipe.vectors, words)[1]:
        raise BadInput(recipe.vectors, f"has no vector for any of the {len(words)} words")
    return Vocabulary(recipe, seed, {word: index for index, word in enumerate(words, start=1)})


def _train_with_rate(
    rate: float,
    items: Items,
    select: Items,
    vocabulary: Vocabulary,
    spec: NetworkSpec,
    device: torch.device,
) -> _BestEpoch:
    """Train with one rate, and return the best epoch."""
    import torch

    recipe = vocabulary.recipe
    encoded, _ = vocabulary.encode_items(items, spec)
    encoded_select = vocabulary.encode_items(select, spec)
    word_vectors = vectors.matrix_for(recipe.vectors, list(vocabulary.ids), vocabulary.seed)
    net = nets.build_net(word_vectors, spec, vocabulary.seed).to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=rate)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(
        optimizer, mode="max", factor=recipe.factor, patience=recipe.patience
    )
    rng = np.random.default_rng(vocabulary.seed)
    best = _BestEpoch(rate)
    for epoch in range(1, recipe.epochs + 1):
        _train_epoch(net, optimizer, spec, encoded, rng.permutation(len(items)), recipe)
        if not all(bool(torch.isfinite(weights).all()) for weights in net.parameters()):
            break  # diverged: the best epoch so far stays
        exact = copy.deepcopy(net).double()
        accuracy = (
            selection_accuracy(nets.score_items(exact, spec, *encoded_select), select)
            if select
            else epoch
        )
        if accuracy > best.accuracy:
            best = _BestEpoch(rate, exact, epoch, accuracy)
        if select:
            plateau.step(accuracy)
    return best


def _train_epoch(
    net: torch.nn.ModuleDict,
    optimizer: torch.optim.Adam,
    spec: NetworkSpec,
    encoded: NumericItems,
    order: Ints,
    recipe: NetworkRecipe,
) -> None:
    for start in range(0, len(order), recipe.batch):
        rows = order[start : start + recipe.batch]
        optimizer.zero_grad()
        nets.loss(
            nets.compute_logits(net, spec, encoded, rows, recipe.dropout), encoded, rows
        ).backward()
        optimizer.step()
