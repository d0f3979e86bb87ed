"""Builds the models that `--lm` and `--encoder` name: a folder, a hub id, or a plug-in's spec."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from .. import models, plugins
from .._infra.validation import refuse_settings
from ..errors import BadInput

if TYPE_CHECKING:
    from ..models.lm import Lm
    from ..pretrained.text_encoder import TextEncoder

# the settings of plug-ins that matter without a question and without training
LM_SETTINGS = ("source", "batch", "device")
ENCODER_SETTINGS = ("encoder", "pooling", "cache", "device")


def build_lm(value: str) -> Lm:
    """Build the causal language model of a value of `--lm`; raise BadInput for other plug-ins."""
    from ..models.lm import Lm

    if plugins.plugin_name(value) == "lm":
        model: Lm = models.load(value)
        _refuse_other_settings("--lm", model, LM_SETTINGS)
        return model
    if _is_plugin(value):
        message = f"{value} is not a causal language model: give a folder, a hub id or lm:FOLDER"
        raise BadInput("--lm", message)
    return Lm(value)


def build_encoder(value: str) -> TextEncoder:
    """Build the encoder of a value of `--encoder`; raise BadInput for other plug-ins."""
    from ..pretrained.text_encoder import TextEncoder

    if plugins.plugin_name(value) == "encoder_linear":
        model = models.load(value)
        _refuse_other_settings("--encoder", model, ENCODER_SETTINGS)
        return TextEncoder(model.encoder, model.pooling, model.cache, model.device)
    if _is_plugin(value):
        message = f"{value} is not an encoder: give a folder, a hub id or encoder_linear:FOLDER"
        raise BadInput("--encoder", message)
    return TextEncoder(value, "mean", "", "auto")


def _is_plugin(value: str) -> bool:
    """Tell whether a value names a plug-in, or a Python file with one, and not a folder."""
    name = plugins.plugin_name(value)
    return not os.path.isdir(value) and (name in plugins.names("models") or name.endswith(".py"))


def _refuse_other_settings(flag: str, model: Any, used: Collection[str]) -> None:
    """Raise BadInput if a setting that is not used here differs from its default."""
    refuse_settings(flag, model, {field.name for field in fields(model)} - {*used})
