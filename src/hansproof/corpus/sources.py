"""Where a corpus lies: files, folders, wildcards, addresses like s3://, data sets on the hub.

What a file holds is told by its name: `.jsonl`, `.parquet`, `.warc` and `.wet`, each also packed
as `.gz`, `.zst`, `.bz2` or `.xz`; `.zip`, of texts; anything else is plain text.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from .. import files
from ..errors import BadInput, MissingExtra, first_line
from . import web
from .far import Far, as_os_error

HUB = "hf:"
KINDS = {
    "jsonl": "jsonl", "ndjson": "jsonl", "json": "jsonl", "parquet": "parquet", "warc": "warc",
    "wet": "warc", "zip": "zip",
}  # fmt: skip
PACKED = ("gz", "zst", "bz2", "xz")
_OTHERS = ("tar", "tgz", "7z", "rar", "lz4", "br")


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a data set of the hub, and what it holds."""

    address: str
    kind: str  # plain, jsonl, parquet, warc, zip, hub
    packing: str = ""
    size: int | None = None  # bytes as it lies there
    stamp: int | None = None  # when it was last changed, where that is known

    def cut(self) -> bool:
        """Whether it can be read from any byte on, as lines or words."""
        return self.kind in ("plain", "jsonl") and not self.packing and bool(self.size)


def found(names: Iterable[str]) -> list[Source]:
    """What names, wildcards, folders and addresses mean, each once, in order."""
    known: dict[str, Source] = {}
    for source in (source for name in names for source in _found(name)):
        known.setdefault(_identity(source.address), source)
    return [*known.values()]


def _identity(address: str) -> str:
    """The same for a/b and ./a/b."""
    return address if ":" in address else os.path.abspath(address)


def _found(name: str) -> Iterator[Source]:
    if name.startswith(HUB):
        yield Source(name, "hub")
    elif "://" in name:
        yield from _remote(name)
    else:
        for path in files.matching(os.path.expanduser(name)):
            for one in _inside(path) if os.path.isdir(path) else (path,):
                yield _source(one, *_state(one))


def _inside(folder: str) -> list[str]:
    """The files of a folder and all below it, without those that are hidden."""
    inside, seen = [], {os.path.realpath(folder)}
    for place, folders, names in os.walk(folder, followlinks=True):
        inside += [os.path.join(place, name) for name in names if not name.startswith(".")]
        below = {one: os.path.realpath(os.path.join(place, one)) for one in folders}
        folders[:] = [one for one in folders if one[0] != "." and below[one] not in seen]
        seen |= {below[one] for one in folders}  # links may lead back
    if not inside:
        raise BadInput(folder, "the folder is empty")
    return sorted(inside)


def _state(path: str) -> tuple[int | None, int | None]:
    """Bytes of a file and when it was last changed; a pipe has neither."""
    try:
        now = os.stat(path)
    except OSError:
        return None, None  # said when it is read
    return (now.st_size, now.st_mtime_ns) if stat.S_ISREG(now.st_mode) else (None, None)


def changed(source: Source) -> bool:
    """Whether a file on this machine is no longer what it was when it was listed."""
    if source.stamp is None or not os.path.exists(source.address):
        return False
    return _state(source.address) != (source.size, source.stamp)


def _source(address: str, size: int | None, stamp: int | None = None) -> Source:
    if not address.isascii() and address.encode("utf-8", "replace").decode() != address:
        raise BadInput(address, "has a name that is no UTF-8: rename it")
    stem, ending = os.path.splitext(web.name(address).lower())
    packing = ending[1:] if ending[1:] in PACKED else ""
    ending = os.path.splitext(stem)[1] if packing else ending
    if ending[1:] in _OTHERS:
        raise BadInput(address, f"{ending[1:]} archives are not read: unpack it first")
    kind = KINDS.get(ending[1:], "plain")
    if kind in ("parquet", "zip") and packing:
        raise BadInput(address, f"a packed {kind} file is not read: unpack it first")
    return Source(address, kind, packing, size, stamp)


def _remote(address: str) -> Iterator[Source]:
    """The files behind an address: one, a folder's, or those that a pattern means."""
    system, path = filesystem(address)
    try:
        with as_os_error():
            paths = [*map(str, _listed(system, path))]
            if not paths:
                raise BadInput(address, "no such file")
            named = [(str(system.unstrip_protocol(one)), _size(system, one)) for one in paths]
    except OSError as error:
        raise BadInput(address, first_line(error)) from None
    for name, size in named:
        yield _source(name, size)


def _listed(system: Any, path: str) -> list[Any]:
    on_web = path.startswith(web.SCHEMES)  # where any page may have links, and `?` is no wildcard
    if any(sign in path for sign in ("*[" if on_web else "*?[")):
        return sorted(one for one in system.glob(path) if system.isfile(one))
    if path.endswith("/") if on_web else system.isdir(path):
        return sorted(system.find(path))
    return [path] if system.exists(path) else []


def _size(system: Any, path: str) -> int | None:
    """Not said of what can only be read in one go."""
    size = system.size(path)
    if path.startswith(web.SCHEMES) and not web.parted(system, path):
        return None
    return None if size is None else int(size)


def filesystem(address: str) -> tuple[Any, str]:
    """What reads an address, and the path there."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise MissingExtra("remote", f"reading {address}") from None
    try:
        system, path = url_to_fs(address, **web.options(address))
    except (ImportError, OSError, ValueError) as error:
        raise BadInput(address, first_line(error)) from None
    return system, str(path)


def opened(source: Source) -> BinaryIO:
    """The bytes of a file as they lie there."""
    if "://" in source.address:
        system, path = filesystem(source.address)
        in_one_go = path.startswith(web.SCHEMES) and source.size is None
        return cast(BinaryIO, Far(system, path, **({"block_size": 0} if in_one_go else {})))
    return open(source.address, "rb", buffering=0)
