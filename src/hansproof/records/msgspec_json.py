"""Decodes untrusted JSON with msgspec; errors fit in one line."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from ..errors import BadInput
from .duplicate_keys import check_duplicate_keys
from .location import Record, type_name

T = TypeVar("T")


def decode_json(
    data: bytes | str | msgspec.Raw, target_type: type[T], path: str, line: int | None = None
) -> T:
    """Decode a value; errors name the line if it is known.

    Keys that appear twice in an object are refused, unless `target_type` leaves parts undecoded.
    """
    try:
        value = msgspec.json.decode(data, type=target_type)
        if target_type is object:
            check_duplicate_keys(data if isinstance(data, str) else bytes(data), value, path, line)
        return value
    except RecursionError:
        raise BadInput(path, "JSON is nested too deeply", line=line) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        line = line or _error_line(data, str(error))
        raise BadInput(path, f"broken JSON: {error}", line=line) from None


def decode_record(data: str | msgspec.Raw, path: str, line: int) -> Record:
    """Decode one JSON object."""
    value = decode_json(data, object, path, line)
    if not isinstance(value, dict):
        raise BadInput(path, f"is {type_name(value)}, not an object", line=line)
    return value


def _error_line(data: bytes | str | msgspec.Raw, error: str) -> int | None:
    """Return the line of a document where an error occurred, or else the last line."""
    if not isinstance(data, bytes):
        return None
    byte = re.search(r"\(byte (\d+)\)", error)
    return data.count(b"\n", 0, int(byte[1]) if byte else len(data.rstrip())) + 1
