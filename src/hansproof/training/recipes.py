"""How pretrained models are fine-tuned: our own way, and those of the papers.

    >>> named("kavumba-bert").rates
    (0.0002, 0.0001, 8e-05, 4e-05, 2e-05, 1e-05)

What a paper leaves open is marked, and what it got wrong is not repeated: the rates of Branco et
al. belong to a schedule that by mistake never left its warm-up.
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
    """A published or usual way to fine-tune. Adam with decoupled weight decay throughout."""

    rates: tuple[float, ...] = (2e-5,)  # one is taken; of several the best on the select items
    batches: tuple[int, ...] = (32,)  # items an update is made from; several: tried after the rate
    accumulation: int = 1  # how many times the papers went to make a batch; here once, if it fits
    epochs: int = 10
    trial_epochs: int = 0  # of a trial; 0: a trial is a whole run, and the best is kept
    schedule: Schedule = "constant"  # of the rate after the warm-up, by update
    warmup: float = 0.0  # share of the updates in which the rate grows from 0
    decay: float = 0.01  # of weights
    decay_all: bool = False  # also of biases and norms
    correct: bool = True  # Adam's correction for its first steps; BertAdam has none
    clip: float = 0.0  # the largest norm of a gradient; 0: any
    leftover: Literal["keep", "drop"] = "keep"  # items of an epoch that fill no batch
    length: int = 0  # most tokens of a sequence; 0: what the model has room for, at most 512
    pooling: Pooling = "auto"  # what of the tokens is scored; auto: see `models/hf`
    inputs: Inputs = "pair"  # two segments, one with a blank between, or with a separator
    head_dropout: float = -1.0  # before the last layer; -1: as the model has it inside
    selection: Literal["best", "last"] = "best"  # which epoch is kept
    seeds: tuple[int, ...] = (0, 1, 2)  # of the paper, or as many as it had

    def check_values(self, owner: str) -> None:
        """Refuse what nothing can be trained with."""
        if not self.rates or not all(0 < rate < 1e30 for rate in self.rates):
            raise BadInput(f"{owner}:rates", "must be at least one, each above 0")
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
    schedule="linear",  # [open] the papers name a warm-up and no more
    clip=1.0,
    leftover="drop",  # 450 items are 14 updates
    length=32,
    pooling="first",
    head_dropout=0.0,
)

_BRANCO = Recipe(
    # the schedule by update, as it was meant; so the rates are ours: theirs are 100 times these.
    # Their lengths go by task, from 80 to 115 tokens (T5: 218): here there is room for all
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
        # [open] the rates are not given: RoBERTa's are taken; 16 × 3
        _KAVUMBA, rates=(1e-5, 8e-6, 6e-6, 4e-6, 2e-6, 1e-6), batches=(48,), accumulation=3,
        schedule="constant", decay=0.0, clip=0.0, inputs="joined",
    ),
    "niven-bert": Recipe(
        # theirs cut the gradient of every weight by itself; here it is that of all
        batches=(8,), accumulation=8, epochs=20, schedule="linear", warmup=0.1, correct=False,
        clip=1.0, length=80, pooling="pooler", seeds=tuple(range(20)),
    ),
    "branco": _BRANCO,
    "branco-gpt2": replace(_BRANCO, schedule="cosine"),
    "branco-t5": replace(_BRANCO, schedule="constant", warmup=0.0, decay=0.0, length=256),
}  # fmt: skip


def get_recipe(name: str) -> Recipe:
    """The recipe of a name."""
    normalised_name = name.replace("_", "-")
    if normalised_name not in RECIPES:
        raise UnknownName("recipe", name, RECIPES)
    return RECIPES[normalised_name]


def lr_factor(recipe: Recipe, step: int, steps: int) -> float:
    """What the rate is multiplied with at an update of so many."""
    from math import cos, pi

    warmup_steps = recipe.warmup * steps
    if step < warmup_steps:
        return step / max(1.0, warmup_steps)
    remaining = (steps - step) / max(1.0, steps - warmup_steps)
    return {"constant": 1.0, "linear": remaining, "cosine": (1 - cos(pi * remaining)) / 2}[
        recipe.schedule
    ]
