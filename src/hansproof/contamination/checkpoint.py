"""How far a scan is, on the disk, so that one that was killed goes on where it was."""

from __future__ import annotations

import glob
import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from .. import files
from ..errors import BadInput
from .job import Job, Reached
from .tally import Tally


@dataclass(slots=True)
class Begun:
    """A part that is not done: how far it is, and what is known by then."""

    pieces: int
    state: msgspec.Raw

    @classmethod
    def of(cls, reached: Reached) -> Begun:
        """To be written."""
        return cls(reached.pieces, msgspec.Raw(reached.state))

    def reached(self) -> Reached:
        """To go on from."""
        return Reached(self.pieces, bytes(self.state))


@dataclass(slots=True)
class Progress:
    """What is done of a scan."""

    of: str = ""  # the fingerprint of the scan, once it is written down
    tally: Tally = field(default_factory=Tally)
    numbered: dict[int, int] = field(default_factory=dict)  # documents of each part that is done
    begun: dict[int, Begun] = field(default_factory=dict)


def path_of(output: str) -> str:
    """Where it lies."""
    return f"{output}.part"


def write(output: str, job: Job, progress: Progress) -> None:
    """Keep it, whole or not at all, behind its digest."""
    progress.of = job.fingerprint
    raw = msgspec.json.encode(progress)
    files.write(path_of(output), _digest(raw) + raw)


def _digest(raw: bytes) -> bytes:
    return hashlib.sha256(raw).hexdigest().encode() + b"\n"


def read(output: str, job: Job) -> Progress:
    """What there is of the same scan, or the beginning of one."""
    path = path_of(output)
    if not os.path.exists(path):
        return Progress()
    try:
        with open(path, "rb") as file:
            digest, raw = file.readline(), file.read()
        if digest != _digest(raw):
            raise ValueError
        held = msgspec.json.decode(raw, type=Progress)
    except (OSError, ValueError):
        raise BadInput(path, "is damaged: remove it, and the scan begins anew") from None
    if held.of != job.fingerprint:
        what = "is how far another scan got, or files were changed since"
        raise BadInput(path, f"{what}: remove it, or name another output")
    return held


def remove(output: str) -> None:
    """The scan is done: nothing stays of it, nor of what was being written when it was killed."""
    begun = (f"{glob.escape(name)}.[0-9]*.part" for name in (output, path_of(output)))
    for path in (path_of(output), *(path for names in begun for path in glob.glob(names))):
        with suppress(FileNotFoundError):
            os.remove(path)
