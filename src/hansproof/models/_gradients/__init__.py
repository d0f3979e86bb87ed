"""How much the score of each choice hangs on each token of what is read (Kavumba et al. 2019).

    y    the score of a sequence
    x_t  the embedding of its token t: the word's vector and what is added for its place
    s_t = ||dy/dx_t|| / sum over all tokens of the sequence, special ones too

What is added to a word's vector is no function of it, so dy/dx_t is the gradient by the word's
vector alone, which is what modules of transformers take as `inputs_embeds`. A network that is
packed for training runs as its own module here; both say the same, and a few items are scored
by both ways to see that they do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import torch

from ...errors import BadInput, ModelError
from ...training.repeatable import repeatable
from ...types import Items, Shares
from .._families.coder import Read
from . import methods, nets
from .nets import Net

if TYPE_CHECKING:
    from .._fitted import Fitted

Method = Literal["gradient", "integrated", "occlusion"]
TOKENS = {"cpu": 2_048, "cuda": 32_768}  # read at a time, as long as sequences are short
FEW = 4  # items that are scored both ways
NEAR = {"rtol": 1e-3, "atol": 1e-4}  # how much alike the scores must be


def shares(fitted: Fitted, items: Items, method: Method, steps: int) -> list[tuple[Shares, ...]]:
    """For every item the shares of each choice's sequence; equal sequences are read once."""
    if method not in methods.BY_NAME:
        raise BadInput("method", f"is {method!r}, must be {' or '.join(methods.BY_NAME)}")
    if steps < 1:
        raise BadInput("steps", f"is {steps}, must be at least 1")
    if not items:
        return []
    place, read = fitted.place, fitted.open.coder.read(items)
    with repeatable(place.type == "cuda"):
        net = nets.opened(fitted)
        _check(fitted, net, items[:: max(1, len(items) // FEW)])
        room = TOKENS.get(place.type, TOKENS["cpu"])
        found: dict[Read, Shares] = {}
        for some in _batches({one for each in read for one in each}, room):
            counts = methods.BY_NAME[method](net, net.batch(some), steps, room)
            found.update(zip(some, map(_shares, some, counts), strict=True))
    return [tuple(found[one] for one in each) for each in read]


def _batches(each: set[Read], room: int) -> Iterator[list[Read]]:
    """Those of a length together, as many at a time as there is room for."""
    order = sorted(each, key=lambda one: (len(one.tokens[0]), one.tokens, one.texts))
    while order:
        size = 1
        while size < len(order) and size < methods.fitting(len(order[size].tokens[0]), room):
            size += 1
        some, order = order[:size], order[size:]
        yield some


def _shares(read: Read, counts: torch.Tensor) -> Shares:
    """Of what each token counts, its share; NaN where there is none to be had."""
    own = counts[: len(read.spans)].double()
    total = own.sum()
    there = bool(torch.isfinite(total)) and bool(total > 0)
    each = (own / total if there else own * torch.nan).tolist()
    return Shares(read.texts, read.spans, tuple(each))


def _check(fitted: Fitted, net: Net, items: Items) -> None:
    """See that the network scores embeddings as it scores tokens: not all modules can."""
    said = [one for row in fitted.score(items) for one in row]
    read = [one for each in fitted.open.coder.read(items) for one in each]
    batch = net.batch(read)
    with torch.no_grad():
        scores = net.scores(net.embedded(batch.ids), *batch.more).cpu()
    if not torch.allclose(scores, torch.tensor(said), **NEAR, equal_nan=True):
        what = "scores embeddings otherwise than words, so its gradients would mislead"
        raise ModelError(f"{type(net.module).__name__}: {what}")
