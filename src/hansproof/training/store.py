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

from .. import files
from ..errors import BadInput
from ..predictions import Splits, content, read
from ..types import Predictions
from .locks import DIGITS, THERE, Locks

LOCK = ".lock"
DAMAGED = ".damaged"
CODE = ("version", "source")  # parts that a change to the code changes
_PART = re.compile(rf".+\.([0-9a-f]{{{DIGITS}}})\.jsonl\.\d+\.part")
_LONGEST = 60  # characters of a name's part

Metrics = dict[str, float | int | None]
Say = Callable[[str], None]
State = Literal["finished", "ours", "taken"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A run that a store may hold: what tells it from others, and the beginning of its name."""

    stem: str
    parts: dict[str, Any]

    @property
    def key(self) -> str:
        """sha256 over the parts."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()

    @property
    def name(self) -> str:
        """Of its file."""
        return f"{self.stem}.{self.key[:DIGITS]}.jsonl"


def stem(*names: str) -> str:
    """Names as the beginning of a file name, parted by dots."""
    plain = (re.sub(r"[^A-Za-z0-9_+-]+", "-", name).strip("-") for name in names)
    return ".".join(_short(name) for name in plain if name)


def _short(name: str) -> str:
    """A name that is not too long for a file; of long ones the end tells those apart."""
    if len(name) <= _LONGEST:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()
    return f"{name[: _LONGEST - 7]}-{digest[:6]}"


class Store:
    """A folder of records; what it has to say of damaged ones goes to `say`."""

    def __init__(self, folder: str, say: Say = lambda text: None) -> None:
        self.folder, self._say = folder, say
        self._locks = Locks(os.path.join(folder, LOCK))

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self._locks.close()

    def path(self, entry: Entry) -> str:
        """Where its record is, or would be."""
        return os.path.join(self.folder, entry.name)

    def holds(self, entry: Entry) -> bool:
        """Whether its record is there, whole."""
        found = _bytes(self.path(entry))
        return found is not None and _wrong(found, entry.key) is None

    def read(self, entry: Entry, splits: Splits) -> Predictions:
        """What its record says."""
        return read(self.path(entry), splits)

    def claim(self, entry: Entry) -> State:
        """How it stands: its record is there, another process is at it, or it is ours to do.

        Ours it is until it is freed, and others leave it alone; as many may be ours as we like.
        """
        if self.holds(entry):
            return "finished"
        if not self._locks.take(entry.key):
            return "taken"
        ours = False
        try:
            self._set_aside(entry)  # now that nobody else can write it
            ours = not self.holds(entry)
        finally:
            if not ours:
                self.free(entry)
        return "ours" if ours else "finished"

    def write(self, entry: Entry, run: Predictions, metrics: Metrics) -> None:
        """Its record, on disk when this returns; for who has claimed it."""
        files.write(self.path(entry), _record(entry, run, metrics))

    def free(self, entry: Entry) -> None:
        """Let others have it, done or not."""
        self._locks.free(entry.key)

    def tidy(self) -> None:
        """Remove what killed writers left; a file of one that lives is guarded by its lock."""
        for name in os.listdir(self.folder) if THERE else ():
            left = _PART.fullmatch(name)
            if left and self._locks.take(left[1]):
                with suppress(OSError):  # gone by itself, or not ours to remove
                    os.remove(os.path.join(self.folder, name))
                self._locks.free(left[1])

    def outdated(self, entries: Iterable[Entry]) -> list[str]:
        """Names of records of the same runs that were made by other code."""
        known = {entry.stem: entry for entry in entries}
        found = []
        for name in sorted(os.listdir(self.folder)):
            entry = known.get(name.removesuffix(".jsonl").rpartition(".")[0])
            if entry and name.endswith(".jsonl") and name != entry.name:
                parts = _parts(os.path.join(self.folder, name))
                if parts and _without_code(parts) == _without_code(entry.parts):
                    found.append(name)
        return found

    def _set_aside(self, entry: Entry) -> None:
        """Give a damaged record another name, and say so."""
        path = self.path(entry)
        found = _bytes(path)
        wrong = None if found is None else _wrong(found, entry.key)
        if wrong is None:
            return
        to, number = path + DAMAGED, 1
        while os.path.exists(to):
            number += 1
            to = f"{path}{DAMAGED}.{number}"
        try:
            os.rename(path, to)
        except OSError as error:
            raise BadInput(path, f"{wrong}, and cannot be renamed: {error.strerror}") from None
        self._say(f"{path}: {wrong}; set aside as {os.path.basename(to)}, the run is done again")


def _record(entry: Entry, run: Predictions, metrics: Metrics) -> bytes:
    more = {"run": entry.key, "parts": entry.parts, "metrics": metrics}
    digest = hashlib.sha256(content(run, more)).hexdigest()
    return content(run, {**more, "digest": digest})


def _wrong(found: bytes, key: str) -> str | None:
    """What is wrong with a record that should be the run of that key."""
    first, _, rest = found.partition(b"\n")
    try:
        header = json.loads(first)
        digest = header.pop("digest")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "is damaged: its first line is no header of a record"
    again = json.dumps(header).encode() + b"\n" + rest
    if hashlib.sha256(again).hexdigest() != digest:
        return "is damaged: cut off or changed since it was written"
    return None if header.get("run") == key else "is the record of another run"


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None


def _parts(path: str) -> Mapping[str, Any] | None:
    """What the run of a record was made of; none if it is not one."""
    first = (_bytes(path) or b"").partition(b"\n")[0]
    try:
        parts = json.loads(first).get("parts")
    except (ValueError, AttributeError, RecursionError):
        return None
    return parts if isinstance(parts, dict) else None


def _without_code(parts: Mapping[str, Any]) -> dict[str, Any]:
    plain = json.loads(json.dumps({k: v for k, v in parts.items() if k not in CODE}))
    assert isinstance(plain, dict)
    return plain
