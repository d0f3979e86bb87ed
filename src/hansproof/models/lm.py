"""How likely a causal language model holds each choice to be after the question.

Nothing is learnt. `sum`, `token` and `byte` are the log-likelihood of the choice as the prompt's
continuation: as it is, by token, by byte of the choice. `pmi` is what the question adds to it, the
log-likelihood less that after a prompt without the question; under a view without fields the two
are the same, and all choices tie by construction. `letters` lists the choices in the prompt and
scores their letters, so here the position of a choice counts; an item of one choice (`/alone`) has
no letter to compare with, and is asked about: the log-likelihood of yes less that of no.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..errors import BadInput
from ..types import Item, Items
from . import _checkpoint, _prompts
from ._likelihood import Likelihood, reader
from ._prompts import Pair

Pairs = tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Lm:
    """Any causal language model, as it comes.

    An empty choice is certain: its log-likelihood is 0. Where a prompt is longer than the model
    has places, its beginning is cut off, and a warning says how often.
    """

    source: str = ""  # a transformers folder or hub id, with safetensors
    score_by: Literal["sum", "token", "byte", "pmi", "letters"] = "sum"  # what makes a score
    batch: int = 16  # texts read at a time
    device: str = "auto"  # cpu, cuda, or cuda where there is one

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise BadInput("lm:batch", f"is {self.batch}, must be at least 1")

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """One score per choice."""
        if not items:
            return []
        pairs, score = _WAYS[self.score_by]
        asked = [pairs(item) for item in items]
        every = (pair for row in asked for one in row for pair in one)
        found = reader(self.source, self.device).likelihoods(every, self.batch)
        self._warn(sum(one.cut for one in found.values()), len(found))
        return [
            tuple(
                score(choice, [found[pair] for pair in one])
                for choice, one in zip(item.choices, row, strict=True)
            )
            for item, row in zip(items, asked, strict=True)
        ]

    def _warn(self, cut: int, of: int) -> None:
        if cut:
            what = f"{cut} of {of} texts were too long, and lost the beginning of their prompt"
            warnings.warn(f"{self.source}: {what}", stacklevel=3)

    def materials(self) -> dict[str, str]:
        """The fingerprint of the model."""
        return {"fingerprint": _checkpoint.fingerprint(self.source)}

    @property
    def tokenizer(self) -> str:
        return "of the model"


def _continued(item: Item) -> list[Pairs]:
    return [(_prompts.continuation(item, choice).pair,) for choice in item.choices]


def _against_neutral(item: Item) -> list[Pairs]:
    prompts = [_prompts.continuation(item, choice) for choice in item.choices]
    return [(prompt.pair, prompt.neutral) for prompt in prompts]


def _lettered(item: Item) -> list[Pairs]:
    if len(item.choices) == 1:
        return [_prompts.yes_and_no(item, item.choices[0])]
    return [(pair,) for pair in _prompts.letters(item)]


def _difference(choice: str, found: list[Likelihood]) -> float:
    """The first, less the second where there is one."""
    return found[0].log - sum(other.log for other in found[1:])


def _by_token(choice: str, found: list[Likelihood]) -> float:
    return found[0].log / max(found[0].tokens, 1)


def _by_byte(choice: str, found: list[Likelihood]) -> float:
    return found[0].log / max(len(choice.strip().encode("utf-8", "replace")), 1)


# by name: what is read for each choice, and what that makes
_WAYS: dict[str, tuple[Callable[[Item], list[Pairs]], Callable[[str, list[Likelihood]], float]]] = {
    "sum": (_continued, _difference),
    "token": (_continued, _by_token),
    "byte": (_continued, _by_byte),
    "pmi": (_against_neutral, _difference),
    "letters": (_lettered, _difference),
}
