"""Where a corpus lies: files, folders, wildcards, addresses like s3://, data sets on the hub.

What a file holds is told by its name: `.jsonl`, `.parquet`, `.warc` and `.wet`, each also packed
as `.gz`, `.zst`, `.bz2` or `.xz`; anything else is plain text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from .. import files
from ..errors import BadInput, MissingExtra, first_line

HUB = "hf:"
KINDS = {
    "jsonl": "jsonl", "ndjson": "jsonl", "json": "jsonl", "parquet": "parquet", "warc": "warc",
    "wet": "warc",
}  # fmt: skip
PACKED = ("gz", "zst", "bz2", "xz")
_OTHERS = ("zip", "tar", "tgz", "7z", "rar", "lz4", "br")


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a data set of the hub, and what it holds."""

    address: str
    kind: str  # plain, jsonl, parquet, warc, hub
    packing: str = ""
    size: int | None = None  # bytes as it lies there
    stamp: int | None = None  # when it was last changed, where that is known

    def cut(self) -> bool:
        """Whether it can be read from any byte on, as lines or words."""
        return self.kind in ("plain", "jsonl") and not self.packing and bool(self.size)


def found(names: Iterable[str]) -> list[Source]:
    """What names, wildcards, folders and addresses mean, each once, in order."""
    listed = [source for name in names for source in _found(name)]
    return list({source.address: source for source in listed}.values())


def _found(name: str) -> Iterator[Source]:
    if name.startswith(HUB):
        yield Source(name, "hub")
    elif "://" in name:
        yield from _remote(name)
    else:
        for path in files.matching(os.path.expanduser(name)):
            for one in _inside(path) if os.path.isdir(path) else (path,):
                stat = os.stat(one) if os.path.exists(one) else None
                yield _source(one, stat and stat.st_size, stat and stat.st_mtime_ns)


def _inside(folder: str) -> list[str]:
    """The files of a folder and all below it."""
    inside = sorted(
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if not name.startswith(".")
    )
    if not inside:
        raise BadInput(folder, "the folder is empty")
    return inside


def _source(address: str, size: int | None, stamp: int | None = None) -> Source:
    stem, ending = os.path.splitext(address.lower())
    packing = ending[1:] if ending[1:] in PACKED else ""
    ending = os.path.splitext(stem)[1] if packing else ending
    if ending[1:] in _OTHERS:
        raise BadInput(address, f"{ending[1:]} archives are not read: unpack it first")
    kind = KINDS.get(ending[1:], "plain")
    if kind == "parquet" and packing:
        raise BadInput(address, "a packed Parquet file is not read: unpack it first")
    return Source(address, kind, packing, size, stamp)


def _remote(address: str) -> Iterator[Source]:
    """The files behind an address: one, a folder's, or those that a pattern means."""
    system, path = filesystem(address)
    try:
        if any(sign in path for sign in "*?["):
            paths = sorted(str(one) for one in system.glob(path) if system.isfile(one))
        elif system.isdir(path):
            paths = sorted(str(one) for one in system.find(path))
        else:
            paths = [path] if system.exists(path) else []
        if not paths:
            raise BadInput(address, "no such file")
        for one in paths:
            size = system.size(one)
            yield _source(str(system.unstrip_protocol(one)), None if size is None else int(size))
    except (OSError, ValueError, RuntimeError) as error:
        raise BadInput(address, first_line(error)) from None


def filesystem(address: str) -> tuple[Any, str]:
    """What reads an address, and the path there."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise MissingExtra("remote", f"reading {address}") from None
    try:
        system, path = url_to_fs(address)
    except (ImportError, OSError, ValueError) as error:
        raise BadInput(address, first_line(error)) from None
    return system, str(path)


def opened(source: Source) -> BinaryIO:
    """The bytes of a file as they lie there."""
    if "://" in source.address:
        system, path = filesystem(source.address)
        return cast(BinaryIO, system.open(path, "rb"))
    return open(source.address, "rb", buffering=0)
