"""Reads lists that programs have written into one cell: as JSON, or as Python or NumPy print them.

A small parser of its own: nothing in a cell is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

SEPARATORS = (";", "|", "\n", "/", ",")  # of lists without brackets; the user says which
MAX_DEPTH = 4
MIN_LISTS = 0.8  # share of cells that must look like lists

_CLOSING = {"[": "]", "(": ")", "{": "}"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "\n": ""}
_SCALAR = re.compile(
    r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d{1,15}(?:\.\d{1,15})?)(?![\w.])""", re.DOTALL
)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_SPACE = re.compile(r"\s*")
_ARRAY = re.compile(r"array\(")
_DTYPE = re.compile(r"\s*(?:,\s*dtype=[\w<>']+\s*)?\)")


class PrintSyntaxError(Exception):
    """A text is not what Python prints."""


def parse_collection(text: str) -> list[object] | dict[str, object] | None:
    """Return the list or the object that a text contains, or None if it contains neither."""
    text = text.strip()
    if not text or _CLOSING.get(text[0]) != text[-1]:
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        try:
            value, end = _parse_value(text, 0, MAX_DEPTH)
        except PrintSyntaxError:
            return None
        value = value if end == len(text) else None
    return value if isinstance(value, list | dict) else None


def parse_list(text: str) -> list[object] | None:
    """Return the elements of a list that is written in brackets, or None if the text is not one."""
    value = parse_collection(text) if text.lstrip().startswith("[") else None
    return value if isinstance(value, list) else None


def split_list(text: str, separator: str) -> list[str]:
    """Split the text of a cell into choices; empty parts are left out."""
    return [part for part in map(str.strip, text.split(separator)) if part]


def detect_list_separator(cells: Sequence[str]) -> str | None:
    """Return the sign that separates parts in at least four of five cells, or None."""
    for separator in SEPARATORS:
        n_lists = sum(len(split_list(cell, separator)) > 1 for cell in cells)
        if cells and n_lists >= MIN_LISTS * len(cells):
            return separator
    return None


def _parse_value(text: str, position: int, depth: int) -> tuple[object, int]:
    """Parse a printed value; return it and the position behind it."""
    array = _ARRAY.match(text, position)
    if array:
        value, position = _parse_value(text, array.end(), depth)
        end = _DTYPE.match(text, position)
        if end is None:
            raise PrintSyntaxError
        return value, end.end()
    if text[position : position + 1] in _CLOSING and text[position : position + 1]:
        if depth == 0:
            raise PrintSyntaxError
        return _parse_container(text, position, depth - 1)
    scalar = _SCALAR.match(text, position)
    if scalar is None:
        raise PrintSyntaxError
    single, double, number = scalar.groups()
    return number if number is not None else _unescape(single or double or ""), scalar.end()


def _parse_container(text: str, start: int, depth: int) -> tuple[object, int]:
    """Parse a list, a tuple or an object; NumPy prints no commas between the elements of a list."""
    closing, elements, keys = _CLOSING[text[start]], list[object](), list[str]()
    position, separators = _skip_space(text, start + 1), set()
    while not text.startswith(closing, position):
        value, position = _parse_value(text, position, depth)
        position = _skip_space(text, position)
        if closing == "}":
            if not (isinstance(value, str) and text.startswith(":", position)):
                raise PrintSyntaxError
            keys.append(value)
            value, position = _parse_value(text, _skip_space(text, position + 1), depth)
            position = _skip_space(text, position)
        elements.append(value)
        if not text.startswith(closing, position):
            has_comma = text.startswith(",", position)
            separators.add(has_comma)
            position = _skip_space(text, position + has_comma)
    # where only some commas are missing, nobody knows what the elements are
    if len(separators) > 1 or len(set(keys)) < len(keys):
        raise PrintSyntaxError
    return (dict(zip(keys, elements, strict=True)) if closing == "}" else elements), position + 1


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _unescape(text: str) -> str:
    """Undo Python's escapes."""

    def replace_escape(match: re.Match[str]) -> str:
        code = match[1]
        if len(code) > 1:
            number = int(code[1:], 16)
            is_character = number < 0xD800 or 0xDFFF < number < 0x110000
            return chr(number) if is_character else match[0]
        return _ESCAPES.get(code, match[0])

    return _ESCAPE.sub(replace_escape, text)
