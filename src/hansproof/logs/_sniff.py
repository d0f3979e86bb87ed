"""Reads the first bytes of a file, from which the kind of a log is detected."""

from __future__ import annotations

import codecs

HEAD_SIZE = 4096
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_head(path: str) -> bytes:
    """Read the first bytes of a file, as passed to `matches` of every kind."""
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
