"""JSON lines: one object per line."""

from __future__ import annotations

import json

from .. import files
from ..types import Items
from . import _own
from ._decode import record
from ._lines import lines
from ._record import Records


def records(path: str) -> Records:
    """One record per line; blank lines are passed over."""
    for number, text in lines(path):
        if text.strip():
            yield number, record(text, path, number)


def write(path: str, items: Items) -> None:
    """Write items so that they are read back as they are."""
    with files.part(path) as file:
        for item in items:
            file.write(json.dumps(_own.record(item), ensure_ascii=False).encode() + b"\n")
