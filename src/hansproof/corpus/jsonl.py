"""JSON lines: every line is a document, its text stands in one field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from .sources import Source
from .stream import Stream
from .text import End, Problem, Text, Torn

LINE = 1 << 24  # bytes of the longest line that is read


def read(source: Source, start: int, end: int | None, field: str) -> Iterator[Text | Problem | End]:
    """The documents whose lines begin in a part of a source."""
    decoder = msgspec.json.Decoder(
        msgspec.defstruct("Line", [("text", str | None, None)], rename={"text": field})
    )
    stream = Stream(source)
    number = 0
    try:
        for number, line in enumerate(_lines(stream, start, end), start=1):
            found = _text(decoder, line, field)
            if isinstance(found, bytes):
                yield Text(number, found, at=stream.at)
            elif found:
                yield Problem(f"{found}, passed over", number, 1, "lines")
    except Torn:
        yield End(number)  # lines of other parts are numbered after these
        raise
    yield End(number)


def _text(decoder: Any, line: bytes | None, field: str) -> bytes | str:
    """The text of a line, or what is wrong with it."""
    if line is None:
        return f"lines of more than {LINE >> 20} MiB"
    if not line.strip():
        return ""
    try:
        text = decoder.decode(line).text
    except msgspec.ValidationError:
        return f"lines whose field {field!r} is no text"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "lines that are no JSON"
    if text is None:
        return f"lines without a field {field!r}"
    return bytes(text.encode("utf-8", "replace"))


def _lines(stream: Stream, start: int, end: int | None) -> Iterator[bytes | None]:
    """Lines that begin in a part; None for one that is too long."""
    place = max(0, start - 1)  # of the line at hand: it begins behind a break
    inside, rest, long = start == 0, b"", 0
    for block in stream.blocks(start, end, before=1):
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            if inside:
                yield None if long + len(line) > LINE else line
            place += long + len(line) + 1
            inside, long = True, 0
            if end is not None and place >= end:
                return
        if long + len(rest) > LINE:
            long, rest = long + len(rest), b""  # what is not kept of it
        if not inside and end is not None and place + long + len(rest) >= end:
            return  # all of the part is in a line that begins before it
    if inside and (rest or long):
        yield None if long else rest
