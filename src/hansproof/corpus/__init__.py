"""Reads text of any size, from files, folders, object stores and the hub, as a stream."""

from __future__ import annotations

from .chunks import EndOfSource, ReadIssue, TextChunk, UnreadableSource
from .sources import CorpusSource, resolve_sources

__all__ = [
    "CorpusSource",
    "EndOfSource",
    "ReadIssue",
    "TextChunk",
    "UnreadableSource",
    "resolve_sources",
]
