"""The maximum of the word vectors in every dimension, and a linear layer (Niven and Kao 2019).

As published, the context cannot change the ranking of the choices (see
`models/_recurrent/nets.py`). Differences: padding does not take part in the maximum, and the
tokenizer `word` splits isn't into `isn` and `t`, theirs into `is` and `not`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..types import Item, Items
from ..vectors import PACKAGE, source_sha256
from ._recurrent.fitting import FittedNetwork, fit_network, network_recipe
from ._recurrent.nets import NetworkSpec


@dataclass(frozen=True, slots=True)
class Bov:
    """All fields are one bag of words, the choice is another; the vectors are trained, too."""

    selects: ClassVar[bool] = True

    vectors: str = PACKAGE  # file of word vectors (text, .gz, .npz), or this package
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    rates: tuple[float, ...] = (0.09,)  # learning rates to choose from
    epochs: int = 3  # number of epochs; the best one on the select items is kept
    batch: int = 32  # batch size, in items
    dropout: float = 0.0  # dropout rate in training
    device: str = "auto"  # cpu, cuda, or auto: cuda if available

    def __post_init__(self) -> None:
        network_recipe(self).check_values("bov")

    def fit(self, items: Items, select: Items, seed: int) -> FittedNetwork:
        """Train on items, and keep the epoch with the best accuracy on `select`."""
        return fit_network(items, select, seed, network_recipe(self), _network_spec(items))

    def materials(self) -> dict[str, str]:
        """Return the fingerprint of the word vectors."""
        return {"vectors_sha256": source_sha256(self.vectors)}


def _network_spec(items: Items) -> NetworkSpec:
    has_fields = any(item.fields for item in items)
    return NetworkSpec(
        _join_fields if has_fields else _no_context, int(has_fields), _identity_layer, _pass_through
    )


def _join_fields(item: Item) -> tuple[str, ...]:
    return (" ".join(item.fields.values()),)


def _no_context(item: Item) -> tuple[str, ...]:
    return ()


def _identity_layer(width: int) -> tuple[Any, int]:
    from torch import nn

    return nn.Identity(), width


def _pass_through(layer: Any, vectors: Any, lengths: Any) -> Any:
    return vectors
