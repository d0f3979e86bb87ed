"""The first bytes of a file, by which its kind is told."""

from __future__ import annotations

import codecs

HEAD_SIZE = 4096
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_head(path: str) -> bytes:
    """The first bytes of a file, as every kind is shown them."""
    with open(path, "rb") as file:
        return file.read(HEAD_SIZE)


def decode_head(head: bytes) -> str:
    """The same as text; bytes that are no text show as such."""
    if head.startswith(_UTF16):
        return head.decode("utf-16", errors="replace")
    return head.decode("utf-8-sig", errors="replace")


def complete_lines(head: bytes) -> list[str]:
    """The lines that are sure to be whole, blank ones left out."""
    lines = decode_head(head).splitlines()
    if len(head) >= HEAD_SIZE:
        lines = lines[:-1]
    return [line for line in lines if line.strip()]
