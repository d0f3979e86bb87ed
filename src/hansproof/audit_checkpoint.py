"""Saves the results of an audit one by one, so that an audit that was stopped can continue."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ._infra.hashing import file_sha256
from ._infra.json_bytes import encode_json
from .plugins import inputs_of
from .types import Benchmark, Probe, Result

FILE_NAME = ".hansproof-unfinished.jsonl"  # hidden: commands that read a folder skip it
MARK = b'{"hansproof":"results of an unfinished audit"}\n'  # the first line
ALL_SOURCES = "."  # for `code_version`: any module of the package may change a result


class _SavedResult(msgspec.Struct):
    """One line of the file."""

    key: str
    result: Result


@dataclass(slots=True)
class AuditCheckpoint:
    """A file with the results of the probes that have ended.

    A result is used again only by an audit of the same items and inputs, with the same settings
    of the probe and files that they name, the same code, and the same versions of the packages in
    `environment`. A file without the mark of hansproof is neither changed nor removed.
    """

    path: str
    benchmark: Benchmark
    inputs: Mapping[str, Sequence[Any]]
    environment: Mapping[str, str] = field(default_factory=dict)
    resumed: list[str] = field(default_factory=list)  # probes whose saved results were used
    _saved: dict[str, Result] = field(default_factory=dict)
    _digests: dict[str, str | None] = field(default_factory=dict)
    _keys: list[tuple[Probe, str | None]] = field(default_factory=list)
    _has_warned: bool = False

    def __post_init__(self) -> None:
        if not self._is_own_file():
            return
        with contextlib.suppress(OSError), open(self.path, "rb") as file:
            for line in file:
                # a line is incomplete if the audit was killed while writing it
                with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
                    saved = msgspec.json.decode(line, type=_SavedResult)
                    self._saved[saved.key] = saved.result

    def find_result(self, probe: Probe) -> Result | None:
        """Return the saved result of a probe, if there is one for these items and settings."""
        result = self._saved.get(self._key(probe) or "")
        if result is not None:
            self.resumed.append(result.probe)
        return result

    def add_result(self, probe: Probe, result: Result) -> None:
        """Save the result of a probe; if that is impossible, warn once and go on."""
        key = self._key(probe)
        if key is None:
            return
        try:
            self._append(encode_json(_SavedResult(key, result)) + b"\n")
        except OSError as error:
            if not self._has_warned:
                reason = error.strerror or str(error)
                message = f"{self.path}: cannot be written ({reason}): the audit goes on"
                warnings.warn(f"{message}, but cannot continue if it is interrupted", stacklevel=2)
            self._has_warned = True

    def remove(self) -> None:
        """Remove the file: the audit is complete."""
        if os.path.lexists(self.path) and self._is_own_file():
            with contextlib.suppress(OSError):
                os.remove(self.path)

    def _is_own_file(self) -> bool:
        """Tell whether hansproof wrote the file, or it does not exist yet."""
        if not os.path.lexists(self.path):
            return True
        if not os.path.isfile(self.path):
            return False
        try:
            with open(self.path, "rb") as file:
                # an audit that was killed may have written only a part of the mark
                head = file.read(len(MARK))
        except OSError:
            return False
        return MARK.startswith(head)

    def _append(self, line: bytes) -> None:
        if not self._is_own_file():
            raise OSError("it exists, and hansproof did not write it")
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        with open(self.path, "a+b") as file:
            size = file.seek(0, os.SEEK_END)
            if size < len(MARK):
                file.truncate(0)
                file.write(MARK)
            else:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":  # so that only the incomplete line is lost
                    file.write(b"\n")
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def _key(self, probe: Probe) -> str | None:
        """Return what identifies a result; None where a result must not be used again.

        It is made when a probe is first seen, before the probe runs: files may change later.
        """
        for known_probe, key in self._keys:
            if known_probe is probe:
                return key
        key = self._make_key(probe)
        self._keys.append((probe, key))
        return key

    def _make_key(self, probe: Probe) -> str | None:
        if not type(probe).__module__.startswith(f"{__package__}."):
            return None  # the file of a user's own probe may change
        inputs = {name: self._digest(name) for name in inputs_of(probe) if name in self.inputs}
        if None in inputs.values():
            return None
        from .sweeps.version import code_version

        settings = msgspec.to_builtins(probe)
        parts = {
            "code": code_version(ALL_SOURCES),
            "environment": dict(self.environment),
            "probe": f"{type(probe).__module__}.{type(probe).__qualname__}",
            "settings": settings,
            "files": {path: _path_digest(path) for path in sorted({*_named_paths(settings)})},
            "benchmark": self._digest("benchmark"),
            "inputs": inputs,
        }
        return hashlib.sha256(encode_json(parts)).hexdigest()

    def _digest(self, name: str) -> str | None:
        """Return the sha256 of an input; None if it is not data, as a fitted model."""
        if name not in self._digests:
            value = self.benchmark if name == "benchmark" else self.inputs[name]
            try:
                self._digests[name] = hashlib.sha256(encode_json(_describe(value))).hexdigest()
            except TypeError:
                self._digests[name] = None
        return self._digests[name]


def _describe(value: Any) -> Any:
    """Return what identifies an input: trained models by the key of all that they depend on."""
    from .inputs.choice_vectors import ChoiceVectors
    from .sweeps.trained_model import TrainedModel

    if isinstance(value, list | tuple):
        return [_describe(element) for element in value]
    if isinstance(value, TrainedModel):
        return [value.name, value.key, sorted(value.train_ids)]
    if isinstance(value, ChoiceVectors):
        digest = hashlib.sha256(value.matrix.tobytes()).hexdigest()
        return [value.model, value.fingerprint, value.device, value.by_text, digest]
    return value


def _named_paths(settings: Any) -> Iterator[str]:
    """Yield the existing files and folders in settings: `e.json`, `bov:vectors=glove.txt`."""
    if isinstance(settings, str):
        for candidate in {settings, *re.split("[:=,|]", settings)}:
            if candidate and os.path.exists(candidate):
                yield candidate
    elif isinstance(settings, dict):
        for value in settings.values():
            yield from _named_paths(value)
    elif isinstance(settings, list | tuple):
        for value in settings:
            yield from _named_paths(value)


def _path_digest(path: str) -> str:
    """Return the sha256 of a file; of a folder, that of the names, sizes and times in it."""
    if os.path.isfile(path):
        return file_sha256((path,))
    facts = []
    for parent, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(parent, name)
            with contextlib.suppress(OSError):
                stat = os.stat(file)
                facts.append((file, stat.st_size, stat.st_mtime_ns))
    return hashlib.sha256(encode_json(facts)).hexdigest()
