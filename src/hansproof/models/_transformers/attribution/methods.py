"""Three methods that measure the importance of tokens, (sequences, longest), not yet normalised.

gradient: the norm of the score's gradient with respect to the token's embedding. integrated: the
norm of its integrated gradients (Sundararajan et al. 2017), from padding to the word. occlusion:
the change of the score when padding replaces the word (Zeiler and Fergus 2014). The last two are
captum's; they leave special tokens in place, so these have no importance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ....errors import MissingExtra
from .scorers import EmbeddingBatch, EmbeddingScorer

SHORT_SEQUENCE = 64  # tokens; for longer sequences, attention dominates memory


def gradient_norms(
    scorer: EmbeddingScorer, batch: EmbeddingBatch, steps: int, budget: int
) -> torch.Tensor:
    """Return gradient norms; sequences are independent, so one backward pass serves all."""
    x = scorer.embed(batch.ids).requires_grad_()
    (gradients,) = torch.autograd.grad(scorer.scores(x, *batch.extra_inputs).sum(), x)
    return _vector_norms(gradients)


def integrated_norms(
    scorer: EmbeddingScorer, batch: EmbeddingBatch, steps: int, budget: int
) -> torch.Tensor:
    """Return norms of integrated gradients over `steps` points, batched within the budget."""
    return _vector_norms(integrated_gradients(scorer, batch, steps, budget))


def integrated_gradients(
    scorer: EmbeddingScorer, batch: EmbeddingBatch, steps: int, budget: int
) -> torch.Tensor:
    """Return (sequences, longest, features); they sum to what the words add to the score."""
    x = scorer.embed(batch.ids)
    gradients: torch.Tensor = _import_captum().IntegratedGradients(scorer.scores).attribute(
        x, scorer.mask_words(x, batch.is_word), additional_forward_args=batch.extra_inputs,
        n_steps=steps, internal_batch_size=max(len(x), sequence_capacity(x.shape[1], budget)),
    )  # fmt: skip
    return gradients


def occlusion_changes(
    scorer: EmbeddingScorer, batch: EmbeddingBatch, steps: int, budget: int
) -> torch.Tensor:
    """Return how much the score changes if one token is occluded."""
    x = scorer.embed(batch.ids)
    changes: torch.Tensor = _import_captum().Occlusion(scorer.scores).attribute(
        x, (1, x.shape[2]), baselines=scorer.mask_words(x, batch.is_word),
        additional_forward_args=batch.extra_inputs,
    )  # fmt: skip
    return changes[:, :, 0].abs().cpu()


ImportanceFunction = Callable[[EmbeddingScorer, EmbeddingBatch, int, int], torch.Tensor]
BY_NAME: dict[str, ImportanceFunction] = {
    "gradient": gradient_norms, "integrated": integrated_norms, "occlusion": occlusion_changes,
}  # fmt: skip


def sequence_capacity(longest: int, budget: int) -> int:
    """Return how many sequences fit in a batch; attention is quadratic in their length."""
    return max(1, budget // (longest * max(1, longest // SHORT_SEQUENCE)))


def _vector_norms(vectors: torch.Tensor) -> torch.Tensor:
    return vectors.double().norm(dim=2).cpu()


def _import_captum() -> Any:
    try:
        import captum.attr
    except ImportError:
        raise MissingExtra("gradients", "a method other than gradient") from None
    return captum.attr
