"""JSON lines: each line is a document, with its text in one field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ..chunks import EndOfSource, ReadIssue, TextChunk, UnreadableSource
from ..sources import CorpusSource
from ..stream import SourceStream

MAX_LINE = 1 << 24  # bytes; longer lines are skipped


def read_documents(
    source: CorpusSource, start: int, end: int | None, field: str
) -> Iterator[TextChunk | ReadIssue | EndOfSource]:
    """Yield the documents whose lines begin in a range of bytes."""
    decoder = msgspec.json.Decoder(
        msgspec.defstruct("Line", [("text", str | None, None)], rename={"text": field})
    )
    stream = SourceStream(source)
    number = 0
    try:
        for number, line in enumerate(_split_lines(stream, start, end), start=1):
            text_or_error = _extract_text(decoder, line, field)
            if isinstance(text_or_error, bytes):
                yield TextChunk(number, text_or_error, bytes_read=stream.bytes_read)
            elif text_or_error:
                yield ReadIssue(f"skipped {text_or_error}", number, 1, "lines")
    except UnreadableSource:
        yield EndOfSource(number)  # lines of later shards are numbered from here on
        raise
    yield EndOfSource(number)


def _extract_text(decoder: Any, line: bytes | None, field: str) -> bytes | str:
    """Return the text of a line as bytes, or what is wrong with it as str (empty: nothing)."""
    if line is None:
        return f"lines of more than {MAX_LINE >> 20} MiB"
    if not line.strip():
        return ""
    try:
        text = decoder.decode(line).text
    except msgspec.ValidationError:
        return f"lines whose field {field!r} is not text"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "lines that are not JSON"
    if text is None:
        return f"lines without a field {field!r}"
    return bytes(text.encode("utf-8", "replace"))


def _split_lines(stream: SourceStream, start: int, end: int | None) -> Iterator[bytes | None]:
    """Yield the lines that begin in a range of bytes; None for one that is too long."""
    position = max(0, start - 1)  # of the current line; lines begin after a line break
    begins_inside, tail, discarded = start == 0, b"", 0
    for block in stream.read_blocks(start, end, context=1):
        *complete, tail = (tail + block).split(b"\n")
        for line in complete:
            if begins_inside:
                yield None if discarded + len(line) > MAX_LINE else line
            position += discarded + len(line) + 1
            begins_inside, discarded = True, 0
            if end is not None and position >= end:
                return
        if discarded + len(tail) > MAX_LINE:
            discarded, tail = discarded + len(tail), b""  # only its length matters
        if not begins_inside and end is not None and position + discarded + len(tail) >= end:
            return  # the whole range is in a line that begins before it
    if begins_inside and (tail or discarded):
        yield None if discarded else tail
