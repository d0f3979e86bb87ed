"""Adam with decoupled weight decay, for lanes that each have a rate of their own.

Weights are kept and changed in single precision; what the network computes with is a copy, in half
precision where that is faster. On a GPU all of it is one pass over memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch

from .fusing import fused

BETAS = 0.9, 0.999
EPS = 1e-8
LIVE, RATE, DECAY, STEP = range(4)  # columns of what an update is told for each lane


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights of all lanes, each (lanes, ...), and what Adam remembers of them."""

    master: dict[str, torch.Tensor]
    used: dict[str, torch.Tensor]  # what is computed with; the master itself in single precision
    mean: dict[str, torch.Tensor]
    square: dict[str, torch.Tensor]

    @classmethod
    def of(cls, lanes: Sequence[Mapping[str, torch.Tensor]], device: torch.device,
           dtype: torch.dtype) -> Weights:  # fmt: skip
        """From the weights that each lane begins with."""
        master = {}
        for name, one in lanes[0].items():
            both = torch.empty((len(lanes), *one.shape), dtype=torch.float32, device=device)
            for at, lane in enumerate(lanes):
                both[at].copy_(lane[name])
            master[name] = both
        half = dtype != torch.float32
        used = {name: one.to(dtype) if half else one for name, one in master.items()}
        zeros = [{n: torch.zeros_like(one) for n, one in master.items()} for _ in range(2)]
        return cls(master, {n: one.requires_grad_() for n, one in used.items()}, *zeros)

    def lane(self, at: int) -> dict[str, torch.Tensor]:
        """A copy of the weights of a lane."""
        return {name: one[at].detach().clone() for name, one in self.master.items()}


def update(
    weights: Weights, grads: Mapping[str, torch.Tensor], now: torch.Tensor, clip: float,
    decays: Callable[[str], bool],
) -> None:  # fmt: skip
    """One step. `now` has a row for each lane: is it live, rate, decay, number of step."""
    with torch.no_grad():
        scale = _clipped(grads, clip)
        if now.is_cuda or len(now) > 1:
            of_mean, of_square = ((1 - beta ** now[:, STEP]).float() for beta in BETAS)
            live, rate, decay = (now[:, column].float() for column in (LIVE, RATE, DECAY))
            none = torch.zeros_like(decay)
            for name, grad in grads.items():
                master, used = weights.master[name], weights.used[name]
                _adam(
                    master.detach().flatten(1),
                    None if used is master else used.detach().flatten(1),
                    weights.mean[name].flatten(1), weights.square[name].flatten(1),
                    grad.flatten(1), live, rate, decay if decays(name) else none,
                    of_mean, of_square, scale,
                )  # fmt: skip
        elif bool(now[0, LIVE]):
            _on_cpu(weights, grads, [float(number) for number in now[0]], float(scale), decays)


def _clipped(grads: Mapping[str, torch.Tensor], clip: float) -> torch.Tensor:
    """What gradients are multiplied with, for each lane."""
    first = next(iter(grads.values()))
    if not clip:
        return torch.ones(len(first), device=first.device)
    norms = [
        torch.linalg.vector_norm(one.flatten(1), dim=1, dtype=torch.float32)
        for one in grads.values()
    ]
    norm = torch.linalg.vector_norm(torch.stack(norms), dim=0)
    return (clip / (norm + 1e-6)).clamp(max=1.0)


@fused(dynamic=True)
def _adam(
    master: torch.Tensor, used: torch.Tensor | None, mean: torch.Tensor, square: torch.Tensor,
    grad: torch.Tensor, live: torch.Tensor, rate: torch.Tensor, decay: torch.Tensor,
    of_mean: torch.Tensor, of_square: torch.Tensor, scale: torch.Tensor,
) -> None:  # fmt: skip
    live, rate = live[:, None] > 0, rate[:, None]
    given = grad.float() * scale[:, None]
    first = mean + (given - mean) * (1 - BETAS[0])
    second = square + (given * given - square) * (1 - BETAS[1])
    step = (first / of_mean[:, None]) / ((second / of_square[:, None]).sqrt() + EPS)
    new = torch.where(live, master * (1 - rate * decay[:, None]) - rate * step, master)
    mean.copy_(torch.where(live, first, mean))
    square.copy_(torch.where(live, second, square))
    master.copy_(new)
    if used is not None:
        used.copy_(new)


def _on_cpu(
    weights: Weights, grads: Mapping[str, torch.Tensor], now: Sequence[float], scale: float,
    decays: Callable[[str], bool],
) -> None:  # fmt: skip
    """The same by PyTorch's own kernel, fused on a CPU too; it takes memory as it lies."""
    grads = {n: one.float() * scale if scale != 1 else one.float() for n, one in grads.items()}
    grads = {n: one.contiguous() for n, one in grads.items()}
    for decayed in (True, False):
        names = [name for name in grads if decays(name) == decayed]
        if not names:
            continue
        steps = [torch.tensor(now[STEP], dtype=torch.float32) for _ in names]
        torch._fused_adamw_(
            [weights.master[n].detach() for n in names], [grads[n] for n in names],
            [weights.mean[n] for n in names], [weights.square[n] for n in names], [], steps,
            lr=now[RATE], beta1=BETAS[0], beta2=BETAS[1],
            weight_decay=now[DECAY] if decayed else 0.0,
            eps=EPS, amsgrad=False, maximize=False,
        )  # fmt: skip
    for name in grads:
        if weights.used[name] is not weights.master[name]:
            weights.used[name].copy_(weights.master[name])
