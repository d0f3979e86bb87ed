"""Recipes for fine-tuning pretrained models: our own, and those of the papers.

    >>> get_recipe("kavumba-bert").rates
    (0.0002, 0.0001, 8e-05, 4e-05, 2e-05, 1e-05)

What a paper leaves open is marked [open]. Mistakes are not repeated: the rates of Branco et al.
belong to a schedule that never left its warm-up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ..errors import BadInput, UnknownName

Schedule = Literal["constant", "linear", "cosine"]
Pooling = Literal["auto", "first", "pooler", "mean", "last"]
Inputs = Literal["pair", "joined", "ranking"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A published or usual way to fine-tune, always with Adam and decoupled weight decay."""

    rates: tuple[float, ...] = (2e-5,)  # of several, the best on the select items is used
    batches: tuple[int, ...] = (32,)  # items per update; several are tried after the rate
    accumulation: int = 1  # steps per update in the papers; one here, if the batch fits
    epochs: int = 10
    trial_epochs: int = 0  # 0: a trial is a full run, and the best one is used
    schedule: Schedule = "constant"  # of the rate after the warm-up
    warmup: float = 0.0  # share of the updates in which the rate grows from 0
    decay: float = 0.01  # of weights
    decay_all: bool = False  # including biases and norms
    correct: bool = True  # Adam's bias correction; BertAdam has none
    clip: float = 0.0  # largest norm of the gradient; 0: unlimited
    leftover: Literal["keep", "drop"] = "keep"  # the last, incomplete batch of an epoch
    length: int = 0  # maximum tokens of a sequence; 0: the model's limit, at most 512
    pooling: Pooling = "auto"  # which token states are scored; auto: see `models/hf`
    inputs: Inputs = "pair"  # two segments; one, joined by a space; one, with a separator
    head_dropout: float = -1.0  # before the last layer; -1: the model's own rate
    selection: Literal["best", "last"] = "best"  # which epoch is used
    seeds: tuple[int, ...] = (0, 1, 2)  # of the paper, or as many as it used

    def check_values(self, owner: str) -> None:
        """Raise BadInput for values that nothing can be trained with; `owner` names the model."""
        if not self.rates or not all(0 < rate < 1e30 for rate in self.rates):
            raise BadInput(f"{owner}:rates", "needs at least one rate, each above 0")
        if not self.batches or min(self.batches) < 1 or self.epochs < 1:
            raise BadInput(f"{owner}:batches, {owner}:epochs", "must be at least 1")
        for name in ("length", "clip", "decay", "warmup"):
            if getattr(self, name) < 0:
                raise BadInput(f"{owner}:{name}", "must not be below 0")
        for name in ("warmup", "head_dropout"):
            if not getattr(self, name) < 1:
                raise BadInput(f"{owner}:{name}", "must be below 1")


_KAVUMBA = Recipe(
    accumulation=8,
    schedule="linear",  # [open] the papers only mention a warm-up
    clip=1.0,
    leftover="drop",  # 450 items are 14 updates
    length=32,
    pooling="first",
    head_dropout=0.0,
)

_BRANCO = Recipe(
    # with the schedule as intended, so the rates are ours: theirs are 100 times as large.
    # Their lengths depend on the task, from 80 to 115 tokens (T5: 218): ours is enough for all
    rates=(1e-5, 2e-5, 3e-5), batches=(4, 8, 16, 32), epochs=30, trial_epochs=10,
    schedule="linear", warmup=0.06, decay=0.1, decay_all=True, length=128,
    pooling="pooler", inputs="ranking", seeds=(42, 1128, 1143, 1385, 1415),
)  # fmt: skip

RECIPES = {
    "default": Recipe(),
    "kavumba-bert": replace(
        _KAVUMBA, rates=(2e-4, 1e-4, 8e-5, 4e-5, 2e-5, 1e-5), warmup=0.1, inputs="pair"
    ),
    "kavumba-roberta": replace(
        _KAVUMBA, rates=(1e-5, 8e-6, 6e-6, 4e-6, 2e-6, 1e-6), warmup=0.06, clip=0.0, inputs="joined"
    ),
    "kavumba-albert": replace(
        # [open] the rates are not given: these are RoBERTa's; the batch is 16 × 3
        _KAVUMBA, rates=(1e-5, 8e-6, 6e-6, 4e-6, 2e-6, 1e-6), batches=(48,), accumulation=3,
        schedule="constant", decay=0.0, clip=0.0, inputs="joined",
    ),
    "niven-bert": Recipe(
        # theirs clips the gradient of each weight separately; ours clips all together
        batches=(8,), accumulation=8, epochs=20, schedule="linear", warmup=0.1, correct=False,
        clip=1.0, length=80, pooling="pooler", seeds=tuple(range(20)),
    ),
    "branco": _BRANCO,
    "branco-gpt2": replace(_BRANCO, schedule="cosine"),
    "branco-t5": replace(_BRANCO, schedule="constant", warmup=0.0, decay=0.0, length=256),
}  # fmt: skip


def get_recipe(name: str) -> Recipe:
    """Return the recipe with a name; `_` and `-` are the same."""
    normalised_name = name.replace("_", "-")
    if normalised_name not in RECIPES:
        raise UnknownName("recipe", name, RECIPES)
    return RECIPES[normalised_name]


def lr_factor(recipe: Recipe, step: int, steps: int) -> float:
    """Return the factor of the learning rate at update `step` of `steps`."""
    from math import cos, pi

    warmup_steps = recipe.warmup * steps
    if step < warmup_steps:
        return step / max(1.0, warmup_steps)
    remaining = (steps - step) / max(1.0, steps - warmup_steps)
    factors = {"constant": 1.0, "linear": remaining, "cosine": (1 - cos(pi * remaining)) / 2}
    return factors[recipe.schedule]
