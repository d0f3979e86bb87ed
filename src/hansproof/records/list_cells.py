"""Reads lists that programs have written into one cell: as JSON, or as Python or NumPy print them.

A small parser of its own: nothing in a cell is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

SEPARATORS = (";", "|", "\n", "/", ",")  # of lists without brackets; the user says which

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "\n": ""}
_ELEMENT = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d{1,15}(?:\.\d{1,15})?))\s*""", re.DOTALL
)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)


def parse_list(text: str) -> list[object] | None:
    """Return the elements of a list that is written in brackets, or None if the text is not one."""
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        return msgspec.json.decode(text, type=list[object])
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return _parse_printed_list(text[1:-1])


def split_list(text: str, separator: str) -> list[str]:
    """Split the text of a cell into choices; empty parts are left out."""
    return [part for part in map(str.strip, text.split(separator)) if part]


def detect_list_separator(cells: Sequence[str]) -> str | None:
    """Return the sign that separates parts in at least four of five cells, or None."""
    for separator in SEPARATORS:
        n_lists = sum(len(split_list(cell, separator)) > 1 for cell in cells)
        if cells and n_lists >= 0.8 * len(cells):
            return separator
    return None


def _parse_printed_list(body: str) -> list[object] | None:
    """Parse what stands between brackets: quoted texts and numbers, with commas or without any."""
    elements: list[object] = []
    body, separators, position = body.rstrip(), set(), 0
    while position < len(body):
        match = _ELEMENT.match(body, position)
        if match is None:
            return None
        single, double, number = match.groups()
        elements.append(number if number is not None else _unescape(single or double or ""))
        position = match.end()
        has_comma = body.startswith(",", position)
        if position < len(body):
            separators.add(has_comma)
            position += has_comma
    # NumPy prints no commas; where only some are missing, nobody knows what the elements are
    return elements if len(separators) < 2 else None


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
