"""Runs of hansproof's own: predictions.jsonl, whole or still being written."""

from __future__ import annotations

import json
import re

from ..predictions import read
from ._head import text

__all__ = ["matches", "read"]

_HEADER = re.compile(r'\s*\{\s*"predictions"\s*:\s*\d')  # as hansproof writes it


def matches(path: str, head: bytes) -> bool:
    """Whether the first line is a header."""
    first = text(head).partition("\n")[0]
    if _HEADER.match(first):
        return True
    try:
        found = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and type(found.get("predictions")) is int
