"""What a model tells of itself, before and after training, as the header of a record has it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..types import Params, Scalar
from ._plan import Run


@dataclass(frozen=True, slots=True)
class Told:
    """What one fitted model says; read once it has scored, for it may be forgotten then."""

    chosen: str = ""  # what training settled on, in one line: `penalty=0.5, epochs=3`
    trials: tuple[str, ...] = ()  # each setting that was tried, in a line
    cut: int | None = None  # sequences longer than the limit
    sequences: int | None = None
    length: int | None = None  # the limit, in tokens, where it is not a parameter's
    tokenizer: str = ""
    device: str = "cpu"
    diverged: bool = False  # its weights are no numbers any more


def told(fitted: Any) -> Told:
    """All that it has to tell; none of it is a must."""
    chosen = getattr(fitted, "chosen", None) or {}
    return Told(
        chosen=", ".join(f"{name}={value}" for name, value in chosen.items()),
        trials=tuple(map(str, getattr(fitted, "trials", None) or ())),
        cut=_number(getattr(fitted, "cut", None)),
        sequences=_number(getattr(fitted, "sequences", None)),
        length=_number(getattr(fitted, "length", None)),
        tokenizer=str(getattr(fitted, "tokenizer", "")),
        device=_device(str(getattr(fitted, "device", "cpu"))),
        diverged=bool(getattr(fitted, "diverged", False)),
    )


def _device(name: str) -> str:
    """Where it ran; of a model that needs no training what it was told, which may be `auto`."""
    if name != "auto":
        return name
    from ..models._device import describe, find

    return describe(find(name))


def params(run: Run, model: Any, said: Sequence[Told]) -> Params:
    """All that was set, that was used, and that training settled on."""
    folded: Params = {"folds": len(said)} if run.protocol == "cv" else {}
    return {**settings(model), **materials(model), **folded, **_settled(said, bool(folded))}


def _settled(said: Sequence[Told], folded: bool) -> Params:
    """What training tells; of folds one after the other, and counts together."""
    found: Params = {}
    chosen = [one.chosen for one in said if one.chosen]
    if chosen:
        found["chosen"] = tuple(chosen) if folded else chosen[0]
    trials = [
        f"fold {number}: {trial}" if folded else trial
        for number, one in enumerate(said, 1)
        for trial in one.trials
    ]
    if trials:
        found["trials"] = tuple(trials)
    for name in ("cut", "sequences"):
        counts = [count for one in said if (count := getattr(one, name)) is not None]
        if counts:
            found[name] = sum(counts)
    limits = [one.length for one in said if one.length is not None]
    if limits:
        found["length"] = max(limits)
    return found


def model_name(spec: str) -> str:
    """A model's name without its parameters; of a file, without its folder."""
    return os.path.basename(spec.partition(":")[0])


def settings(model: Any) -> Params:
    """A model's fields."""
    return {name: _plain(value) for name, value in asdict(model).items()}


def materials(model: Any) -> Params:
    """The fingerprints of the files a model uses, by name."""
    found = model.materials() if hasattr(model, "materials") else {}
    return {str(name): _plain(value) for name, value in found.items()}


def _plain(value: object) -> Scalar | tuple[Scalar, ...]:
    """A value as a header can hold it."""
    if isinstance(value, list | tuple):
        return tuple(one if isinstance(one, Scalar) else str(one) for one in value)
    return value if isinstance(value, Scalar) else str(value)


def _number(value: object) -> int | None:
    return None if value is None else int(str(value))
