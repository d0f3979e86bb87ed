"""Packing of sequences without padding, for several runs (lanes) at once.

A lane's batch is a row of `width` token slots, filled from the left with its sequences. Only
attention needs each sequence by itself: for it, tokens are spread out to (sequences, longest) and
collected again. All indices are computed on the device from the numbers of the sequences, so these
are the only input of a captured step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """A table of token sequences; the last is empty and stands for a missing sequence."""

    tokens: torch.Tensor  # (sequences, longest)
    types: torch.Tensor  # the segment of each token
    lengths: torch.Tensor

    @classmethod
    def from_lists(cls, tokens: list[list[int]], types: list[list[int]], device: Any) -> Sequences:
        """Build the table from lists, one per sequence."""
        lengths = np.array([*map(len, tokens), 0], np.int64)
        shape = (len(lengths), max(1, int(lengths.max())))
        filled = np.zeros((2, *shape), np.int64)
        for index, (token_ids, segment_ids) in enumerate(zip(tokens, types, strict=True)):
            filled[0, index, : len(token_ids)] = token_ids
            filled[1, index, : len(token_ids)] = segment_ids
        tensors = [torch.from_numpy(array).to(device) for array in (*filled, lengths)]
        return cls(*tensors)

    @property
    def empty_index(self) -> int:
        """The number of the empty sequence."""
        return len(self.lengths) - 1


@dataclass(frozen=True, slots=True, eq=False)
class PackedBatch:
    """The packed tokens of a batch, (lanes, width), and the indices to spread and collect them."""

    tokens: torch.Tensor
    types: torch.Tensor
    positions: torch.Tensor  # of each token in its sequence
    slot_mask: torch.Tensor  # (lanes, width): whether a slot has a token
    spread_mask: torch.Tensor  # (lanes, sequences, longest): whether there is a token
    spread_index: torch.Tensor  # (lanes × sequences × longest): the slot, over all lanes
    collect_index: torch.Tensor  # (lanes × width): the position in the spread, over all lanes
    lengths: torch.Tensor  # (lanes, sequences)


def pack_sequences(
    sequences: Sequences, rows: torch.Tensor, width: int, longest: int
) -> PackedBatch:
    """Pack sequences by number; `rows` is (lanes, sequences), and each lane must fit `width`."""
    lanes, count = rows.shape
    lengths = sequences.lengths[rows]
    ends = lengths.cumsum(1)
    starts = ends - lengths
    slot = torch.arange(width, device=rows.device).expand(lanes, width)
    sequence = torch.searchsorted(ends, slot.contiguous(), right=True).clamp(max=count - 1)
    positions = slot - starts.gather(1, sequence)
    slot_mask = slot < ends[:, -1:]
    positions = positions.where(slot_mask, 0)
    row = rows.gather(1, sequence)
    lane = torch.arange(lanes, device=rows.device)
    offset = torch.arange(longest, device=rows.device)
    spread_mask = offset < lengths[:, :, None]
    slots = lane[:, None, None] * width + (starts[:, :, None] + offset).clamp(max=width - 1)
    spread_positions = (lane[:, None] * count + sequence) * longest + positions
    fallback = (lane * count * longest)[:, None]  # empty slots read from their own lane
    return PackedBatch(
        tokens=sequences.tokens[row, positions],
        types=sequences.types[row, positions],
        positions=positions,
        slot_mask=slot_mask,
        spread_mask=spread_mask,
        spread_index=slots.flatten(),
        collect_index=spread_positions.where(slot_mask, fallback).flatten(),
        lengths=lengths,
    )


def spread_tokens(flat: torch.Tensor, batch: PackedBatch) -> torch.Tensor:
    """Spread (lanes, width, features) to (lanes × sequences, longest, features), zero-padded."""
    lanes, width, features = flat.shape
    _, count, longest = batch.spread_mask.shape
    rows = _PermuteRows.apply(
        flat.reshape(lanes * width, features), batch.spread_index, batch.spread_mask.flatten(),
        batch.collect_index, batch.slot_mask.flatten(),
    )  # fmt: skip
    return rows.view(lanes * count, longest, features)


def collect_tokens(padded: torch.Tensor, batch: PackedBatch) -> torch.Tensor:
    """Collect (lanes × sequences, longest, features) to (lanes, width, features)."""
    features = padded.shape[-1]
    rows = _PermuteRows.apply(
        padded.reshape(-1, features), batch.collect_index, batch.slot_mask.flatten(),
        batch.spread_index, batch.spread_mask.flatten(),
    )  # fmt: skip
    return rows.view(*batch.slot_mask.shape, features)


def _gather_rows(rows: torch.Tensor, source: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return rows.index_select(0, source) * mask[:, None].to(rows.dtype)


class _PermuteRows(torch.autograd.Function):  # type: ignore[misc]
    """Permutes rows. Its gradient is the inverse look-up, not a sum in an arbitrary order."""

    @staticmethod
    def forward(
        ctx: Any, rows: Any, source: Any, mask: Any, back_source: Any, back_mask: Any
    ) -> Any:
        ctx.save_for_backward(back_source, back_mask)
        return _gather_rows(rows, source, mask)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return _gather_rows(grad, *ctx.saved_tensors), None, None, None, None
