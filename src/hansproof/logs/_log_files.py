"""Finds the files that match patterns, and detects the kind of each log."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from types import ModuleType

from .. import plugins
from .._infra.atomic_io import expand_paths
from ..errors import BadInput
from ._sniff import read_head

FALLBACK_KIND = "table"  # tried last, since it accepts any table with the columns


def find_logs(patterns: Sequence[str], kind: str | None) -> Iterator[tuple[str, ModuleType]]:
    """Yield every file once with its kind; files of a folder without a known kind are skipped."""
    seen_paths: set[str] = set()
    for pattern in patterns:
        for path, module in _match_pattern(pattern, kind):
            if os.path.realpath(path) not in seen_paths:
                seen_paths.add(os.path.realpath(path))
                yield path, module


def _match_pattern(pattern: str, kind: str | None) -> list[tuple[str, ModuleType]]:
    if os.path.isdir(pattern):
        paths = sorted(entry.path for entry in os.scandir(pattern) if entry.is_file())
        candidates = [(path, _detect_kind(path, kind)) for path in paths]
        recognised = [(path, module) for path, module in candidates if module is not None]
        if not recognised:
            raise BadInput(pattern, f"holds no prediction file; known: {_known_kinds()}")
        return recognised
    return [(path, _require_kind(path, kind)) for path in expand_paths(pattern)]


def _require_kind(path: str, kind: str | None) -> ModuleType:
    module = _detect_kind(path, kind)
    if module is None:
        raise BadInput(path, f"is no prediction file that hansproof knows; known: {_known_kinds()}")
    return module


def _detect_kind(path: str, kind: str | None) -> ModuleType | None:
    """Return the module that reads a file: that of `kind`, or the first that matches the file."""
    if kind is not None:
        return plugins.load_module("logs", kind)
    try:
        first_bytes = read_head(path)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None
    for name in sorted(plugins.names("logs"), key=lambda name: (name == FALLBACK_KIND, name)):
        module = plugins.load_module("logs", name)
        if module.matches(path, first_bytes):
            return module
    return None


def _known_kinds() -> str:
    return ", ".join(plugins.names("logs"))
