"""A store of finished runs: a folder with one file per run, which several processes may fill.

A record is a `predictions.jsonl` with more in its header: `parts`, everything that can change a
score; `run`, a sha256 over them; `metrics`; and `digest`, a sha256 over the rest of the file. The
same run always gives the same bytes. A record gets its name when it is complete, so whichever
process is killed, the `.jsonl` files of a folder are finished runs.
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
CODE_PARTS = ("version", "source")  # the parts of a key that depend on the code
_PARTIAL_FILE = re.compile(rf".+\.([0-9a-f]{{{KEY_DIGITS}}})\.jsonl\.\d+\.part")
_MAX_NAME_LENGTH = 60  # characters of one part of a file name

RunMetrics = dict[str, float | int | None]
MessageCallback = Callable[[str], None]
ClaimState = Literal["finished", "ours", "taken"]


@dataclass(frozen=True, slots=True)
class RunKey:
    """The identity of a run in a store: all that can change its scores, and its file's stem."""

    stem: str
    parts: dict[str, Any]

    @property
    def digest(self) -> str:
        """The sha256 over the parts."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()

    @property
    def file_name(self) -> str:
        """The name of its record."""
        return f"{self.stem}.{self.digest[:KEY_DIGITS]}.jsonl"


def file_stem(*names: str) -> str:
    """Join names with dots to the beginning of a file name."""
    cleaned = (re.sub(r"[^A-Za-z0-9_+-]+", "-", name).strip("-") for name in names)
    return ".".join(_shorten_name(name) for name in cleaned if name)


def _shorten_name(name: str) -> str:
    """Shorten a name that is too long for a file; a digest at its end keeps it unique."""
    if len(name) <= _MAX_NAME_LENGTH:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()
    return f"{name[: _MAX_NAME_LENGTH - 7]}-{digest[:6]}"


class RunStore:
    """A folder of records; `notify` is called with a message for each damaged record."""

    def __init__(self, folder: str, notify: MessageCallback = lambda text: None) -> None:
        self.folder, self._notify = folder, notify
        self._locks = Locks(os.path.join(folder, LOCK_FILE))

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *error: object) -> None:
        self._locks.close()

    def record_path(self, run_key: RunKey) -> str:
        """Return the path of a run's record, whether it exists or not."""
        return os.path.join(self.folder, run_key.file_name)

    def has_record(self, run_key: RunKey) -> bool:
        """Return whether the store contains an intact record of a run."""
        data = _read_bytes(self.record_path(run_key))
        return data is not None and _record_problem(data, run_key.digest) is None

    def read_record(self, run_key: RunKey, splits: BenchmarkSplits) -> Predictions:
        """Read the record of a run."""
        return read(self.record_path(run_key), splits)

    def claim(self, run_key: RunKey) -> ClaimState:
        """Claim a run, unless it is finished or claimed by another process.

        The claim lasts until `release()`; a process may hold any number of claims.
        """
        if self.has_record(run_key):
            return "finished"
        if not self._locks.acquire(run_key.digest):
            return "taken"
        is_claimed = False
        try:
            self._set_aside_damaged(run_key)  # nobody else can write it now
            is_claimed = not self.has_record(run_key)
        finally:
            if not is_claimed:
                self.release(run_key)
        return "ours" if is_claimed else "finished"

    def write_record(self, run_key: RunKey, predictions: Predictions, metrics: RunMetrics) -> None:
        """Write the record of a claimed run; it is on disk when this returns."""
        atomic_io.write_file(
            self.record_path(run_key), _encode_record(run_key, predictions, metrics)
        )

    def release(self, run_key: RunKey) -> None:
        """Give up the claim on a run, whether it is finished or not."""
        self._locks.release(run_key.digest)

    def remove_partial_files(self) -> None:
        """Remove partial files of killed writers; locks protect those of live ones."""
        for name in os.listdir(self.folder) if SUPPORTED else ():
            match = _PARTIAL_FILE.fullmatch(name)
            if match and self._locks.acquire(match[1]):
                with suppress(OSError):  # removed meanwhile, or not permitted
                    os.remove(os.path.join(self.folder, name))
                self._locks.release(match[1])

    def outdated_records(self, run_keys: Iterable[RunKey]) -> list[str]:
        """Return the names of records of the same runs that other versions of the code made."""
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
        """Rename a damaged record, and notify."""
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
            f"{path}: {problem}; renamed to {os.path.basename(target)}, and the run is repeated"
        )


def _encode_record(run_key: RunKey, predictions: Predictions, metrics: RunMetrics) -> bytes:
    extra = {"run": run_key.digest, "parts": run_key.parts, "metrics": metrics}
    digest = hashlib.sha256(to_bytes(predictions, extra)).hexdigest()
    return to_bytes(predictions, {**extra, "digest": digest})


def _record_problem(data: bytes, expected_digest: str) -> str | None:
    """Describe what is wrong with a record; None if it is intact and has the expected digest."""
    header_line, _, body = data.partition(b"\n")
    try:
        header = json.loads(header_line)
        digest = header.pop("digest")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "is damaged: its first line is not the header of a record"
    rebuilt = json.dumps(header).encode() + b"\n" + body
    if hashlib.sha256(rebuilt).hexdigest() != digest:
        return "is damaged: truncated or changed since it was written"
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
    """Return the parts of the key in a record's header; None if the file is not a record."""
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
