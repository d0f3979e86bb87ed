"""What a token counts, by three methods: (sequences, longest), not yet shares.

gradient: the length of the score's gradient by the token's embedding. integrated: that of its
integrated gradients (Sundararajan et al. 2017), from padding to the word. occlusion: by how much
the score changes when padding stands for the word (Zeiler and Fergus 2014). For the last two
special tokens stay as they are, and so count nothing. Both are captum's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ...errors import MissingExtra
from .nets import Batch, Net

SHORT = 64  # tokens; of longer sequences it is attention that takes the room


def gradient(net: Net, batch: Batch, steps: int, room: int) -> torch.Tensor:
    """No sequence's score hangs on another's tokens: the gradient of their sum is of each."""
    x = net.embedded(batch.ids).requires_grad_()
    (found,) = torch.autograd.grad(net.scores(x, *batch.more).sum(), x)
    return _lengths(found)


def integrated(net: Net, batch: Batch, steps: int, room: int) -> torch.Tensor:
    """`steps` points on the way; all of them at once, as far as there is room."""
    return _lengths(attributed(net, batch, steps, room))


def attributed(net: Net, batch: Batch, steps: int, room: int) -> torch.Tensor:
    """(sequences, longest, features): they sum to what the words add to the score."""
    x = net.embedded(batch.ids)
    found: torch.Tensor = _captum().IntegratedGradients(net.scores).attribute(
        x, net.without_words(x, batch.words), additional_forward_args=batch.more, n_steps=steps,
        internal_batch_size=max(len(x), fitting(x.shape[1], room)),
    )  # fmt: skip
    return found


def occlusion(net: Net, batch: Batch, steps: int, room: int) -> torch.Tensor:
    """Token by token."""
    x = net.embedded(batch.ids)
    found: torch.Tensor = _captum().Occlusion(net.scores).attribute(
        x, (1, x.shape[2]), baselines=net.without_words(x, batch.words),
        additional_forward_args=batch.more,
    )  # fmt: skip
    return found[:, :, 0].abs().cpu()


Way = Callable[[Net, Batch, int, int], torch.Tensor]
BY_NAME: dict[str, Way] = {
    "gradient": gradient, "integrated": integrated, "occlusion": occlusion,
}  # fmt: skip


def fitting(longest: int, room: int) -> int:
    """How many sequences go together: attention looks from every token at every other."""
    return max(1, room // (longest * max(1, longest // SHORT)))


def _lengths(vectors: torch.Tensor) -> torch.Tensor:
    return vectors.double().norm(dim=2).cpu()


def _captum() -> Any:
    try:
        import captum.attr
    except ImportError:
        raise MissingExtra("gradients", "a method other than gradient") from None
    return captum.attr
