"""Fine-tuned networks as functions of embeddings: modules of transformers, in single precision."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from ...errors import ModelError
from .._checkpoint import quiet
from .._families import heads
from .._families.coder import SPECIAL, Read
from .._families.packed import PackedFamily
from .._families.text_to_text import IGNORED, TextToText, likelihood
from .._families.whole import pooled

if TYPE_CHECKING:
    from .._fitted import Fitted


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Sequences side by side, padded on the right."""

    ids: torch.Tensor  # (sequences, longest), of what is embedded
    words: torch.Tensor  # where a token stands for some text
    more: tuple[torch.Tensor, ...]  # what scoring takes beside the embeddings


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """A network that scores by a head of its own."""

    module: Any
    head: dict[str, torch.Tensor]
    pooling: str
    pad: int
    place: torch.device

    def batch(self, some: Sequence[Read]) -> Batch:
        """What is scored: ids, and of each token whether there is one, and its segment."""
        ids = self._filled([one.tokens[0] for one in some], self.pad)
        there = self._filled([[1] * len(one.tokens[0]) for one in some], 0)
        types = self._filled([one.tokens[1] for one in some], 0)
        return Batch(ids, self._words(some), (there, types))

    def embedded(self, ids: torch.Tensor) -> torch.Tensor:
        """(sequences, longest, features): the words' vectors."""
        found: torch.Tensor = self.module.get_input_embeddings()(ids)
        return found.detach()

    def without_words(self, x: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """The same with padding for words, and special tokens as they are."""
        bare = self.embedded(torch.tensor([[self.pad]], device=self.place))
        return bare.where(words[:, :, None], x)

    def scores(self, x: torch.Tensor, *more: torch.Tensor) -> torch.Tensor:
        """(sequences)"""
        there, types = more
        asked = {"inputs_embeds": x, "attention_mask": there}
        if getattr(self.module.config, "type_vocab_size", 0) > 1:
            asked["token_type_ids"] = types
        if self.module.config.is_encoder_decoder:  # which reads the same again, one place later
            first = torch.full_like(there[:, :1], self.module.config.decoder_start_token_id)
            asked["decoder_inputs_embeds"] = torch.cat([self.embedded(first), x[:, :-1]], 1)
        said = self.module(**asked).last_hidden_state
        one = pooled(said, there.sum(1), there, self.pooling)
        return heads.score(self.head, one[None], self.pooling, 0.0)[0]

    def _words(self, some: Sequence[Read]) -> torch.Tensor:
        return self._filled([[s[0] != SPECIAL for s in one.spans] for one in some], 0).bool()

    def _filled(self, rows: Sequence[Sequence[int]], filler: int) -> torch.Tensor:
        longest = max(1, *map(len, rows))
        filled = [[*row, *[filler] * (longest - len(row))] for row in rows]
        return torch.tensor(filled, dtype=torch.long, device=self.place)


@dataclass(frozen=True, slots=True, eq=False)
class Answering(Net):
    """One that answers in words: the prompt is embedded, its answers are what is scored."""

    def batch(self, some: Sequence[Read]) -> Batch:
        parts = [[self._part(one, kind) for one in some] for kind in (0, 1, 2)]
        ids = self._filled(parts[0], self.pad)
        there = self._filled([[1] * len(part) for part in parts[0]], 0)
        answers = [self._filled(part, IGNORED) for part in parts[1:]]
        return Batch(ids, self._words(some), (there, *answers))

    def scores(self, x: torch.Tensor, *more: torch.Tensor) -> torch.Tensor:
        there, yes, no = more
        said = self._likelihood(x, there, yes)
        return said - self._likelihood(x, there, no) if bool((no != IGNORED).any()) else said

    def _likelihood(self, x: torch.Tensor, there: torch.Tensor, labels: torch.Tensor) -> Any:
        said = self.module(inputs_embeds=x, attention_mask=there, labels=labels)
        return likelihood(said.logits, labels)

    @staticmethod
    def _part(one: Read, kind: int) -> list[int]:
        return [token for token, own in zip(*one.tokens, strict=True) if own == kind]


def opened(fitted: Fitted) -> Net:
    """The network of a fitted model, on its device; of none of its weights a gradient is kept."""
    if fitted.weights is None:
        raise ModelError("the run broke down: there are no weights to take gradients of")
    family, place = fitted.open.family, fitted.place
    own, beyond = family.state({name: one.cpu() for name, one in fitted.weights.items()})
    if isinstance(family, PackedFamily):
        module, pad = _made(fitted.open.config), int(fitted.open.tokenizer.pad_token_id or 0)
        head = {n: w for n, w in fitted.weights.items() if n.startswith(("head.", "pooler."))}
    else:
        module, pad, head = copy.deepcopy(family.module), family.pad, beyond
    module.load_state_dict(own, strict=isinstance(family, PackedFamily))  # ties are named once
    module.set_attn_implementation("eager")  # its gradient is the same every time
    module = module.to(place).eval().requires_grad_(False)
    lanes = {name: one[None].to(place) for name, one in head.items()}
    kind = Answering if isinstance(family, TextToText) else Net
    return kind(module, lanes, fitted.open.pooling, pad, place)


def _made(config: Any) -> Any:
    """A module of that configuration, whose weights are yet to be loaded."""
    from transformers import AutoModel

    with quiet(), _undrawn():
        return AutoModel.from_config(copy.deepcopy(config), dtype=torch.float32)


def _undrawn() -> Any:
    """Draw no weights that are written over at once, where transformers can be told so."""
    try:
        from transformers.initialization import no_init_weights
    except ImportError:
        return nullcontext()
    return no_init_weights()
