"""Finds the sources of a corpus: files, folders, wildcards, addresses like s3://, hub datasets.

The name of a file tells its format: `.jsonl`, `.parquet`, `.warc` and `.wet`, each also compressed
as `.gz`, `.zst`, `.bz2` or `.xz`; `.zip` of texts; all other files are plain text.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from .._infra import atomic_io
from ..errors import BadInput, MissingExtra, first_line
from . import range_requests
from .readers import COMPRESSES_ITSELF, PLAIN, SPLITTABLE, SUFFIXES
from .remote import RemoteFile, reraise_as_os_error

HUB_PREFIX = "hf:"
COMPRESSIONS = ("gz", "zst", "bz2", "xz")
_UNSUPPORTED = ("tar", "tgz", "7z", "rar", "lz4", "br")


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """A file or a dataset of the hub, and its format."""

    address: str
    kind: str  # plain, jsonl, parquet, warc, zip, hub
    compression: str = ""
    size: int | None = None  # in bytes, compressed if it is
    mtime_ns: int | None = None  # time of the last change, if known

    def is_splittable(self) -> bool:
        """Whether it can be read from any byte on, as lines or words."""
        return self.kind in SPLITTABLE and not self.compression and bool(self.size)


def resolve_sources(names: Iterable[str]) -> list[CorpusSource]:
    """Return the sources that names, wildcards, folders and addresses stand for, each once."""
    sources: dict[str, CorpusSource] = {}
    for source in (source for name in names for source in _expand_name(name)):
        sources.setdefault(_canonical_address(source.address), source)
    return [*sources.values()]


def _canonical_address(address: str) -> str:
    """Return a form that is the same for a/b and ./a/b."""
    return address if ":" in address else os.path.abspath(address)


def _expand_name(name: str) -> Iterator[CorpusSource]:
    if name.startswith(HUB_PREFIX):
        yield CorpusSource(name, "hub")
    elif "://" in name:
        yield from _remote_sources(name)
    else:
        for path in atomic_io.expand_paths(os.path.expanduser(name)):
            for file_path in _list_folder(path) if os.path.isdir(path) else (path,):
                yield _make_source(file_path, *_size_and_mtime(file_path))


def _list_folder(folder: str) -> list[str]:
    """Return the files in a folder and its subfolders, without hidden ones."""
    paths, visited = [], {os.path.realpath(folder)}
    for parent, folders, names in os.walk(folder, followlinks=True):
        paths += [os.path.join(parent, name) for name in names if not name.startswith(".")]
        real_paths = {
            subfolder: os.path.realpath(os.path.join(parent, subfolder)) for subfolder in folders
        }
        folders[:] = [
            subfolder
            for subfolder in folders
            if subfolder[0] != "." and real_paths[subfolder] not in visited
        ]
        visited |= {real_paths[subfolder] for subfolder in folders}  # links may form cycles
    if not paths:
        raise BadInput(folder, "the folder is empty")
    return sorted(paths)


def _size_and_mtime(path: str) -> tuple[int | None, int | None]:
    """Return the size of a file and the time of its last change; a pipe has neither."""
    try:
        status = os.stat(path)
    except OSError:
        return None, None  # reported when it is read
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else (None, None)


def has_changed(source: CorpusSource) -> bool:
    """Whether a local file was changed since it was listed."""
    if source.mtime_ns is None or not os.path.exists(source.address):
        return False
    return _size_and_mtime(source.address) != (source.size, source.mtime_ns)


def _make_source(address: str, size: int | None, mtime_ns: int | None = None) -> CorpusSource:
    if not address.isascii() and address.encode("utf-8", "replace").decode() != address:
        raise BadInput(address, "has a name that is not UTF-8: rename it")
    stem, suffix = os.path.splitext(range_requests.address_path(address).lower())
    compression = suffix[1:] if suffix[1:] in COMPRESSIONS else ""
    suffix = os.path.splitext(stem)[1] if compression else suffix
    if suffix[1:] in _UNSUPPORTED:
        raise BadInput(address, f"{suffix[1:]} archives are not supported: unpack it first")
    kind = SUFFIXES.get(suffix[1:], PLAIN)
    if kind in COMPRESSES_ITSELF and compression:
        raise BadInput(address, f"compressed {kind} files are not supported: unpack it first")
    return CorpusSource(address, kind, compression, size, mtime_ns)


def _remote_sources(address: str) -> Iterator[CorpusSource]:
    """Yield the files behind an address: one, those of a folder, or those that match a pattern."""
    fs, path = resolve_filesystem(address)
    try:
        with reraise_as_os_error():
            paths = [*map(str, _list_remote(fs, path))]
            if not paths:
                raise BadInput(address, "no such file")
            sized_addresses = [
                (str(fs.unstrip_protocol(file_path)), _remote_size(fs, file_path))
                for file_path in paths
            ]
    except OSError as error:
        raise BadInput(address, first_line(error)) from None
    for file_address, size in sized_addresses:
        yield _make_source(file_address, size)


def _list_remote(fs: Any, path: str) -> list[Any]:
    is_http = path.startswith(range_requests.SCHEMES)  # `?` begins a query there
    if any(char in path for char in ("*[" if is_http else "*?[")):
        return sorted(match for match in fs.glob(path) if fs.isfile(match))
    if path.endswith("/") if is_http else fs.isdir(path):
        return sorted(fs.find(path))
    return [path] if fs.exists(path) else []


def _remote_size(fs: Any, path: str) -> int | None:
    """Return the size of a file; None if it can only be read sequentially."""
    size = fs.size(path)
    if path.startswith(range_requests.SCHEMES) and not range_requests.supports_ranges(fs, path):
        return None
    return None if size is None else int(size)


def resolve_filesystem(address: str) -> tuple[Any, str]:
    """Return the filesystem of an address, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise MissingExtra("remote", f"reading {address}") from None
    try:
        fs, path = url_to_fs(address, **range_requests.connection_options(address))
    except (ImportError, OSError, ValueError) as error:
        raise BadInput(address, first_line(error)) from None
    return fs, str(path)


def open_source(source: CorpusSource) -> BinaryIO:
    """Open a file as bytes, without decompression."""
    if "://" in source.address:
        fs, path = resolve_filesystem(source.address)
        is_sequential = path.startswith(range_requests.SCHEMES) and source.size is None
        return cast(BinaryIO, RemoteFile(fs, path, **({"block_size": 0} if is_sequential else {})))
    return open(source.address, "rb", buffering=0)
