"""Runs of hansproof itself: predictions.jsonl, complete or still being written."""

from __future__ import annotations

import json
import re

from ..predictions import read
from ._sniff import decode_head

__all__ = ["matches", "read"]

_HEADER = re.compile(r'\s*\{\s*"predictions"\s*:\s*\d')  # as hansproof writes it


def matches(path: str, head: bytes) -> bool:
    """Check whether the first line is a header."""
    first_line = decode_head(head).partition("\n")[0]
    if _HEADER.match(first_line):
        return True
    try:
        header = json.loads(first_line)
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and type(header.get("predictions")) is int
