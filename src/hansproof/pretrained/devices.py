"""The device that a network runs on: `cpu`, `cuda`, or `auto`, which prefers cuda."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import MissingExtra, ModelError

if TYPE_CHECKING:
    import torch


def find_device(name: str) -> torch.device:
    """Return the torch device of that name, after checking that it works."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("models", "a neural model") from None
    if name.partition(":")[0] not in ("auto", "cpu", "cuda", "mps", "xpu"):
        raise ModelError(f"device {name!r}: must be auto, cpu or cuda")
    try:
        device_name = ("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name
        return torch.zeros(1, device=device_name).device
    except (RuntimeError, AssertionError) as error:
        raise ModelError(f"device {name!r}: {str(error).splitlines()[0]}") from None


def describe_setting(name: str) -> str:
    """Return a model's device setting as a result states it; `auto` is resolved."""
    return describe_device(find_device(name)) if name == "auto" else name


def describe_device(device: torch.device) -> str:
    """Return a device as results state it: `cpu`, or `cuda: ` and the name of the card."""
    import torch

    return f"cuda: {torch.cuda.get_device_name(device)}" if device.type == "cuda" else device.type
