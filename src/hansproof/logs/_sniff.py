"""Reads the name and the first bytes of a file, from which the kind of a log is detected."""

from __future__ import annotations

import codecs
import os

from .._infra.json_bytes import escape_surrogates
from ..records.lines import require_regular_file

HEAD_SIZE = 4096
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_head(path: str) -> bytes:
    """Read the first bytes of a file, as passed to `matches` of every kind."""
    require_regular_file(path)
    with open(path, "rb") as file:
        return file.read(HEAD_SIZE)


def decode_head(head: bytes) -> str:
    """Decode the first bytes of a file; invalid bytes are replaced."""
    if head.startswith(_UTF16):
        return head.decode("utf-16", errors="replace")
    return head.decode("utf-8-sig", errors="replace")


def complete_lines(head: bytes) -> list[str]:
    """Return the lines that are certainly complete, without blank ones."""
    lines = decode_head(head).splitlines()
    if len(head) >= HEAD_SIZE:
        lines = lines[:-1]
    return [line for line in lines if line.strip()]


def file_stem(path: str) -> str:
    """Return the name of a file without its ending, which names a model where a log does not."""
    return escape_surrogates(os.path.splitext(os.path.basename(path))[0])
