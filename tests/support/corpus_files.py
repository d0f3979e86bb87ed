"""Corpora made for tests: packed in all ways, and read as a scan reads them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hansproof.corpus import (
    CorpusSource,
    EndOfSource,
    ReadIssue,
    TextChunk,
    UnreadableSource,
    resolve_sources,
)
from hansproof.corpus.shards import CorpusReader

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Pack = Callable[[bytes], bytes]


def _zst(raw: bytes) -> bytes:
    """With a checksum, as the command does."""
    return bytes(zstd.compress(raw, options={zstd.CompressionParameter.checksum_flag: 1}))


PACKS: dict[str, Pack] = {
    "gz": gzip.compress, "zst": _zst, "bz2": bz2.compress,
    "xz": partial(lzma.compress, preset=0),
}  # fmt: skip
ANY: dict[str, Pack] = {"": bytes, **PACKS}


def written(path: Path, raw: bytes) -> CorpusSource:
    """A file, as a scan lists it."""
    path.write_bytes(raw)
    (source,) = resolve_sources([str(path)])
    return source


def packed(folder: Path, name: str, raw: bytes, packing: str) -> CorpusSource:
    """A file under a name that says how it is packed."""
    return written(folder / (f"{name}.{packing}" if packing else name), ANY[packing](raw))


@dataclass
class Read:
    """All that was read: documents by source and number, and what went wrong."""

    texts: dict[tuple[int, int], bytes] = field(default_factory=dict)
    problems: dict[str, tuple[int | None, int | None, str]] = field(default_factory=dict)
    numbered: list[int] = field(default_factory=list)  # by source
    torn: list[str] = field(default_factory=list)

    def plain(self, source: int = 0) -> bytes:
        """The text of a file."""
        return self.texts.get((source, 0), b"")


def read(
    sources: Sequence[CorpusSource], reading: CorpusReader | None = None, stretch: int = 1 << 30
) -> Read:
    """The text of sources, put together of what the parts call theirs."""
    reading = reading or CorpusReader()
    seen = Read(numbered=[0] * len(sources))
    for part in reading.plan_shards(sources, stretch):
        before = seen.numbered[part.source_index]
        try:
            own = _Own()
            for piece in reading.read_shard(sources, part, lambda raw: len(raw) > 9):
                if isinstance(piece, TextChunk):
                    own.take(piece)
                    if piece.is_last:
                        key = (part.source_index, before + piece.document if piece.document else 0)
                        seen.texts[key] = seen.texts.get(key, b"") + own.taken()
                        own = _Own()
                elif isinstance(piece, EndOfSource):
                    seen.numbered[part.source_index] += piece.n_documents
                else:
                    _note(seen, piece, before)
        except UnreadableSource as torn:
            key = (part.source_index, 0)
            seen.texts[key] = seen.texts.get(key, b"") + own.taken()
            seen.torn.append(torn.issue.message)
            _note(seen, torn.issue, before)
    return seen


def _note(seen: Read, problem: ReadIssue, before: int) -> None:
    at, skipped, of = seen.problems.get(problem.message, (problem.position, 0, problem.unit_name))
    if problem.message not in seen.problems and at is not None and of != "bytes":
        at += before
    known = skipped is not None and problem.skipped is not None
    total = (skipped or 0) + (problem.skipped or 0) if known else None
    seen.problems[problem.message] = at, total, of


class _Own:
    """A document, or what of it a part calls its own."""

    def __init__(self) -> None:
        self._raw, self._offset = b"", 0
        self._begin: int | None = None
        self._until: int | None = None

    def take(self, piece: TextChunk) -> None:
        if piece.is_first:
            self._offset, self._begin = piece.offset, piece.ngrams_from
        self._raw += piece.data
        self._until = piece.ngrams_until if piece.ngrams_until is not None else self._until

    def taken(self) -> bytes:
        low = self._offset if self._begin is None else self._begin
        high = len(self._raw) + self._offset if self._until is None else self._until
        return self._raw[low - self._offset : max(low, high) - self._offset]
