"""JSON lines: one object per line."""

from __future__ import annotations

import json

from .._infra import atomic_io
from ..records import native
from ..records.lines import iter_lines
from ..records.location import Records
from ..records.msgspec_json import decode_record
from ..types import Items


def records(path: str) -> Records:
    """Yield one record per line; skip blank lines."""
    for number, text in iter_lines(path):
        if text.strip():
            yield number, decode_record(text, path, number)


def write_items(path: str, items: Items) -> None:
    """Write items so that reading the file returns equal items."""
    atomic_io.write_file(path, encode_items(items))


def encode_items(items: Items) -> bytes:
    """Encode items as the content of a file that `write_items` would write."""
    lines = (json.dumps(native.item_to_record(item), ensure_ascii=False) for item in items)
    return "".join(f"{line}\n" for line in lines).encode()
