"""Sequences side by side without padding, for several runs (lanes) at once, and where each is.

A lane's batch is a row of `width` slots for tokens, filled from the left with its sequences one
after the other. Only attention must see a sequence by itself: for that alone tokens are spread out
to (sequences, longest), and collected again. All is worked out where the tokens are, from nothing
but the numbers of the sequences, so that a captured step needs no more than these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """All sequences of tokens there are; the last is empty and stands for none."""

    tokens: torch.Tensor  # (sequences, longest)
    types: torch.Tensor  # which segment a token is of
    lengths: torch.Tensor

    @classmethod
    def of(cls, tokens: list[list[int]], types: list[list[int]], device: Any) -> Sequences:
        """From lists, one per sequence."""
        lengths = np.array([*map(len, tokens), 0], np.int64)
        shape = (len(lengths), max(1, int(lengths.max())))
        filled = np.zeros((2, *shape), np.int64)
        for at, (one, kind) in enumerate(zip(tokens, types, strict=True)):
            filled[0, at, : len(one)] = one
            filled[1, at, : len(one)] = kind
        put = [torch.from_numpy(array).to(device) for array in (*filled, lengths)]
        return cls(*put)

    @property
    def none(self) -> int:
        """The number of the empty sequence."""
        return len(self.lengths) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """The tokens of a batch, (lanes, width), and the ways to a spread and back."""

    tokens: torch.Tensor
    types: torch.Tensor
    places: torch.Tensor  # of a token in its sequence
    real: torch.Tensor  # (lanes, width): whether there is a token
    there: torch.Tensor  # (lanes, sequences, longest): whether there is a token
    spread_from: torch.Tensor  # (lanes × sequences × longest): the slot, over all lanes
    collect_from: torch.Tensor  # (lanes × width): the place in the spread, over all lanes
    lengths: torch.Tensor  # (lanes, sequences)


def packed(sequences: Sequences, rows: torch.Tensor, width: int, longest: int) -> Packed:
    """The sequences of those numbers, (lanes, sequences), which have room in the width."""
    lanes, count = rows.shape
    lengths = sequences.lengths[rows]
    ends = lengths.cumsum(1)
    starts = ends - lengths
    slot = torch.arange(width, device=rows.device).expand(lanes, width)
    which = torch.searchsorted(ends, slot.contiguous(), right=True).clamp(max=count - 1)
    places = slot - starts.gather(1, which)
    real = slot < ends[:, -1:]
    places = places.where(real, 0)
    row = rows.gather(1, which)
    lane = torch.arange(lanes, device=rows.device)
    step = torch.arange(longest, device=rows.device)
    there = step < lengths[:, :, None]
    slots = lane[:, None, None] * width + (starts[:, :, None] + step).clamp(max=width - 1)
    spread = (lane[:, None] * count + which) * longest + places
    own = (lane * count * longest)[:, None]  # what is none is taken from the lane itself
    return Packed(
        tokens=sequences.tokens[row, places],
        types=sequences.types[row, places],
        places=places,
        real=real,
        there=there,
        spread_from=slots.flatten(),
        collect_from=spread.where(real, own).flatten(),
        lengths=lengths,
    )


def spread(flat: torch.Tensor, pack: Packed) -> torch.Tensor:
    """(lanes, width, features) to (lanes × sequences, longest, features), zeros where none is."""
    lanes, width, features = flat.shape
    _, count, longest = pack.there.shape
    rows = _Move.apply(
        flat.reshape(lanes * width, features), pack.spread_from, pack.there.flatten(),
        pack.collect_from, pack.real.flatten(),
    )  # fmt: skip
    return rows.view(lanes * count, longest, features)


def collected(spread: torch.Tensor, pack: Packed) -> torch.Tensor:
    """(lanes × sequences, longest, features) to (lanes, width, features)."""
    features = spread.shape[-1]
    rows = _Move.apply(
        spread.reshape(-1, features), pack.collect_from, pack.real.flatten(),
        pack.spread_from, pack.there.flatten(),
    )  # fmt: skip
    return rows.view(*pack.real.shape, features)


def _take(rows: torch.Tensor, source: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return rows.index_select(0, source) * real[:, None].to(rows.dtype)


class _Move(torch.autograd.Function):  # type: ignore[misc]
    """Rows in another order. Its gradient is the way back: a look-up, not a sum in any order."""

    @staticmethod
    def forward(ctx: Any, rows: Any, source: Any, real: Any, back: Any, real_back: Any) -> Any:
        ctx.save_for_backward(back, real_back)
        return _take(rows, source, real)

    @staticmethod
    def backward(ctx: Any, given: Any) -> Any:
        return _take(given, *ctx.saved_tensors), None, None, None, None
