"""Text of any size, from files, folders, object stores and the hub, read as a stream."""

from __future__ import annotations

from .sources import Source, found
from .text import End, Problem, Text, Torn

__all__ = ["End", "Problem", "Source", "Text", "Torn", "found"]
