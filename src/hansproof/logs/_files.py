"""The files that patterns mean, and the kind that each is of."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from types import ModuleType

from .. import plugins
from ..errors import BadInput
from ..files import matching
from ._head import head

ANY = "table"  # asked last: it takes whatever has the columns


def found(patterns: Sequence[str], kind: str | None) -> Iterator[tuple[str, ModuleType]]:
    """Every file once, in order, with its kind; of a folder, those that are of some kind."""
    seen: set[str] = set()
    for pattern in patterns:
        for path, module in _matched(pattern, kind):
            if os.path.realpath(path) not in seen:
                seen.add(os.path.realpath(path))
                yield path, module


def _matched(pattern: str, kind: str | None) -> list[tuple[str, ModuleType]]:
    if os.path.isdir(pattern):
        inside = sorted(entry.path for entry in os.scandir(pattern) if entry.is_file())
        kinds = [(path, _kind(path, kind)) for path in inside]
        known = [(path, module) for path, module in kinds if module is not None]
        if not known:
            raise BadInput(pattern, f"holds no prediction file; known: {_known()}")
        return known
    return [(path, _surely(path, kind)) for path in matching(pattern)]


def _surely(path: str, kind: str | None) -> ModuleType:
    module = _kind(path, kind)
    if module is None:
        raise BadInput(path, f"is no prediction file that hansproof knows; known: {_known()}")
    return module


def _kind(path: str, kind: str | None) -> ModuleType | None:
    """The module that reads a file: the one asked for, or the first that takes it for its own."""
    if kind is not None:
        return plugins.module("logs", kind)
    try:
        start = head(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None
    for name in sorted(plugins.names("logs"), key=lambda name: (name == ANY, name)):
        module = plugins.module("logs", name)
        if module.matches(path, start):
            return module
    return None


def _known() -> str:
    return ", ".join(plugins.names("logs"))
