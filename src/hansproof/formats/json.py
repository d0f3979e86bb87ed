"""One JSON document: a list of objects, or an object that holds one such list."""

from __future__ import annotations

import msgspec

from ..errors import BadInput
from ._decode import decode, record
from ._lines import document
from ._record import Records


def records(path: str) -> Records:
    """One record per object, with the line that it begins in."""
    data = document(path)
    if not data.strip():
        return
    start, end, line = 0, 0, 1
    for raw in _list(data, path):
        # Only blanks and commas stand between two elements, so the first find is the element.
        before, start = start, data.index(bytes(raw), end)
        line += data.count(b"\n", before, start)
        yield line, record(raw, path, line)
        end = start + len(bytes(raw))


def _list(data: bytes, path: str) -> list[msgspec.Raw]:
    if data.lstrip().startswith(b"["):
        return decode(data, list[msgspec.Raw], path)
    values = decode(data, dict[str, msgspec.Raw], path).values()
    lists = [raw for raw in values if bytes(raw).startswith(b"[")]
    if len(lists) != 1:
        raise BadInput(path, f"holds {len(lists)} lists of items, one is needed")
    return decode(lists[0], list[msgspec.Raw], path)
