"""What a model tells of itself, before and after training, as the header of a record has it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..types import Params, Scalar
from .plan import RunSpec


@dataclass(frozen=True, slots=True)
class FitInfo:
    """What one fitted model says; read once it has scored, for it may be forgotten then."""

    chosen: str = ""  # what training settled on, in one line: `penalty=0.5, epochs=3`
    trials: tuple[str, ...] = ()  # each setting that was tried, in a line
    cut: int | None = None  # sequences longer than the limit
    sequences: int | None = None
    length: int | None = None  # the limit, in tokens, where it is not a parameter's
    tokenizer: str = ""
    device: str = "cpu"
    diverged: bool = False  # its weights are no numbers any more


def read_fit_info(fitted: Any) -> FitInfo:
    """All that it has to tell; none of it is a must."""
    chosen = getattr(fitted, "chosen", None) or {}
    return FitInfo(
        chosen=", ".join(f"{name}={value}" for name, value in chosen.items()),
        trials=tuple(map(str, getattr(fitted, "trials", None) or ())),
        cut=_optional_int(getattr(fitted, "cut", None)),
        sequences=_optional_int(getattr(fitted, "sequences", None)),
        length=_optional_int(getattr(fitted, "length", None)),
        tokenizer=str(getattr(fitted, "tokenizer", "")),
        device=_describe_device(str(getattr(fitted, "device", "cpu"))),
        diverged=bool(getattr(fitted, "diverged", False)),
    )


def _describe_device(name: str) -> str:
    """Where it ran; of a model that needs no training what it was told, which may be `auto`."""
    if name != "auto":
        return name
    from ..pretrained.devices import describe_device, find_device

    return describe_device(find_device(name))


def collect_params(run: RunSpec, model: Any, fit_infos: Sequence[FitInfo]) -> Params:
    """All that was set, that was used, and that training settled on."""
    fold_params: Params = {"folds": len(fit_infos)} if run.protocol == "cv" else {}
    return {
        **model_settings(model),
        **model_materials(model),
        **fold_params,
        **_merge_folds(fit_infos, bool(fold_params)),
    }


def _merge_folds(fit_infos: Sequence[FitInfo], in_folds: bool) -> Params:
    """What training tells; of folds one after the other, and counts together."""
    merged: Params = {}
    chosen = [info.chosen for info in fit_infos if info.chosen]
    if chosen:
        merged["chosen"] = tuple(chosen) if in_folds else chosen[0]
    trials = [
        f"fold {number}: {trial}" if in_folds else trial
        for number, info in enumerate(fit_infos, 1)
        for trial in info.trials
    ]
    if trials:
        merged["trials"] = tuple(trials)
    for name in ("cut", "sequences"):
        counts = [count for info in fit_infos if (count := getattr(info, name)) is not None]
        if counts:
            merged[name] = sum(counts)
    limits = [info.length for info in fit_infos if info.length is not None]
    if limits:
        merged["length"] = max(limits)
    return merged


def model_name(spec: str) -> str:
    """A model's name without its parameters; of a file, without its folder."""
    return os.path.basename(spec.partition(":")[0])


def model_settings(model: Any) -> Params:
    """A model's fields."""
    return {name: _plain_value(value) for name, value in asdict(model).items()}


def model_materials(model: Any) -> Params:
    """The fingerprints of the files a model uses, by name."""
    digests = model.materials() if hasattr(model, "materials") else {}
    return {str(name): _plain_value(value) for name, value in digests.items()}


def _plain_value(value: object) -> Scalar | tuple[Scalar, ...]:
    """A value as a header can hold it."""
    if isinstance(value, list | tuple):
        return tuple(element if isinstance(element, Scalar) else str(element) for element in value)
    return value if isinstance(value, Scalar) else str(value)


def _optional_int(value: object) -> int | None:
    return None if value is None else int(str(value))
