"""A bidirectional LSTM over each field and choice, and a linear layer (Niven and Kao 2019).

As published, the context cannot change the ranking of the choices (see
`models/_recurrent/nets.py`). Differences: padding does not take part in the maximum over time, and
the tokenizer `word` splits isn't into `isn` and `t`, theirs into `is` and `not`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from ..errors import BadInput
from ..types import Item, Items
from ..vectors import PACKAGE, source_sha256
from ..views import fields_of
from ._recurrent.fitting import FittedNetwork, fit_network, network_recipe
from ._recurrent.nets import NetworkSpec


@dataclass(frozen=True, slots=True)
class Bilstm:
    """One LSTM reads every field and the choice separately; the word vectors are trained, too."""

    selects: ClassVar[bool] = True

    vectors: str = PACKAGE  # file of word vectors (text, .gz, .npz), or this package
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    hidden: int = 512  # size of the LSTM's state in each direction
    rates: tuple[float, ...] = (0.06,)  # learning rates to choose from
    epochs: int = 20  # number of epochs; the best one on the select items is kept
    batch: int = 32  # batch size, in items
    dropout: float = 0.1  # dropout rate in training
    device: str = "auto"  # cpu, cuda, or auto: cuda if available

    def __post_init__(self) -> None:
        network_recipe(self).check_values("bilstm")
        if self.hidden < 1:
            raise BadInput("bilstm:hidden", "must be at least 1")

    def fit(self, items: Items, select: Items, seed: int) -> FittedNetwork:
        """Train on items, and keep the epoch with the best accuracy on `select`."""
        names = fields_of(items)
        spec = NetworkSpec(
            partial(_field_texts, names), len(names), partial(_build_lstm, self.hidden), _run_lstm
        )
        return fit_network(items, select, seed, network_recipe(self), spec)

    def materials(self) -> dict[str, str]:
        """Return the fingerprint of the word vectors."""
        return {"vectors_sha256": source_sha256(self.vectors)}


def _field_texts(names: tuple[str, ...], item: Item) -> tuple[str, ...]:
    return tuple(item.fields.get(name, "") for name in names)


def _build_lstm(hidden: int, width: int) -> tuple[Any, int]:
    from torch import nn

    return nn.LSTM(width, hidden, batch_first=True, bidirectional=True), 2 * hidden


def _run_lstm(lstm: Any, vectors: Any, lengths: Any) -> Any:
    """Return the LSTM's outputs for every word, in both directions; padding is not read."""
    from torch.nn.utils import rnn

    packed = rnn.pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
    return rnn.pad_packed_sequence(lstm(packed)[0], batch_first=True)[0]
