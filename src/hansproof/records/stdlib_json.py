"""Decodes JSON with the standard library, which accepts NaN and needs no other package."""

from __future__ import annotations

import json
from typing import Any

from ..errors import BadInput
from .duplicate_keys import check_duplicate_keys


def parse_json(text: str | bytes, file: str, line: int | None = None) -> Any:
    """Parse JSON; a key that appears twice is an error, and errors fit in one line."""
    try:
        value = json.loads(text)
        check_duplicate_keys(text, value, file, line)
        return value
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else error
        raise BadInput(file, f"broken JSON: {reason}", line=line) from None
