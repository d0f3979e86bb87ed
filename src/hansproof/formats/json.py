"""One JSON document: a list of objects, or an object that holds one such list."""

from __future__ import annotations

import msgspec

from ..errors import BadInput
from ..records.lines import read_utf8
from ..records.location import Records
from ..records.msgspec_json import decode_json, decode_record


def records(path: str) -> Records:
    """Yield one record per object, with the line where it begins."""
    data = read_utf8(path)
    if not data.strip():
        return
    start, end, line = 0, 0, 1
    for raw in _item_list(data, path):
        # Only spaces and commas separate two elements, so the first match is the element.
        previous_start, start = start, data.index(bytes(raw), end)
        line += data.count(b"\n", previous_start, start)
        yield line, decode_record(raw, path, line)
        end = start + len(bytes(raw))
    if not data.lstrip().startswith(b"["):
        decode_json(data, object, path)  # refuses duplicate keys beside the list


def _item_list(data: bytes, path: str) -> list[msgspec.Raw]:
    if data.lstrip().startswith(b"["):
        return decode_json(data, list[msgspec.Raw], path)
    values = decode_json(data, dict[str, msgspec.Raw], path).values()
    lists = [raw for raw in values if bytes(raw).startswith(b"[")]
    if len(lists) != 1:
        raise BadInput(path, f"holds {len(lists)} lists of items, one is needed")
    return decode_json(lists[0], list[msgspec.Raw], path)
