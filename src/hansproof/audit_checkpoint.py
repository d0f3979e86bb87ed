"""Saves the results of an audit one by one, so that an audit that was stopped can continue."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

import msgspec

from ._infra.json_bytes import encode_json
from .plugins import inputs_of
from .types import Benchmark, Probe, Result

FILE_NAME = "unfinished.jsonl"


class _SavedResult(msgspec.Struct):
    """One line of the file."""

    key: str
    result: Result


@dataclass(frozen=True, slots=True)
class AuditCheckpoint:
    """A file with the results of the probes that have ended.

    A result is used again only by an audit of the same items and inputs, with the same settings
    of the probe and the same version of hansproof.
    """

    path: str
    benchmark: Benchmark
    inputs: Mapping[str, Sequence[Any]]
    resumed: list[str] = field(default_factory=list)  # probes whose saved results were used
    _saved: dict[str, Result] = field(default_factory=dict)
    _digests: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with contextlib.suppress(OSError), open(self.path, "rb") as file:
            for line in file:
                # the last line is incomplete if the audit was killed while writing it
                with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
                    saved = msgspec.json.decode(line, type=_SavedResult)
                    self._saved[saved.key] = saved.result

    def find_result(self, probe: Probe) -> Result | None:
        """Return the saved result of a probe, if there is one for these items and settings."""
        result = self._saved.get(self._key(probe) or "") if self._saved else None
        if result is not None:
            self.resumed.append(result.probe)
        return result

    def add_result(self, probe: Probe, result: Result) -> None:
        """Save the result of a probe."""
        key = self._key(probe)
        if key is None:
            return
        line = encode_json(_SavedResult(key, result)) + b"\n"
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        with open(self.path, "ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def remove(self) -> None:
        """Remove the file: the audit is complete."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path)

    def _key(self, probe: Probe) -> str | None:
        """Return what identifies a result; None where a result must not be used again."""
        if not type(probe).__module__.startswith(f"{__package__}."):
            return None  # the file of a user's own probe may change
        inputs = {name: self._digest(name) for name in inputs_of(probe) if name in self.inputs}
        if None in inputs.values():
            return None
        parts = [metadata.version("hansproof"), repr(probe), self._digest("benchmark"), inputs]
        return hashlib.sha256(encode_json(parts)).hexdigest()

    def _digest(self, name: str) -> str | None:
        """Return the sha256 of an input; None if it is not data, as a trained model."""
        if name not in self._digests:
            value = self.benchmark if name == "benchmark" else self.inputs[name]
            try:
                self._digests[name] = hashlib.sha256(encode_json(value)).hexdigest()
            except TypeError:
                self._digests[name] = None
        return self._digests[name]
