"""The result of a scan: a JSON file with hits, passages and the header of the index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import msgspec

from .._infra import atomic_io
from ..errors import BadInput
from ..types import Displayable
from .index import IndexHeader, check_format
from .scan import ScanPlan
from .scanner.hits import ScanHits

FORMAT = 2


@dataclass(frozen=True, slots=True)
class SourceIssue:
    """Text of a source that could not be read, or not as it is."""

    source: str
    message: str
    position: int | None  # first byte or record concerned
    skipped: int | None  # how many; None: unknown
    unit_name: str  # of both: bytes, lines, rows, records, members
    text_lost: bool  # whether text was not scanned


@dataclass(frozen=True, slots=True)
class NgramHit:
    """An N-gram of the index that occurs in the corpus."""

    text: str
    count: int
    items: tuple[tuple[int, int], ...]  # number in the index, parts of the item


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of the corpus that contains N-grams of the index."""

    source: str
    document: int
    start: int  # of the first N-gram: byte of the document's text
    text: str
    hits: tuple[tuple[int, int, int], ...]  # index in `ngrams`, start, end in characters


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """The sources that were scanned, and how much text they contain."""

    sources: tuple[tuple[str, int | None], ...]  # with their size in bytes, compressed if they are
    documents: int
    words: int
    bytes: int  # of decompressed text


@dataclass(frozen=True, slots=True, repr=False)
class ScanResult(Displayable):
    """The result of a scan."""

    format: int
    version: str  # of hansproof
    index_header: IndexHeader
    corpus: CorpusStats
    ngrams: tuple[NgramHit, ...]
    passages: tuple[Passage, ...]
    issues: tuple[SourceIssue, ...]

    def lost_text_issues(self) -> list[SourceIssue]:
        """Return the issues through which text was not scanned."""
        return [issue for issue in self.issues if issue.text_lost]


def build_result(plan: ScanPlan, scan_hits: ScanHits, records_read: Sequence[int]) -> ScanResult:
    """Build the result of a finished scan; `records_read` counts the records of each shard."""
    scan_hits.prune_passages()
    index_numbers = sorted(scan_hits.counts)
    result_numbers = {number: i for i, number in enumerate(index_numbers)}
    postings = plan.index.find_postings(index_numbers)
    addresses = [plan.sources[shard.source_index].address for shard in plan.shards]
    offsets = _count_earlier_records(plan, records_read)
    passages = (
        Passage(
            addresses[p.shard], offsets[p.shard] + p.document, p.start, p.text,
            tuple((result_numbers[number], start, end) for number, start, end in p.hits),
        )
        for p in scan_hits.passages
    )  # fmt: skip
    issues = (
        SourceIssue(
            addresses[p.shard], p.message,
            _shift_position(p.position, p.unit_name, offsets[p.shard]),
            p.skipped, p.unit_name, p.text_lost,
        )
        for p in sorted(scan_hits.issues, key=lambda p: (p.shard, p.message, p.position or 0))
    )  # fmt: skip
    sources = tuple((source.address, source.size) for source in plan.sources)
    return ScanResult(
        FORMAT,
        metadata.version("hansproof"),
        plan.index.header,
        CorpusStats(sources, scan_hits.documents, scan_hits.words, scan_hits.bytes),
        tuple(
            NgramHit(
                plan.index.ngram_text(number), scan_hits.counts[number], tuple(postings[number])
            )
            for number in index_numbers
        ),
        tuple(passages),
        tuple(issues),
    )


def _count_earlier_records(plan: ScanPlan, records_read: Sequence[int]) -> list[int]:
    """Return by shard how many records of its source come before it."""
    totals: Counter[int] = Counter()
    earlier = []
    for shard, n_records in zip(plan.shards, records_read, strict=True):
        earlier.append(totals[shard.source_index])
        totals[shard.source_index] += n_records
    return earlier


def _shift_position(position: int | None, unit_name: str, offset: int) -> int | None:
    return position if position is None or unit_name == "bytes" else position + offset


def write_result(path: str, result: ScanResult) -> None:
    """Write a result atomically."""
    atomic_io.write_file(path, msgspec.json.encode(result))


def read_results(patterns: Sequence[str]) -> list[tuple[str, ScanResult]]:
    """Read the results that paths and wildcards match, each once."""
    paths = dict.fromkeys(path for pattern in patterns for path in atomic_io.expand_paths(pattern))
    return [(path, read_result(path)) for path in paths]


def read_result(path: str) -> ScanResult:
    """Read a result and check it."""
    try:
        raw = Path(path).read_bytes()
        check_format(path, raw, FORMAT, "`hansproof scan`")
        result = msgspec.json.decode(raw, type=ScanResult)
    except OSError as error:
        raise BadInput(path, str(error.strerror)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(path, f"is not a result of `hansproof scan`: {error}") from None
    n_items = sum(len(member.ids) for member in result.index_header.members)
    is_damaged = (
        any(not 0 <= item < n_items for gram in result.ngrams for item, _ in gram.items)
        or any(
            not 0 <= g < len(result.ngrams)
            for passage in result.passages
            for g, _, _ in passage.hits
        )
        or any(
            len(member.ids) != len(member.ngram_counts) for member in result.index_header.members
        )
    )
    if is_damaged:
        raise BadInput(path, "is damaged: it names items or N-grams that do not exist")
    return result
