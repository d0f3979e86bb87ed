"""Encodes values as JSON in UTF-8, names of files that are not UTF-8 included.

Python decodes a byte of a file name that is not UTF-8 as a lone surrogate, which UTF-8 cannot
encode: such characters are written as `\\udcff`.
"""

from __future__ import annotations

from typing import Any


def encode_json(value: Any) -> bytes:
    """Encode a value as one line of JSON."""
    import msgspec

    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_escape_values(msgspec.to_builtins(value)))


def escape_surrogates(text: str) -> str:
    """Write out the characters of a text that UTF-8 cannot encode."""
    return text.encode("utf-8", "backslashreplace").decode()


def _escape_values(value: Any) -> Any:
    if isinstance(value, str):
        return escape_surrogates(value)
    if isinstance(value, dict):
        return {_escape_values(key): _escape_values(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_escape_values(item) for item in value]
    return value
