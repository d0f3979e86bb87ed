"""Sequences side by side: nothing is lost on the way to a spread and back, nor its gradient."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")
packing = pytest.importorskip("hansproof.training.packing")

texts = st.lists(st.lists(st.integers(1, 99), min_size=1, max_size=7), min_size=1, max_size=6)
# numbers of sequences, of which the last stands for none; room beyond what is needed
batches = st.tuples(
    texts, st.integers(1, 3), st.integers(1, 5), st.integers(0, 9), st.integers(0, 3), st.data()
)


def drawn(case: Any) -> tuple[Any, Any, list[list[list[int]]], int, int]:
    """Sequences, their rows by lane, the same as lists, and a width and length with some room."""
    lists, lanes, count, more, longer, data = case
    numbers = st.lists(st.integers(0, len(lists)), min_size=count, max_size=count)
    rows = [data.draw(numbers) for _ in range(lanes)]
    kinds = [[at % 2 for at in range(len(one))] for one in lists]
    sequences = packing.Sequences.from_lists(lists, kinds, "cpu")
    by_lane = [[[*lists, []][row] for row in lane] for lane in rows]
    width = max(1, *(sum(map(len, lane)) for lane in by_lane)) + more
    longest = max(1, *(len(one) for lane in by_lane for one in lane)) + longer
    return sequences, torch.tensor(rows), by_lane, width, longest


@given(batches)
def test_tokens_lie_one_after_the_other(case: Any) -> None:
    sequences, rows, by_lane, width, longest = drawn(case)
    pack = packing.pack_sequences(sequences, rows, width, longest)
    for at, lane in enumerate(by_lane):
        tokens = [token for one in lane for token in one]
        assert pack.tokens[at, : len(tokens)].tolist() == tokens
        places = [place for one in lane for place in range(len(one))]
        assert pack.positions[at, : len(places)].tolist() == places
        assert pack.types[at, : len(places)].tolist() == [place % 2 for place in places]
        assert pack.slot_mask[at].tolist() == [True] * len(tokens) + [False] * (width - len(tokens))
        assert pack.lengths[at].tolist() == [len(one) for one in lane]


@given(batches)
def test_a_spread_has_each_sequence_by_itself_and_zeros(case: Any) -> None:
    sequences, rows, by_lane, width, longest = drawn(case)
    pack = packing.pack_sequences(sequences, rows, width, longest)
    flat = torch.stack([pack.tokens, pack.positions, torch.ones_like(pack.tokens)], dim=2).float()
    found = packing.spread_tokens(flat, pack).view(*rows.shape, longest, 3)
    for at, lane in enumerate(by_lane):
        for which, one in enumerate(lane):
            own = found[at, which]
            assert own[: len(one), 0].tolist() == one
            assert own[: len(one), 1].tolist() == list(range(len(one)))
            assert not own[len(one) :].any()


@given(batches)
def test_what_is_collected_again_is_what_was_spread(case: Any) -> None:
    sequences, rows, _, width, longest = drawn(case)
    pack = packing.pack_sequences(sequences, rows, width, longest)
    flat = torch.randn(len(rows), width, 4)
    back = packing.collect_tokens(packing.spread_tokens(flat, pack), pack)
    assert torch.equal(back, flat * pack.slot_mask[:, :, None])


@given(batches)
@settings(max_examples=30)
def test_gradients_are_those_of_a_plain_look_up(case: Any) -> None:
    """The way back is written by hand: held against PyTorch's own."""
    sequences, rows, _, width, longest = drawn(case)
    pack = packing.pack_sequences(sequences, rows, width, longest)
    flat = torch.randn(len(rows), width, 2, dtype=torch.float64, requires_grad=True)

    def spread(x: Any) -> Any:
        real = pack.spread_mask.flatten()[:, None]
        return (x.reshape(-1, 2)[pack.spread_index] * real).view(-1, longest, 2)

    def collected(x: Any) -> Any:
        real = pack.slot_mask.flatten()[:, None]
        return (x.reshape(-1, 2)[pack.collect_index] * real).view(len(rows), width, 2)

    weights = torch.randn(rows.numel(), longest, 2, dtype=torch.float64)
    other = torch.randn(len(rows), width, 2, dtype=torch.float64)
    for ours, plain in (
        ((packing.spread_tokens(flat, pack) * weights).sum(), (spread(flat) * weights).sum()),
        (
            (packing.collect_tokens(packing.spread_tokens(flat, pack).sin(), pack) * other).sum(),
            (collected(spread(flat).sin()) * other).sum(),
        ),
    ):
        assert torch.allclose(ours, plain)
        (mine,), (theirs,) = torch.autograd.grad(ours, flat), torch.autograd.grad(plain, flat)
        assert torch.allclose(mine, theirs)


def test_what_is_no_number_in_one_lane_stays_there() -> None:
    """Also where slots are empty: these are taken from the lane itself, not from the first."""
    sequences = packing.Sequences.from_lists([[1, 2, 3], [4]], [[0] * 3, [0]], "cpu")
    pack = packing.pack_sequences(sequences, torch.tensor([[0, 1], [1, 2], [2, 2]]), 6, 4)
    for broken in range(3):
        flat = torch.ones(3, 6, 2)
        flat[broken] = torch.nan
        found = packing.spread_tokens(flat, pack).view(3, 2, 4, 2)
        back = packing.collect_tokens(found.view(6, 4, 2), pack)
        for lane in {0, 1, 2} - {broken}:
            assert found[lane].isfinite().all()
            assert back[lane].isfinite().all()


def test_no_sequences_at_all_are_one_that_is_empty() -> None:
    sequences = packing.Sequences.from_lists([], [], "cpu")
    assert sequences.empty_index == 0
    pack = packing.pack_sequences(sequences, torch.tensor([[0, 0]]), 3, 2)
    assert not pack.slot_mask.any()
    assert not packing.spread_tokens(torch.ones(1, 3, 5), pack).any()
