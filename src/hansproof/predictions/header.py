"""Parses the first line of a predictions file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

from ..errors import BadInput
from ..records.location import truncate
from ..types import Predictions, TrainingProtocol

SCHEMA = 1
NAN = "nan"  # the training accuracy of a diverged run, which JSON cannot express
ITEM_FIELDS = ("scores", "unanswered", "folds", "text_answers")  # what lines say of their item
HEADER_FIELDS = tuple(field.name for field in fields(Predictions) if field.name not in ITEM_FIELDS)
_TEXT = ("benchmark", "split", "sha256", "model", "view", "tokenizer", "device", "version")
_REQUIRED = ("benchmark", "split", "sha256", "model", "view")


def parse_header(header: Mapping[str, Any], path: str) -> Predictions:
    """Parse a header to a run without scores."""
    schema = header.get("predictions")
    if type(schema) is not int:
        raise BadInput(path, "is not a predictions file: its first line is not a header", line=1)
    if schema > SCHEMA:
        message = (
            f"version {schema} is newer than this hansproof supports ({SCHEMA}): upgrade hansproof"
        )
        raise BadInput(path, message, line=1, field="predictions")
    values = {name: header[name] for name in HEADER_FIELDS if name in header}
    if values.get("train_accuracy") == NAN:
        values["train_accuracy"] = math.nan
    for name in _REQUIRED:
        if name not in values:
            raise BadInput(path, "is missing in the header", line=1, field=name)
    for name, value in values.items():
        if not _is_valid_field(name, value):
            message = f"{truncate(json.dumps(value))} is not a valid value in the header"
            raise BadInput(path, message, line=1, field=name)
    params = {
        k: tuple(v) if isinstance(v, list) else v for k, v in values.get("params", {}).items()
    }
    return Predictions(**{**values, "params": params}, scores={})


def _is_valid_field(name: str, value: object) -> bool:
    if name in _TEXT:  # names are displayed, so they must be printable and in one line
        return (
            isinstance(value, str)
            and value.isprintable()
            and (value != "" or name not in _REQUIRED)
        )
    if name == "protocol":
        return value in get_args(TrainingProtocol)
    if name == "params":
        return isinstance(value, dict) and all(
            all(map(_is_scalar, param)) if isinstance(param, list) else _is_scalar(param)
            for param in value.values()
        )
    if name == "train_accuracy" and isinstance(value, int | float):
        return type(value) is not bool and (math.isnan(value) or 0 <= value <= 1)
    allowed_types = {"seed": (int,), "trained_on": (str,), "train_accuracy": ()}
    return value is None or type(value) in allowed_types[name]


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)
