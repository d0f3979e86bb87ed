"""Finds the files that match patterns, and detects the kind of each log."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType

from .. import plugins
from .._infra.atomic_io import expand_paths
from ..errors import BadInput
from ._named_patterns import NamedPattern
from ._sniff import read_head

FALLBACK_KIND = "table"  # tried last, since it accepts any table with the columns


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file, the module that reads it, and the pattern by which it was given."""

    path: str
    module: ModuleType
    argument: NamedPattern


def find_logs(patterns: Sequence[NamedPattern], kind: str | None) -> Iterator[LogFile]:
    """Yield every file once with its kind; files of a folder without a known kind are skipped.

    Of patterns that match a file, the first counts; a later one must not give it another name.
    """
    first_arguments: dict[str, NamedPattern] = {}
    for argument in patterns:
        for path, module in _match_pattern(argument.pattern, kind):
            first = first_arguments.get(os.path.realpath(path))
            if first is None:
                first_arguments[os.path.realpath(path)] = argument
                yield LogFile(path, module, argument)
            elif argument.model and (first.model, first.view) != (argument.model, argument.view):
                message = f"is given twice, the second time as {argument.model}: name it once"
                raise BadInput(path, message)


def _match_pattern(pattern: str, kind: str | None) -> list[tuple[str, ModuleType]]:
    if os.path.isdir(pattern):
        candidates = [(path, _detect_kind(path, kind)) for path in _list_files(pattern)]
        recognised = [(path, module) for path, module in candidates if module is not None]
        if not recognised:
            raise BadInput(pattern, f"contains no predictions file; supported: {_known_kinds()}")
        return recognised
    return [(path, _require_kind(path, kind)) for path in expand_paths(pattern)]


def _list_files(folder: str) -> list[str]:
    try:
        entries = [entry for entry in os.scandir(folder) if entry.name[0] != "."]
        return sorted(entry.path for entry in entries if entry.is_file())
    except OSError as error:
        raise BadInput(folder, f"cannot be read: {error.strerror}") from None


def _require_kind(path: str, kind: str | None) -> ModuleType:
    module = _detect_kind(path, kind)
    if module is None:
        raise BadInput(path, f"is not a supported predictions file; supported: {_known_kinds()}")
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
