"""Attributes the score of each choice to the tokens that are read (Kavumba et al. 2019).

    y    the score of a sequence
    x_t  the embedding of its token t: the word vector plus the position embedding
    s_t = ||dy/dx_t|| / sum over all tokens of the sequence, including special ones

The position embedding does not depend on the word vector, so dy/dx_t is the gradient with respect
to the word vector, which transformers modules accept as `inputs_embeds`. A packed network is run
as the module of its checkpoint here; a few items are scored both ways to check that both agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch

from ....capabilities import AttributionMethod, Attributions
from ....errors import BadInput, ModelError
from ....training.determinism import deterministic_mode
from ....types import Items
from ..._architectures.item_tokenizer import SpannedSequence
from . import methods, scorers
from .scorers import EmbeddingScorer

if TYPE_CHECKING:
    from ..finetuned import FinetunedTransformer

TOKEN_BUDGET = {"cpu": 2_048, "cuda": 32_768}  # of a batch of short sequences
N_CHECKED = 4  # items scored both ways
TOLERANCE = {"rtol": 1e-3, "atol": 1e-4}  # of the comparison of scores


def attribute_scores(
    fitted: FinetunedTransformer, items: Items, method: AttributionMethod, steps: int
) -> list[tuple[Attributions, ...]]:
    """Return for every item the attributions of each choice; equal sequences are read once."""
    if method not in methods.BY_NAME:
        raise BadInput("method", f"is {method!r}, must be {' or '.join(methods.BY_NAME)}")
    if steps < 1:
        raise BadInput("steps", f"is {steps}, must be at least 1")
    if not items:
        return []
    device, item_sequences = (
        fitted.torch_device,
        fitted.base_model.item_tokenizer.encode_with_spans(items),
    )
    with deterministic_mode(device.type == "cuda"):
        scorer = scorers.build_scorer(fitted)
        _check_scorer(fitted, scorer, items[:: max(1, len(items) // N_CHECKED)])
        budget = TOKEN_BUDGET.get(device.type, TOKEN_BUDGET["cpu"])
        attributions: dict[SpannedSequence, Attributions] = {}
        for batch in _batch_by_length(
            {sequence for sequences in item_sequences for sequence in sequences}, budget
        ):
            importances = methods.BY_NAME[method](scorer, scorer.build_batch(batch), steps, budget)
            attributions.update(
                zip(batch, map(_normalize_importances, batch, importances), strict=True)
            )
    return [tuple(attributions[sequence] for sequence in sequences) for sequences in item_sequences]


def _batch_by_length(
    sequences: set[SpannedSequence], budget: int
) -> Iterator[list[SpannedSequence]]:
    """Yield batches of sequences of similar length, as many as the token budget allows."""
    order = sorted(
        sequences, key=lambda sequence: (len(sequence.tokens[0]), sequence.tokens, sequence.texts)
    )
    while order:
        size = 1
        while size < len(order) and size < methods.sequence_capacity(
            len(order[size].tokens[0]), budget
        ):
            size += 1
        batch, order = order[:size], order[size:]
        yield batch


def _normalize_importances(sequence: SpannedSequence, importances: torch.Tensor) -> Attributions:
    """Return each token's share of the total importance; NaN if there is no finite total."""
    values = importances[: len(sequence.spans)].double()
    total = values.sum()
    is_defined = bool(torch.isfinite(total)) and bool(total > 0)
    shares = (values / total if is_defined else values * torch.nan).tolist()
    return Attributions(sequence.texts, sequence.spans, tuple(shares))


def _check_scorer(fitted: FinetunedTransformer, scorer: EmbeddingScorer, items: Items) -> None:
    """Check that the network scores embeddings as it scores tokens; not all modules do."""
    token_scores = [score for row in fitted.score(items) for score in row]
    sequences = [
        sequence
        for item_sequences in fitted.base_model.item_tokenizer.encode_with_spans(items)
        for sequence in item_sequences
    ]
    batch = scorer.build_batch(sequences)
    with torch.no_grad():
        embedding_scores = scorer.scores(scorer.embed(batch.ids), *batch.extra_inputs).cpu()
    if not torch.allclose(
        embedding_scores, torch.tensor(token_scores), **TOLERANCE, equal_nan=True
    ):
        message = "scores embeddings differently from words, so its gradients would mislead"
        raise ModelError(f"{type(scorer.module).__name__}: {message}")
