"""The first line of a file of predictions."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

from ..errors import BadInput
from ..formats._record import shown
from ..types import Predictions, Protocols

SCHEMA = 1
NAN = "nan"  # JSON has no word of its own for the accuracy of training that fell apart
HEADER = tuple(field.name for field in fields(Predictions) if field.name != "scores")
_TEXT = ("benchmark", "split", "sha256", "model", "view", "tokenizer", "device", "version")
_NEEDED = ("benchmark", "split", "sha256", "model", "view")


def header_of(header: Mapping[str, Any], path: str) -> Predictions:
    """The run that a header announces, its scores still to come."""
    schema = header.get("predictions")
    if type(schema) is not int:
        raise BadInput(path, "is no predictions file: its first line is no header", line=1)
    if schema > SCHEMA:
        what = f"{schema} is newer than this hansproof reads ({SCHEMA}): upgrade it"
        raise BadInput(path, what, line=1, field="predictions")
    known = {name: header[name] for name in HEADER if name in header}
    if known.get("train_accuracy") == NAN:
        known["train_accuracy"] = math.nan
    for name in _NEEDED:
        if name not in known:
            raise BadInput(path, "missing in the header", line=1, field=name)
    for name, value in known.items():
        if not _fits(name, value):
            what = f"{shown(json.dumps(value))} is not what a header says there"
            raise BadInput(path, what, line=1, field=name)
    params = {k: tuple(v) if isinstance(v, list) else v for k, v in known.get("params", {}).items()}
    return Predictions(**{**known, "params": params}, scores={})


def _fits(name: str, value: object) -> bool:
    if name in _TEXT:  # names are shown: they must be something, in one line
        return (
            isinstance(value, str) and value.isprintable() and (value != "" or name not in _NEEDED)
        )
    if name == "protocol":
        return value in get_args(Protocols)
    if name == "params":
        return isinstance(value, dict) and all(
            all(map(_scalar, one)) if isinstance(one, list) else _scalar(one)
            for one in value.values()
        )
    if name == "train_accuracy" and isinstance(value, int | float):
        return type(value) is not bool and (math.isnan(value) or 0 <= value <= 1)
    kinds = {"seed": (int,), "trained_on": (str,), "train_accuracy": ()}
    return value is None or type(value) in kinds[name]


def _scalar(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)
