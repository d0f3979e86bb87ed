"""How likely a causal language model holds one text to be after another.

Texts that end in the same place are one run of the model, whatever is scored there; a pair of texts
that was scored is not scored again while its model is in memory. So equal texts have equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from ..errors import ModelError
from . import _checkpoint, _device
from ._bar import watched
from ._prompts import Pair
from ._segments import clean

if TYPE_CHECKING:
    import torch

Tokens = tuple[int, ...]

ENDLESS = 2**30  # places of a model that has no last one


@dataclass(frozen=True, slots=True)
class Likelihood:
    """What is known of a pair of texts."""

    log: float  # natural, summed over the tokens of the second text
    tokens: int  # how many these are
    cut: bool  # whether the first text lost its beginning, since the model has too few places


NOTHING = Likelihood(0.0, 0, cut=False)  # an empty text is certain


@dataclass(frozen=True, slots=True)
class _Row:
    """A pair as tokens; those from `start` on are scored."""

    tokens: Tokens
    start: int
    cut: bool

    @property
    def read(self) -> Tokens:
        return self.tokens[:-1]


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """A model, its tokenizer, and what it has read."""

    model: Any
    tokenizer: Any
    places: int  # tokens that it can read
    known: dict[Pair, Likelihood] = field(default_factory=dict)

    def likelihoods(self, pairs: Iterable[Pair], batch: int) -> dict[Pair, Likelihood]:
        """Of every pair, how likely the second text is after the first."""
        wanted = dict.fromkeys(pairs)
        rows = {pair: self._row(*pair) for pair in wanted if pair not in self.known}
        runs: dict[Tokens, list[Pair]] = {}
        for pair, row in rows.items():
            if row.start < len(row.tokens):
                runs.setdefault(row.read, []).append(pair)
            else:
                self.known[pair] = NOTHING
        order = sorted(runs, key=lambda read: (len(read), read))
        parts = [order[at : at + batch] for at in range(0, len(order), batch)]
        for part in watched(parts, "reading texts"):
            asked = [(at, pair) for at, read in enumerate(part) for pair in runs[read]]
            found = self._run(part, [(at, rows[pair]) for at, pair in asked])
            self.known.update(zip([pair for _, pair in asked], found, strict=True))
        return {pair: self.known[pair] for pair in wanted}

    def _row(self, first: str, second: str) -> _Row:
        """Tokens of the two texts as one: what the first one alone begins with is not scored."""
        alone, both = self._tokens(first), self._tokens(first + second)
        shared = _shared(alone, both)
        head = self._head(empty=not shared)
        room = self.places + 1 - len(head)  # the last token is not read
        tokens = head + both[-room:]
        return _Row(tokens, max(len(tokens) - (len(both) - shared), 1), cut=len(both) > room)

    def _tokens(self, text: str) -> Tokens:
        return tuple(self.tokenizer(clean(text), add_special_tokens=False)["input_ids"])

    def _head(self, empty: bool) -> Tokens:
        """The token for the beginning, where the tokenizer puts one or nothing else is read."""
        begin = self.tokenizer.bos_token_id
        if begin is not None and self.tokenizer("a")["input_ids"][:1] == [begin]:
            return (begin,)
        end = self.tokenizer.eos_token_id if begin is None else begin
        return (end,) if empty and end is not None else ()

    def _run(self, part: Sequence[Tokens], asked: Sequence[tuple[int, _Row]]) -> list[Likelihood]:
        """One batch: what is read, and what is scored in which row of it."""
        import torch

        first = min(row.start for _, row in asked) - 1
        with torch.inference_mode():
            logits = _checkpoint.finite(self.model, _logits(self.model, part, first))
            return [_summed(logits[at, row.start - 1 - first :], row) for at, row in asked]


def _shared(one: Tokens, other: Tokens) -> int:
    """How many tokens two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(one, other, strict=False)))


def _logits(model: Any, part: Sequence[Tokens], first: int) -> torch.Tensor:
    """What follows each token from the position `first` on; short rows are filled up on the right.

    Which changes nothing for the tokens before, that cannot look ahead.
    """
    import torch

    longest = max(map(len, part))
    ids = torch.tensor([[*read, *[0] * (longest - len(read))] for read in part])
    mask = torch.tensor([[1] * len(read) + [0] * (longest - len(read)) for read in part])
    inputs = {"input_ids": ids.to(model.device), "attention_mask": mask.to(model.device)}
    # over a large vocabulary, most of the time and memory would go to what is not looked at
    logits = model(**inputs, logits_to_keep=longest - first).logits
    return logits[:, logits.shape[1] - (longest - first) :]


def _summed(logits: torch.Tensor, row: _Row) -> Likelihood:
    import torch

    targets = torch.tensor(row.tokens[row.start :], device=logits.device)
    logs = logits[: len(targets)].double().log_softmax(dim=1)
    summed = logs.gather(1, targets[:, None]).sum()
    return Likelihood(float(summed), len(targets), row.cut)


def reader(source: str, device: str) -> Reader:
    """The model of a folder or a hub id; the last one used stays in memory."""
    return _loaded(source, _checkpoint.fingerprint(source), device)


@lru_cache(maxsize=1)
def _loaded(source: str, print_of: str, device: str) -> Reader:
    place = _device.find(device)
    tokenizer = _checkpoint.tokenizer(source)
    model = _checkpoint.module(source, "AutoModelForCausalLM").to(place)
    model.config.use_cache = False
    if _looks_ahead(model):
        raise ModelError(f"{source}: looks ahead, so it is no causal language model")
    places = getattr(model.config.get_text_config(), "max_position_embeddings", None) or ENDLESS
    return Reader(model, tokenizer, min(places, tokenizer.model_max_length))


def _looks_ahead(model: Any) -> bool:
    """Whether what follows a token depends on what stands after it, as in a BERT."""
    import torch

    with torch.inference_mode():
        one, other = _logits(model, [(0, 1), (0, 2)], 0)[:, 0]
    return float((one - other).abs().max()) > 1e-4 * float(one.abs().max())
