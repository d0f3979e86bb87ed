"""The likelihood that a causal language model gives one text after another.

Pairs of texts with the same input tokens share one forward pass, and a pair is never scored twice
while its model is in memory. So equal texts have equal likelihoods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from ..._infra.progress import track_optional
from ...errors import ModelError
from ...pretrained import checkpoint, devices
from ...pretrained.text_batches import to_valid_utf8
from ...prompts.formats import Pair

if TYPE_CHECKING:
    import torch

Tokens = tuple[int, ...]

UNLIMITED = 2**30  # tokens of a model without a limit


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The likelihood of the second text of a pair."""

    log: float  # natural logarithm, summed over the tokens of the second text
    tokens: int  # of the second text
    cut: bool  # whether the first text was too long, and lost its beginning


CERTAIN = Likelihood(0.0, 0, cut=False)  # an empty text is certain


@dataclass(frozen=True, slots=True)
class _TokenizedPair:
    """A pair as tokens; those from `start` on are scored."""

    tokens: Tokens
    start: int
    cut: bool

    @property
    def input_tokens(self) -> Tokens:
        return self.tokens[:-1]


@dataclass(frozen=True, slots=True, eq=False)
class LikelihoodScorer:
    """A model, its tokenizer, and the likelihoods of all pairs scored so far."""

    model: Any
    tokenizer: Any
    max_tokens: int  # that it can read
    by_pair: dict[Pair, Likelihood] = field(default_factory=dict)

    def score_pairs(
        self,
        pairs: Iterable[Pair],
        batch_size: int,
        on_batch: Callable[[Mapping[Pair, Likelihood]], None] | None = None,
    ) -> dict[Pair, Likelihood]:
        """Return for every pair the likelihood of the second text after the first.

        `on_batch` is called after each batch, with the likelihoods that are new.
        """
        unique_pairs = dict.fromkeys(pairs)
        tokenized_pairs = {
            pair: self._tokenize_pair(*pair) for pair in unique_pairs if pair not in self.by_pair
        }
        pairs_by_input: dict[Tokens, list[Pair]] = {}
        for pair, tokenized in tokenized_pairs.items():
            if tokenized.start < len(tokenized.tokens):
                pairs_by_input.setdefault(tokenized.input_tokens, []).append(pair)
            else:
                self.by_pair[pair] = CERTAIN
        inputs = sorted(pairs_by_input, key=lambda tokens: (len(tokens), tokens))
        batches = [
            inputs[start : start + batch_size] for start in range(0, len(inputs), batch_size)
        ]
        for batch in track_optional(batches, "reading texts"):
            batch_pairs = [
                (row, pair) for row, tokens in enumerate(batch) for pair in pairs_by_input[tokens]
            ]
            likelihoods = self._score_batch(
                batch, [(row, tokenized_pairs[pair]) for row, pair in batch_pairs]
            )
            by_pair = dict(zip([pair for _, pair in batch_pairs], likelihoods, strict=True))
            self.by_pair.update(by_pair)
            if on_batch is not None:
                on_batch(by_pair)
        return {pair: self.by_pair[pair] for pair in unique_pairs}

    def _tokenize_pair(self, prefix: str, continuation: str) -> _TokenizedPair:
        """Tokenize both texts as one; tokens that the first text alone gives are not scored."""
        prefix_tokens, pair_tokens = self._tokenize(prefix), self._tokenize(prefix + continuation)
        n_shared = _shared_length(prefix_tokens, pair_tokens)
        head = self._start_tokens(nothing_shared=not n_shared)
        capacity = self.max_tokens + 1 - len(head)  # the last token is not read
        tokens = head + pair_tokens[-capacity:]
        return _TokenizedPair(
            tokens,
            max(len(tokens) - (len(pair_tokens) - n_shared), 1),
            cut=len(pair_tokens) > capacity,
        )

    def _tokenize(self, text: str) -> Tokens:
        return tuple(self.tokenizer(to_valid_utf8(text), add_special_tokens=False)["input_ids"])

    def _start_tokens(self, nothing_shared: bool) -> Tokens:
        """Return the start token, if the tokenizer adds one or nothing else would be read."""
        begin = self.tokenizer.bos_token_id
        if begin is not None and self.tokenizer("a")["input_ids"][:1] == [begin]:
            return (begin,)
        end = self.tokenizer.eos_token_id if begin is None else begin
        return (end,) if nothing_shared and end is not None else ()

    def _score_batch(
        self, inputs: Sequence[Tokens], targets: Sequence[tuple[int, _TokenizedPair]]
    ) -> list[Likelihood]:
        """Run one batch of inputs; `targets` are the pairs to score and their rows in it."""
        import torch

        first_position = min(pair.start for _, pair in targets) - 1
        with torch.inference_mode():
            logits = checkpoint.require_finite(
                self.model, _next_token_logits(self.model, inputs, first_position)
            )
            return [
                _sum_log_likelihood(logits[index, pair.start - 1 - first_position :], pair)
                for index, pair in targets
            ]


def _shared_length(tokens: Tokens, other_tokens: Tokens) -> int:
    """Return how many tokens two sequences begin with in common."""
    return sum(
        1
        for _ in takewhile(lambda pair: pair[0] == pair[1], zip(tokens, other_tokens, strict=False))
    )


def _next_token_logits(
    model: Any, token_rows: Sequence[Tokens], first_position: int
) -> torch.Tensor:
    """Return the logits of the token after each position, from `first_position` on.

    Short rows are padded on the right, which does not affect the tokens before.
    """
    import torch

    longest = max(map(len, token_rows))
    ids = torch.tensor([[*tokens, *[0] * (longest - len(tokens))] for tokens in token_rows])
    mask = torch.tensor(
        [[1] * len(tokens) + [0] * (longest - len(tokens)) for tokens in token_rows]
    )
    inputs = {"input_ids": ids.to(model.device), "attention_mask": mask.to(model.device)}
    # logits of other positions would take most of the time and memory
    logits = model(**inputs, logits_to_keep=longest - first_position).logits
    return logits[:, logits.shape[1] - (longest - first_position) :]


def _sum_log_likelihood(logits: torch.Tensor, pair: _TokenizedPair) -> Likelihood:
    """Return the likelihood of the scored tokens of a pair, given their logits."""
    import torch

    targets = torch.tensor(pair.tokens[pair.start :], device=logits.device)
    log_probabilities = logits[: len(targets)].double().log_softmax(dim=1)
    total = log_probabilities.gather(1, targets[:, None]).sum()
    return Likelihood(float(total), len(targets), pair.cut)


def load_scorer(source: str, device: str) -> LikelihoodScorer:
    """Load the model of a folder or a hub id; the last one used stays in memory."""
    return _load_cached(source, checkpoint.fingerprint(source), device)


@lru_cache(maxsize=1)
def _load_cached(source: str, fingerprint: str, device: str) -> LikelihoodScorer:
    torch_device = devices.find_device(device)
    tokenizer = checkpoint.load_tokenizer(source)
    model = checkpoint.load_module(source, "AutoModelForCausalLM").to(torch_device)
    model.config.use_cache = False
    if _looks_ahead(model):
        raise ModelError(f"{source}: uses later tokens, so it is not a causal language model")
    n_positions = (
        getattr(model.config.get_text_config(), "max_position_embeddings", None) or UNLIMITED
    )
    return LikelihoodScorer(model, tokenizer, min(n_positions, tokenizer.model_max_length))


def _looks_ahead(model: Any) -> bool:
    """Return whether predictions depend on later tokens, as in BERT."""
    import torch

    with torch.inference_mode():
        first, second = _next_token_logits(model, [(0, 1), (0, 2)], 0)[:, 0]
    return float((first - second).abs().max()) > 1e-4 * float(first.abs().max())
