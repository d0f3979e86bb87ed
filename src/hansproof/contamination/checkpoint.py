"""How far a scan is, on the disk, so that one that was killed goes on where it was."""

from __future__ import annotations

import glob
import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from .._infra import atomic_io
from ..errors import BadInput
from .scan import ScanPlan, ShardState
from .scanner.hits import ScanHits


@dataclass(slots=True)
class SavedShardState:
    """A part that is not done: how far it is, and what is known by then."""

    n_chunks: int
    scanner_state: msgspec.Raw

    @classmethod
    def from_state(cls, state: ShardState) -> SavedShardState:
        """To be written."""
        return cls(state.n_chunks, msgspec.Raw(state.scanner_state))

    def to_state(self) -> ShardState:
        """To go on from."""
        return ShardState(self.n_chunks, bytes(self.scanner_state))


@dataclass(slots=True)
class ScanProgress:
    """What is done of a scan."""

    fingerprint: str = ""  # the fingerprint of the scan, once it is written down
    scan_hits: ScanHits = field(default_factory=ScanHits)
    records_read: dict[int, int] = field(
        default_factory=dict
    )  # documents of each part that is done
    unfinished: dict[int, SavedShardState] = field(default_factory=dict)


def checkpoint_path(output: str) -> str:
    """Where it lies."""
    return f"{output}.part"


def write_checkpoint(output: str, plan: ScanPlan, progress: ScanProgress) -> None:
    """Keep it, whole or not at all, behind its digest."""
    progress.fingerprint = plan.fingerprint
    raw = msgspec.json.encode(progress)
    atomic_io.write_file(checkpoint_path(output), _digest_line(raw) + raw)


def _digest_line(raw: bytes) -> bytes:
    return hashlib.sha256(raw).hexdigest().encode() + b"\n"


def read_checkpoint(output: str, plan: ScanPlan) -> ScanProgress:
    """What there is of the same scan, or the beginning of one."""
    path = checkpoint_path(output)
    if not os.path.exists(path):
        return ScanProgress()
    try:
        with open(path, "rb") as file:
            digest, raw = file.readline(), file.read()
        if digest != _digest_line(raw):
            raise ValueError
        progress = msgspec.json.decode(raw, type=ScanProgress)
    except (OSError, ValueError):
        raise BadInput(path, "is damaged: remove it, and the scan begins anew") from None
    if progress.fingerprint != plan.fingerprint:
        message = "is how far another scan got, or files were changed since"
        raise BadInput(path, f"{message}: remove it, or name another output")
    return progress


def remove_checkpoint(output: str) -> None:
    """The scan is done: nothing stays of it, nor of what was being written when it was killed."""
    patterns = (f"{glob.escape(name)}.[0-9]*.part" for name in (output, checkpoint_path(output)))
    for path in (
        checkpoint_path(output),
        *(path for pattern in patterns for path in glob.glob(pattern)),
    ):
        with suppress(FileNotFoundError):
            os.remove(path)
