"""Checkpoints of a scan: a scan that was killed resumes from the last one."""

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
class ScanProgress:
    """The finished shards of a scan, and the states of unfinished ones."""

    fingerprint: str = ""  # of the scan; set when a checkpoint is written
    scan_hits: ScanHits = field(default_factory=ScanHits)  # of the finished shards
    records_read: dict[int, int] = field(default_factory=dict)  # by finished shard
    unfinished: dict[int, ShardState] = field(default_factory=dict)

    def remaining_shards(self, plan: ScanPlan) -> list[int]:
        """Return the numbers of the shards that are not finished."""
        return [number for number in range(len(plan.shards)) if number not in self.records_read]


def checkpoint_path(output: str) -> str:
    """Return the path of the checkpoint of a scan that writes to `output`."""
    return f"{output}.part"


def write_checkpoint(output: str, plan: ScanPlan, progress: ScanProgress) -> None:
    """Write a checkpoint atomically; its first line is the digest of the rest."""
    progress.fingerprint = plan.fingerprint
    raw = msgspec.json.encode(progress)
    atomic_io.write_file(checkpoint_path(output), _digest_line(raw) + raw)


def _digest_line(raw: bytes) -> bytes:
    return hashlib.sha256(raw).hexdigest().encode() + b"\n"


def read_checkpoint(output: str, plan: ScanPlan) -> ScanProgress:
    """Read the checkpoint of the same scan; without a checkpoint nothing is finished."""
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
        raise BadInput(path, "is damaged: delete it to start the scan again") from None
    if progress.fingerprint != plan.fingerprint:
        message = "belongs to another scan, or files have changed since"
        raise BadInput(path, f"{message}: delete it, or choose another output")
    return progress


def remove_checkpoint(output: str) -> None:
    """Remove the checkpoint, and partial files of writers that were killed."""
    patterns = (f"{glob.escape(name)}.[0-9]*.part" for name in (output, checkpoint_path(output)))
    partial_files = [path for pattern in patterns for path in glob.glob(pattern)]
    for path in (checkpoint_path(output), *partial_files):
        with suppress(FileNotFoundError):
            os.remove(path)
