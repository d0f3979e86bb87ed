"""Refuses JSON objects in which a key appears twice, of which parsers silently drop one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from ..errors import BadInput
from .location import truncate

_KEY_END = re.compile(r'"\s*:')
_KEY_END_BYTES = re.compile(rb'"\s*:')


def check_duplicate_keys(
    text: str | bytes, value: object, file: str, line: int | None = None
) -> None:
    """Raise if an object in `text`, of which `value` was parsed, has a key twice.

    Parsing again is slow, so it is only done if there are more colons than keys in `value`.
    """
    n_colons = text.count(":") if isinstance(text, str) else text.count(b":")
    # the keys of a flat object need no search
    if n_colons == (len(value) if isinstance(value, dict) else 0):
        return
    n_keys = _count_keys(value)
    if n_keys in (n_colons, _count_key_ends(text)):
        return

    def refuse_duplicates(pairs: list[tuple[str, object]]) -> None:
        keys = set()
        for key, _ in pairs:
            if key in keys:
                raise BadInput(file, "appears twice in an object", line=line, field=truncate(key))
            keys.add(key)

    json.loads(text, object_pairs_hook=refuse_duplicates)


def _count_key_ends(text: str | bytes) -> int:
    return len(_KEY_END.findall(text) if isinstance(text, str) else _KEY_END_BYTES.findall(text))


def _count_keys(value: object) -> int:
    """Count the keys of all objects in a value; not recursive, since values may be deep."""
    count, pending = 0, [value]
    while pending:
        container = pending.pop()
        children: Iterable[object] = ()
        if type(container) is dict:
            count, children = count + len(container), container.values()
        elif type(container) is list:
            children = container
        pending += [child for child in children if type(child) is dict or type(child) is list]
    return count
