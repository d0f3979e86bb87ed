"""Patterns of files that also state a model and a view: `NAME=GLOB` and `NAME@VIEW=GLOB`."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass

from ..errors import BadInput, UnknownName
from ..types import UNKNOWN_VIEW, Benchmark
from ..views import fields_of, parse_view


@dataclass(frozen=True, slots=True)
class NamedPattern:
    """A pattern of files, and the model and the view of their runs where the user states them."""

    pattern: str
    model: str | None = None
    view: str | None = None


def parse_pattern(text: str, benchmark: Benchmark) -> NamedPattern:
    """Parse `GLOB`, `NAME=GLOB` or `NAME@VIEW=GLOB`; a path that exists is never a name."""
    label, pattern = split_label(text)
    if label is None:
        return NamedPattern(text)
    name, separator, view = label.rpartition("@")
    if not separator:
        name, view = label, ""
    if not name or not name.isprintable() or not pattern:
        raise BadInput(text, "is not a file; with a name, write NAME=FILES or NAME@VIEW=FILES")
    if separator:
        check_view(view, benchmark, text)
    return NamedPattern(pattern, name, view or None)


def split_label(text: str) -> tuple[str | None, str]:
    """Split `NAME=GLOB` into name and pattern; the name is None if the text is a path."""
    label, separator, pattern = text.partition("=")
    if not separator or os.path.exists(text) or glob.glob(text, recursive=True):
        return None, text
    return label, pattern


def check_view(view: str, benchmark: Benchmark, argument: str) -> None:
    """Raise BadInput unless the benchmark has this view, or it is `unknown`."""
    fields = fields_of(item for items in benchmark.splits.values() for item in items)
    try:
        if view != UNKNOWN_VIEW:
            parse_view(view, fields)
    except UnknownName as error:
        hint = f" (if the name contains @, write NAME@{UNKNOWN_VIEW}=FILES)"
        raise BadInput(argument, f"{error}{hint if '=' in argument else ''}") from None
