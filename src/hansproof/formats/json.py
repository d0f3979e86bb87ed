"""One JSON document: a list of items, or a quiz that contains such lists at any depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

import msgspec

from ..errors import BadInput
from ..records.column_names import find_all, find_roles, normalise_name
from ..records.lines import read_utf8
from ..records.location import Record, Records
from ..records.msgspec_json import decode_json, decode_record
from ..types import SPLIT_NAMES

MAX_DEPTH = 6  # lists and objects around an item
ID = "id"
NESTED_NAMES = ("mc1targets", "targetscores", "answers")


@dataclass(frozen=True, slots=True)
class RawItem:
    """The JSON text of an item, and what the objects around it say."""

    raw: msgspec.Raw
    context: Record
    is_named: bool = False  # it is the value of a name, not an element of a list


class SplitTable(msgspec.Struct):
    """A table as pandas writes it with `orient="split"`."""

    columns: list[str]
    data: list[list[object]]


def records(path: str) -> Records:
    """Yield one record per item, with the line where it begins."""
    data = read_utf8(path)
    if not data.strip():
        return
    columns = _decode_columns(data, path)
    if columns:
        yield from enumerate(_transpose(columns, path), 1)
        return
    start, end, line = 0, 0, 1
    for item in _find_items(data, path):
        # Elements are visited in order, so the first match is the element.
        raw = bytes(item.raw)
        previous_start, start = start, data.index(raw, end)
        line += data.count(b"\n", previous_start, start)
        yield line, {**item.context, **decode_record(item.raw, path, line)}
        end = start + len(raw)
    if not data.lstrip().startswith(b"["):
        decode_json(data, object, path)  # refuses duplicate keys beside the list


def _decode_columns(data: bytes, path: str) -> dict[str, list[object] | dict[str, object]]:
    """Return the columns of a table that was written column by column, as pandas does."""
    if not data.lstrip().startswith(b"{"):
        return {}
    members = decode_json(data, dict[str, msgspec.Raw], path)
    if {"columns", "data"} <= members.keys() and all(map(_is_list, members.values())):
        return _decode_split_table(data, path)
    roles = find_roles(members)
    are_columns = all(_is_list(raw) or _is_object(raw) for raw in members.values())
    if not (are_columns and roles.fields and (roles.choices or roles.wrong)):
        return {}
    document = decode_json(data, object, path)
    return cast(dict[str, list[object] | dict[str, object]], document)


def _decode_split_table(data: bytes, path: str) -> dict[str, list[object] | dict[str, object]]:
    """Return the columns of a table with its rows apart from its names (pandas' `split`)."""
    try:
        table = msgspec.json.decode(data, type=SplitTable)
        return {name: [row[i] for row in table.data] for i, name in enumerate(table.columns)}
    except (msgspec.MsgspecError, IndexError, RecursionError):
        return {}


def _transpose(columns: dict[str, list[object] | dict[str, object]], path: str) -> Iterator[Record]:
    """Yield one record per row; columns are lists, or objects with the same keys."""
    values = {
        name: list(column.values()) if isinstance(column, dict) else column
        for name, column in columns.items()
    }
    keys = [list(column) for column in columns.values() if isinstance(column, dict)]
    if len(set(map(len, values.values()))) > 1 or any(names != keys[0] for names in keys):
        raise BadInput(path, "is a table by column, but its columns have different lengths")
    for row in zip(*values.values(), strict=True):
        yield dict(zip(values, row, strict=True))


def _find_items(data: bytes, path: str) -> list[RawItem]:
    """Find the objects that look like items, or else those of the only list."""
    raw = msgspec.Raw(data.strip())
    if _is_list(raw):
        decode_json(data, list[msgspec.Raw], path)  # an error names the line of the document
    items = _collect_items(raw, {}, path, MAX_DEPTH)
    if items:
        return items
    if bytes(raw).startswith(b"["):
        return [RawItem(element, {}) for element in decode_json(data, list[msgspec.Raw], path)]
    values = decode_json(data, dict[str, msgspec.Raw], path).values()
    lists = [value for value in values if _is_list(value)]
    if len(lists) != 1:
        raise BadInput(path, f"contains {len(lists)} lists of items; exactly one is needed")
    return [RawItem(element, {}) for element in decode_json(lists[0], list[msgspec.Raw], path)]


def _collect_items(raw: msgspec.Raw, context: Record, path: str, depth: int) -> list[RawItem]:
    """Collect the items in a list or an object; an empty list if there are none."""
    if depth == 0:
        return []
    if _is_list(raw):
        return _collect_from_list(raw, context, path, depth)
    if not _is_object(raw):
        return []
    members = decode_json(raw, dict[str, msgspec.Raw], path)
    if _looks_like_item(members):
        return [RawItem(raw, context, is_named=True)]
    inner_context = {**context, **_plain_values(members, path)}
    items: list[RawItem] = []
    for name, member in members.items():
        is_split = name.lower() in SPLIT_NAMES
        member_context = {**inner_context, "split": name.lower()} if is_split else inner_context
        member_items = _collect_items(member, member_context, path, depth - 1)
        if _is_object(member):
            member_items = [_prefix_id(item, name) for item in member_items]
        items += member_items
    return items


def _prefix_id(item: RawItem, name: str) -> RawItem:
    """Give an item that is the value of a name this name as its id, or put it before its id."""
    if not item.is_named:
        return item
    id = f"{name}/{item.context[ID]}" if ID in item.context else name
    return replace(item, context={**item.context, ID: id})


def _collect_from_list(raw: msgspec.Raw, context: Record, path: str, depth: int) -> list[RawItem]:
    """Collect from a list: its elements if the first looks like an item, else what is in them."""
    elements = decode_json(raw, list[msgspec.Raw], path)
    objects = [element for element in elements if _is_object(element)]
    if objects and _looks_like_item(decode_json(objects[0], dict[str, msgspec.Raw], path)):
        return [RawItem(element, context) for element in elements]  # all: a broken one is an error
    items: list[RawItem] = []
    for element in objects:
        items += [
            replace(item, is_named=False)
            for item in _collect_items(element, context, path, depth - 1)
        ]
    return items


def _looks_like_item(members: dict[str, msgspec.Raw]) -> bool:
    """Tell whether the names of an object are those of a question and its choices."""
    roles = find_roles(members)
    has_choices = bool(roles.choices or roles.wrong or find_all(members, NESTED_NAMES))
    if "fields" in members and "choices" in members:
        return True  # hansproof's own format
    if any(normalise_name(name) == "question" and _is_object(raw) for name, raw in members.items()):
        return True  # ARC's question object
    is_text = any(bytes(members[column]).startswith(b'"') for column in roles.fields)
    return is_text and has_choices


def _plain_values(members: dict[str, msgspec.Raw], path: str) -> Record:
    """Return the texts and numbers of an object around items, such as the title of a quiz.

    Its id and its answer, if it has any, are not those of the items.
    """
    roles = find_roles(members)
    excluded = {roles.id, *roles.answers, *roles.weak_answers}
    return {
        name: decode_json(raw, object, path)
        for name, raw in members.items()
        if not _is_list(raw) and not _is_object(raw) and name not in excluded
    }


def _is_list(raw: msgspec.Raw) -> bool:
    return bytes(memoryview(raw)[:1]) == b"["


def _is_object(raw: msgspec.Raw) -> bool:
    return bytes(memoryview(raw)[:1]) == b"{"
