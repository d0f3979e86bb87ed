"""Finished runs in a folder, one file each, that several processes may fill at once.

A record is a `predictions.jsonl` whose header says more: `run`, the key, a sha256 over `parts`,
all that can change a score; `metrics`; and `digest`, a sha256 over the rest of the file. The same
run is the same bytes. A record takes its name when it is whole, so a folder holds finished runs and
nothing else that ends in `.jsonl`, whoever was killed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from .._infra import atomic_io
from .._infra.locks import KEY_DIGITS, SUPPORTED, Locks
from ..errors import BadInput
from ..predictions import BenchmarkSplits, read, to_bytes
from ..types import Predictions

LOCK_FILE = ".lock"
DAMAGED_SUFFIX = ".damaged"
CODE_PARTS = ("version", "source")  # parts that a change to the code changes
_PARTIAL_FILE = re.compile(rf".+\.([0-9a-f]{{{KEY_DIGITS}}})\.jsonl\.\d+\.part")
_MAX_NAME_LENGTH = 60  # characters of a name's part

RunMetrics = dict[str, float | int | None]
MessageCallback = Callable[[str], None]
ClaimState = Literal["finished", "ours", "taken"]


@dataclass(frozen=True, slots=True)
class RunKey:
    """A run that a store may hold: what tells it from others, and the beginning of its name."""

    stem: str
    parts: dict[str, Any]

    @property
    def digest(self) -> str:
        """sha256 over the parts."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()

    @property
    def file_name(self) -> str:
        """Of its file."""
        return f"{self.stem}.{self.digest[:KEY_DIGITS]}.jsonl"


def file_stem(*names: str) -> str:
    """Names as the beginning of a file name, parted by dots."""
    cleaned = (re.sub(r"[^A-Za-z0-9_+-]+", "-", name).strip("-") for name in names)
    return ".".join(_shorten_name(name) for name in cleaned if name)


def _shorten_name(name: str) -> str:
    """A name that is not too long for a file; of long ones the end tells those apart."""
    if len(name) <= _MAX_NAME_LENGTH:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()
    return f"{name[: _MAX_NAME_LENGTH - 7]}-{digest[:6]}"


class RunStore:
    """A folder of records; what it has to say of damaged ones goes to `say`."""

    def __init__(self, folder: str, notify: MessageCallback = lambda text: None) -> None:
        self.folder, self._notify = folder, notify
        self._locks = Locks(os.path.join(folder, LOCK_FILE))

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *error: object) -> None:
        self._locks.close()

    def record_path(self, run_key: RunKey) -> str:
        """Where its record is, or would be."""
        return os.path.join(self.folder, run_key.file_name)

    def has_record(self, run_key: RunKey) -> bool:
        """Whether its record is there, whole."""
        data = _read_bytes(self.record_path(run_key))
        return data is not None and _record_problem(data, run_key.digest) is None

    def read_record(self, run_key: RunKey, splits: BenchmarkSplits) -> Predictions:
        """What its record says."""
        return read(self.record_path(run_key), splits)

    def claim(self, run_key: RunKey) -> ClaimState:
        """How it stands: its record is there, another process is at it, or it is ours to do.

        Ours it is until it is freed, and others leave it alone; as many may be ours as we like.
        """
        if self.has_record(run_key):
            return "finished"
        if not self._locks.acquire(run_key.digest):
            return "taken"
        is_claimed = False
        try:
            self._set_aside_damaged(run_key)  # now that nobody else can write it
            is_claimed = not self.has_record(run_key)
        finally:
            if not is_claimed:
                self.release(run_key)
        return "ours" if is_claimed else "finished"

    def write_record(self, run_key: RunKey, predictions: Predictions, metrics: RunMetrics) -> None:
        """Its record, on disk when this returns; for who has claimed it."""
        atomic_io.write_file(
            self.record_path(run_key), _encode_record(run_key, predictions, metrics)
        )

    def release(self, run_key: RunKey) -> None:
        """Let others have it, done or not."""
        self._locks.release(run_key.digest)

    def remove_partial_files(self) -> None:
        """Remove what killed writers left; a file of one that lives is guarded by its lock."""
        for name in os.listdir(self.folder) if SUPPORTED else ():
            match = _PARTIAL_FILE.fullmatch(name)
            if match and self._locks.acquire(match[1]):
                with suppress(OSError):  # gone by itself, or not ours to remove
                    os.remove(os.path.join(self.folder, name))
                self._locks.release(match[1])

    def outdated_records(self, run_keys: Iterable[RunKey]) -> list[str]:
        """Names of records of the same runs that were made by other code."""
        by_stem = {run_key.stem: run_key for run_key in run_keys}
        outdated_names = []
        for name in sorted(os.listdir(self.folder)):
            run_key = by_stem.get(name.removesuffix(".jsonl").rpartition(".")[0])
            if run_key and name.endswith(".jsonl") and name != run_key.file_name:
                parts = _read_parts(os.path.join(self.folder, name))
                if parts and _without_code(parts) == _without_code(run_key.parts):
                    outdated_names.append(name)
        return outdated_names

    def _set_aside_damaged(self, run_key: RunKey) -> None:
        """Give a damaged record another name, and say so."""
        path = self.record_path(run_key)
        data = _read_bytes(path)
        problem = None if data is None else _record_problem(data, run_key.digest)
        if problem is None:
            return
        target, number = path + DAMAGED_SUFFIX, 1
        while os.path.exists(target):
            number += 1
            target = f"{path}{DAMAGED_SUFFIX}.{number}"
        try:
            os.rename(path, target)
        except OSError as error:
            raise BadInput(path, f"{problem}, and cannot be renamed: {error.strerror}") from None
        self._notify(
            f"{path}: {problem}; set aside as {os.path.basename(target)}, the run is done again"
        )


def _encode_record(run_key: RunKey, predictions: Predictions, metrics: RunMetrics) -> bytes:
    extra = {"run": run_key.digest, "parts": run_key.parts, "metrics": metrics}
    digest = hashlib.sha256(to_bytes(predictions, extra)).hexdigest()
    return to_bytes(predictions, {**extra, "digest": digest})


def _record_problem(data: bytes, expected_digest: str) -> str | None:
    """What is wrong with a record that should be the run of that key."""
    header_line, _, body = data.partition(b"\n")
    try:
        header = json.loads(header_line)
        digest = header.pop("digest")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "is damaged: its first line is no header of a record"
    rebuilt = json.dumps(header).encode() + b"\n" + body
    if hashlib.sha256(rebuilt).hexdigest() != digest:
        return "is damaged: cut off or changed since it was written"
    return None if header.get("run") == expected_digest else "is the record of another run"


def _read_bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None


def _read_parts(path: str) -> Mapping[str, Any] | None:
    """What the run of a record was made of; none if it is not one."""
    header_line = (_read_bytes(path) or b"").partition(b"\n")[0]
    try:
        parts = json.loads(header_line).get("parts")
    except (ValueError, AttributeError, RecursionError):
        return None
    return parts if isinstance(parts, dict) else None


def _without_code(parts: Mapping[str, Any]) -> dict[str, Any]:
    normalised = json.loads(json.dumps({k: v for k, v in parts.items() if k not in CODE_PARTS}))
    assert isinstance(normalised, dict)
    return normalised
