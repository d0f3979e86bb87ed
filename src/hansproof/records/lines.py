"""Reads the text of untrusted files: checks limits first, then decodes."""

from __future__ import annotations

import codecs
import io
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from ..errors import BadInput
from .location import file_extension

LINE_LIMIT = 16 * 2**20  # bytes: larger than any item, small enough for memory
FILE_LIMIT = 128 * 2**20  # bytes; for formats that are read at once
SAVE_AS_UTF8 = "save it as UTF-8"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_GZIP = b"\x1f\x8b"


def iter_lines(path: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines with their line ends; raise on long lines and invalid bytes."""
    with _open_binary(path) as file:
        head = file.read(2)
        file.seek(0)
        if head == _GZIP:
            raise _compressed_error(path)
        yield from _utf16_lines(path, file) if head in _UTF16 else _utf8_lines(path, file)


def read_bytes(path: str) -> bytes:
    """Read all bytes of a file up to `FILE_LIMIT`."""
    with _open_binary(path) as file:
        if os.fstat(file.fileno()).st_size > FILE_LIMIT:
            raise BadInput(path, f"is larger than {FILE_LIMIT >> 20} MiB: convert it to JSON lines")
        data = file.read(FILE_LIMIT)
    if data.startswith(_GZIP):
        raise _compressed_error(path)
    return data


def read_utf8(path: str) -> bytes:
    """Read a text file and return it as UTF-8 without a byte order mark."""
    data = read_bytes(path)
    if data.startswith(_UTF16):
        try:
            return data.decode("utf-16").encode()
        except UnicodeDecodeError:
            raise BadInput(path, "is not valid UTF-16") from None
    start = data.find(b"\0")
    if start >= 0:
        raise BadInput(path, "contains a NUL byte", line=data.count(b"\n", 0, start) + 1)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        prefix = data[: error.start]
        line = prefix.count(b"\n") + 1
        _raise_not_utf8(path, line, data[prefix.rfind(b"\n") + 1 :])
    return data


def require_regular_file(path: str) -> None:
    """Raise if a path is a pipe or a device, which cannot be read twice and may block."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return  # opening it will say why it cannot be read
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise BadInput(path, "is a pipe or a device: write it to a file first")


def _open_binary(path: str) -> BinaryIO:
    require_regular_file(path)
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise BadInput(path, "no such file") from None
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None


def _compressed_error(path: str) -> BadInput:
    return BadInput(path, "is compressed: unpack it first (gunzip)")


def _utf8_lines(path: str, file: BinaryIO) -> Iterator[tuple[int, str]]:
    number = 0
    while raw := file.readline(LINE_LIMIT + 1):
        number += 1
        if len(raw) > LINE_LIMIT:
            raise _line_too_long_error(path, number)
        if b"\0" in raw:
            raise BadInput(path, f"contains a NUL byte in column {raw.index(0) + 1}", line=number)
        if number == 1:
            raw = raw.removeprefix(codecs.BOM_UTF8)
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            _raise_not_utf8(path, number, raw)
        yield number, text


def _utf16_lines(path: str, file: BinaryIO) -> Iterator[tuple[int, str]]:
    number = 0
    with io.TextIOWrapper(file, "utf-16", newline="\n") as stream:
        while True:
            number += 1
            try:
                text = stream.readline(LINE_LIMIT + 1)
            except UnicodeError:
                raise BadInput(path, "is not valid UTF-16", line=number) from None
            if not text:
                return
            if len(text) > LINE_LIMIT:
                raise _line_too_long_error(path, number)
            if "\0" in text:
                raise BadInput(
                    path,
                    f"contains a NUL character in column {text.index(chr(0)) + 1}",
                    line=number,
                )
            yield number, text


def _line_too_long_error(path: str, number: int) -> BadInput:
    return BadInput(path, f"is longer than {LINE_LIMIT >> 20} MiB", line=number)


def _raise_not_utf8(path: str, number: int, raw: bytes) -> None:
    """Raise an error that names the position of the first invalid byte of a line."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        is_json = file_extension(path) in ("json", "jsonl", "ndjson")
        hint = SAVE_AS_UTF8 if is_json else f"{SAVE_AS_UTF8} (in Excel: Save as, CSV UTF-8)"
        message = f"is not UTF-8 at byte {error.start + 1} of line {number}: {hint}"
        raise BadInput(path, message) from None
