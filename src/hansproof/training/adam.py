"""Adam with decoupled weight decay, for lanes that each have their own learning rate.

Master weights are stored and updated in single precision; the network computes with a copy, in half
precision where that is faster. On a GPU an update is one pass over memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch

from .compilation import compile_on_gpu

BETAS = 0.9, 0.999
EPS = 1e-8
LIVE, RATE, DECAY, STEP = range(4)  # columns of an update's `lane_state`


@dataclass(frozen=True, slots=True, eq=False)
class LaneWeights:
    """The weights of all lanes, each (lanes, ...), and the moments of their gradients."""

    master: dict[str, torch.Tensor]
    compute: dict[
        str, torch.Tensor
    ]  # for the network; the same tensors as `master` in single precision
    mean: dict[str, torch.Tensor]
    square: dict[str, torch.Tensor]

    @classmethod
    def from_lanes(
        cls, lanes: Sequence[Mapping[str, torch.Tensor]], device: torch.device, dtype: torch.dtype
    ) -> LaneWeights:
        """Stack the initial weights of each lane."""
        master = {}
        for name, tensor in lanes[0].items():
            stacked = torch.empty((len(lanes), *tensor.shape), dtype=torch.float32, device=device)
            for index, lane in enumerate(lanes):
                stacked[index].copy_(lane[name])
            master[name] = stacked
        half = dtype != torch.float32
        compute = {name: tensor.to(dtype) if half else tensor for name, tensor in master.items()}
        zeros = [{n: torch.zeros_like(tensor) for n, tensor in master.items()} for _ in range(2)]
        return cls(master, {n: tensor.requires_grad_() for n, tensor in compute.items()}, *zeros)

    def copy_lane(self, index: int) -> dict[str, torch.Tensor]:
        """Return a copy of the weights of a lane."""
        return {name: tensor[index].detach().clone() for name, tensor in self.master.items()}


def update_weights(
    weights: LaneWeights, grads: Mapping[str, torch.Tensor], lane_state: torch.Tensor, clip: float,
    decays: Callable[[str], bool],
) -> None:  # fmt: skip
    """Take one step. `lane_state` has a row per lane: is it live, rate, decay, step number."""
    with torch.no_grad():
        scale = _clip_factors(grads, clip)
        if lane_state.is_cuda or len(lane_state) > 1:
            mean_correction, square_correction = (
                (1 - beta ** lane_state[:, STEP]).float() for beta in BETAS
            )
            live, rate, decay = (lane_state[:, column].float() for column in (LIVE, RATE, DECAY))
            no_decay = torch.zeros_like(decay)
            for name, grad in grads.items():
                master, compute = weights.master[name], weights.compute[name]
                _adam_step(
                    master.detach().flatten(1),
                    None if compute is master else compute.detach().flatten(1),
                    weights.mean[name].flatten(1), weights.square[name].flatten(1),
                    grad.flatten(1), live, rate, decay if decays(name) else no_decay,
                    mean_correction, square_correction, scale,
                )  # fmt: skip
        elif bool(lane_state[0, LIVE]):
            _adam_step_cpu(
                weights, grads, [float(number) for number in lane_state[0]], float(scale), decays
            )


def _clip_factors(grads: Mapping[str, torch.Tensor], clip: float) -> torch.Tensor:
    """Return the factor of each lane's gradients that limits their norm to `clip`."""
    first = next(iter(grads.values()))
    if not clip:
        return torch.ones(len(first), device=first.device)
    norms = [
        torch.linalg.vector_norm(grad.flatten(1), dim=1, dtype=torch.float32)
        for grad in grads.values()
    ]
    norm = torch.linalg.vector_norm(torch.stack(norms), dim=0)
    return (clip / (norm + 1e-6)).clamp(max=1.0)


@compile_on_gpu(dynamic=True)
def _adam_step(
    master: torch.Tensor, compute: torch.Tensor | None, mean: torch.Tensor, square: torch.Tensor,
    grad: torch.Tensor, live: torch.Tensor, rate: torch.Tensor, decay: torch.Tensor,
    mean_correction: torch.Tensor, square_correction: torch.Tensor, scale: torch.Tensor,
) -> None:  # fmt: skip
    live, rate = live[:, None] > 0, rate[:, None]
    scaled_grad = grad.float() * scale[:, None]
    new_mean = mean + (scaled_grad - mean) * (1 - BETAS[0])
    new_square = square + (scaled_grad * scaled_grad - square) * (1 - BETAS[1])
    step = (new_mean / mean_correction[:, None]) / (
        (new_square / square_correction[:, None]).sqrt() + EPS
    )
    new_master = torch.where(live, master * (1 - rate * decay[:, None]) - rate * step, master)
    mean.copy_(torch.where(live, new_mean, mean))
    square.copy_(torch.where(live, new_square, square))
    master.copy_(new_master)
    if compute is not None:
        compute.copy_(new_master)


def _adam_step_cpu(
    weights: LaneWeights, grads: Mapping[str, torch.Tensor], lane_state: Sequence[float],
    scale: float, decays: Callable[[str], bool],
) -> None:  # fmt: skip
    """Take a step by PyTorch's fused kernel, which ignores strides and needs contiguous input."""
    grads = {n: grad.float() * scale if scale != 1 else grad.float() for n, grad in grads.items()}
    grads = {n: grad.contiguous() for n, grad in grads.items()}
    for with_decay in (True, False):
        names = [name for name in grads if decays(name) == with_decay]
        if not names:
            continue
        steps = [torch.tensor(lane_state[STEP], dtype=torch.float32) for _ in names]
        torch._fused_adamw_(
            [weights.master[n].detach() for n in names], [grads[n] for n in names],
            [weights.mean[n] for n in names], [weights.square[n] for n in names], [], steps,
            lr=lane_state[RATE], beta1=BETAS[0], beta2=BETAS[1],
            weight_decay=lane_state[DECAY] if with_decay else 0.0,
            eps=EPS, amsgrad=False, maximize=False,
        )  # fmt: skip
    for name in grads:
        if weights.compute[name] is not weights.master[name]:
            weights.compute[name].copy_(weights.master[name])
