"""The optimizer against PyTorch's own, and against BertAdam as it is published."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
adam = pytest.importorskip("hansproof.training.adam")

pytestmark = pytest.mark.usefixtures("alone")
SHAPES = {"a.w": (5, 3), "b.b": (7,), "c.w": (2, 3, 4)}
UNCORRECTED = pytest.importorskip("hansproof.training.step").UNCORRECTED_STEP
Tensors = dict[str, Any]


def drawn(seed: int, scale: float = 1.0) -> Tensors:
    draw = torch.Generator().manual_seed(seed)
    return {n: torch.randn(shape, generator=draw) * scale for n, shape in SHAPES.items()}


def weights_of(lanes: int, dtype: Any = None) -> Any:
    return adam.LaneWeights.from_lanes(
        [drawn(at) for at in range(lanes)], torch.device("cpu"), dtype or torch.float32
    )


def stepped(weights: Any, grads: list[Tensors], now: list[list[float]], clip: float) -> None:
    """An update of lanes by gradients of each."""
    both = {n: torch.stack([one[n] for one in grads]) for n in SHAPES}
    told = torch.tensor(now, dtype=torch.float64)
    adam.update_weights(weights, both, told, clip, lambda name: name.endswith(".w"))


def pytorch(lane: int, rates: list[float], decay: float, clip: float, scale: float) -> Tensors:
    """The same by PyTorch: a group with decay, a group without."""
    own = {n: torch.nn.Parameter(one) for n, one in drawn(lane).items()}
    groups = [
        {"params": [one for n, one in own.items() if n.endswith(".w") == ends], "weight_decay": d}
        for ends, d in ((True, decay), (False, 0.0))
    ]
    optimizer = torch.optim.AdamW(groups, lr=0.0)
    for at, rate in enumerate(rates):
        for name, grad in drawn(100 * lane + at, scale).items():
            own[name].grad = grad
        if clip:
            torch.nn.utils.clip_grad_norm_(own.values(), clip)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
    return {n: one.detach() for n, one in own.items()}


@pytest.mark.parametrize("lanes", [1, 3])
@pytest.mark.parametrize(("clip", "scale"), [(0.0, 1.0), (1.0, 1.0), (1.0, 0.01)])
def test_each_lane_is_stepped_as_pytorch_does(lanes: int, clip: float, scale: float) -> None:
    """With a rate of its own that changes, and gradients that are clipped or need not be."""
    weights = weights_of(lanes)
    rates = [[0.0, 0.1, 0.02, 0.03], [0.2, 0.01, 0.1, 0.0], [1e-3, 1e-2, 1e-1, 1e-4]][:lanes]
    for at in range(4):
        grads = [drawn(100 * lane + at, scale) for lane in range(lanes)]
        now = [[1, rates[lane][at], 0.1 * (lane + 1), at + 1] for lane in range(lanes)]
        stepped(weights, grads, now, clip)
    for lane in range(lanes):
        expected = pytorch(lane, rates[lane], 0.1 * (lane + 1), clip, scale)
        for name, found in weights.copy_lane(lane).items():
            assert torch.allclose(found, expected[name], atol=1e-6), (lane, name)


def test_a_lane_that_is_not_live_does_not_change() -> None:
    weights = weights_of(3)
    live = [1, 0, 1]
    for at in range(3):
        grads = [drawn(100 * lane + at) for lane in range(3)]
        stepped(weights, grads, [[one, 0.1, 0.1, at + 1] for one in live], 0.0)
    for lane in range(3):
        expected = pytorch(lane, [0.1] * 3 if live[lane] else [], 0.1, 0.0, 1.0)
        for name, found in weights.copy_lane(lane).items():
            assert torch.allclose(found, expected[name], atol=1e-6)
    assert not weights.mean["a.w"][1].any()
    assert not weights.square["a.w"][1].any()


def test_alone_and_not_live_nothing_changes() -> None:
    weights = weights_of(1)
    stepped(weights, [drawn(5)], [[0, 0.1, 0.1, 1]], 0.0)
    assert all(torch.equal(one, drawn(0)[name]) for name, one in weights.copy_lane(0).items())


@pytest.mark.parametrize("lanes", [1, 2])
def test_gradients_may_lie_in_memory_as_they_like(lanes: int) -> None:
    """PyTorch's kernel for the CPU takes memory as it lies, whatever the strides say."""
    straight, turned = weights_of(lanes), weights_of(lanes)
    for at in range(3):
        grads = {n: torch.stack([drawn(at)[n]] * lanes) for n in SHAPES}
        lying = {n: _turned(one) for n, one in grads.items()}
        assert not lying["a.w"].is_contiguous()
        now = torch.tensor([[1, 0.1, 0.1, at + 1]] * lanes, dtype=torch.float64)
        adam.update_weights(straight, grads, now, 1.0, bool)
        adam.update_weights(turned, lying, now, 1.0, bool)
    for name in SHAPES:
        assert torch.allclose(straight.master[name], turned.master[name], atol=1e-7)


def _turned(one: Any) -> Any:
    return one.transpose(-1, -2).contiguous().transpose(-1, -2) if one.dim() > 2 else one


@pytest.mark.parametrize("lanes", [1, 2])
def test_without_its_correction_it_is_bert_adam(lanes: int) -> None:
    weights = weights_of(lanes)
    own, mean, square = ([drawn(lane) for lane in range(lanes)] for _ in range(3))
    for lane in range(lanes):
        mean[lane], square[lane] = ({n: torch.zeros(SHAPES[n]) for n in SHAPES} for _ in range(2))
    for at in range(3):
        grads = [drawn(50 * lane + at) for lane in range(lanes)]
        stepped(weights, grads, [[1, 0.01, 0.1, UNCORRECTED]] * lanes, 0.0)
        for lane, given in enumerate(grads):
            for name, grad in given.items():
                mean[lane][name] = 0.9 * mean[lane][name] + 0.1 * grad
                square[lane][name] = 0.999 * square[lane][name] + 0.001 * grad**2
                change = mean[lane][name] / (square[lane][name].sqrt() + 1e-8)
                if name.endswith(".w"):
                    change = change + 0.1 * own[lane][name]
                own[lane][name] = own[lane][name] - 0.01 * change
    for lane in range(lanes):
        for name, found in weights.copy_lane(lane).items():
            assert torch.allclose(found, own[lane][name], atol=1e-6)


@pytest.mark.parametrize("lanes", [1, 2])
def test_half_precision_is_a_copy_of_weights_that_stay_whole(lanes: int) -> None:
    """So that steps too small for half precision add up."""
    weights, whole = weights_of(lanes, torch.bfloat16), weights_of(lanes)
    for at in range(20):
        grads = [{n: torch.ones(shape) for n, shape in SHAPES.items()}] * lanes
        now = [[1, 1e-5, 0.0, at + 1]] * lanes
        stepped(weights, [{n: g.bfloat16() for n, g in one.items()} for one in grads], now, 0.0)
        stepped(whole, grads, now, 0.0)
    for name in SHAPES:
        assert weights.compute[name].dtype == torch.bfloat16
        assert weights.compute[name].requires_grad
        assert torch.equal(weights.compute[name], weights.master[name].bfloat16())
        assert torch.allclose(weights.master[name], whole.master[name], atol=1e-7)
        assert (whole.master[name] < torch.stack([drawn(at)[name] for at in range(lanes)])).all()


def test_what_is_computed_with_is_the_weights_themselves_in_single_precision() -> None:
    weights = weights_of(2)
    assert all(weights.compute[name] is weights.master[name] for name in SHAPES)


def test_a_copy_of_a_lane_is_not_changed_by_later_steps() -> None:
    weights = weights_of(1)
    before = weights.copy_lane(0)
    stepped(weights, [drawn(5)], [[1, 0.1, 0.1, 1]], 0.0)
    assert all(torch.equal(one, drawn(0)[name]) for name, one in before.items())
    assert not any(one.requires_grad for one in before.values())


def test_a_lane_of_no_numbers_leaves_the_others_alone() -> None:
    weights = weights_of(3)
    grads = [drawn(at) for at in range(3)]
    grads[1] = {n: one * torch.nan for n, one in grads[1].items()}
    stepped(weights, grads, [[1, 0.1, 0.1, 1]] * 3, 1.0)
    assert weights.copy_lane(1)["a.w"].isnan().all()
    for lane in (0, 2):
        assert all(one.isfinite().all() for one in weights.copy_lane(lane).values())
