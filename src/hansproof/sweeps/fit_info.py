"""Parameters of a run for the header of its record: settings, materials, training results."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import Field, asdict, fields
from typing import Any

from ..capabilities import material_digests
from ..plugins import plugin_name, resolve_alias
from ..types import FitInfo, Params, Scalar
from .plan import RunSpec


def collect_params(run: RunSpec, model: Any, fit_infos: Sequence[FitInfo]) -> Params:
    """Collect a model's settings, the files it used, and what training chose."""
    fold_params: Params = {"folds": len(fit_infos)} if run.protocol == "cv" else {}
    return {
        **model_settings(model),
        **model_materials(model),
        **fold_params,
        **_merge_folds(fit_infos, bool(fold_params)),
    }


def _merge_folds(fit_infos: Sequence[FitInfo], in_folds: bool) -> Params:
    """Merge what training reported: folds one after the other, with counts added up."""
    merged: Params = {}
    chosen = [_format_chosen(info.chosen) for info in fit_infos if info.chosen]
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
    """Return a model's name without its parameters; for a file, without its folder."""
    return resolve_alias("models", os.path.basename(plugin_name(spec)))


def model_settings(model: Any) -> Params:
    """Return a model's parameters, without those that change no score, such as a time limit."""
    values = asdict(model)
    return {f.name: _plain_value(values[f.name]) for f in fields(model) if is_identity(f)}


def is_identity(setting: Field[Any]) -> bool:
    """Whether a setting of a model can change its scores, unlike a time limit."""
    return bool(setting.metadata.get("identity", True))


def model_materials(model: Any) -> Params:
    """Return the fingerprints of the files that a model uses, by name."""
    digests = material_digests(model)
    return {str(name): _plain_value(value) for name, value in digests.items()}


def _plain_value(value: object) -> Scalar | tuple[Scalar, ...]:
    """Convert a value to a type that a header can contain."""
    if isinstance(value, list | tuple):
        return tuple(element if isinstance(element, Scalar) else str(element) for element in value)
    return value if isinstance(value, Scalar) else str(value)


def _format_chosen(chosen: Mapping[str, object]) -> str:
    """Return what training chose in one line: `penalty=0.5, epochs=3`."""
    return ", ".join(f"{name}={value}" for name, value in chosen.items())
