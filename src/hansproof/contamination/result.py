"""What a scan found: a file of its own, which says all that a finding needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import msgspec

from .._infra import atomic_io
from ..errors import BadInput
from .index import IndexHeader
from .scan import ScanPlan
from .scanner.hits import ScanHits

FORMAT = 1


@dataclass(frozen=True, slots=True)
class SourceIssue:
    """What could not be read, or not as it stands."""

    source: str
    message: str
    position: int | None
    skipped: int | None
    unit_name: str
    text_lost: bool


@dataclass(frozen=True, slots=True)
class NgramHit:
    """An N-gram that was found: how often, and to which items it belongs."""

    text: str
    count: int
    items: tuple[tuple[int, int], ...]  # number of the item in the index, where in it it stands


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with N-grams in it."""

    source: str
    document: int
    start: int  # byte of the document's text at which the first of them begins
    text: str
    hits: tuple[tuple[int, int, int], ...]  # number of the N-gram, start, end in characters


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """What was scanned."""

    sources: tuple[tuple[str, int | None], ...]  # with their bytes, as they lie there
    documents: int
    words: int
    bytes: int  # of text, unpacked


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The result of a scan."""

    format: int
    version: str  # of hansproof
    index_header: IndexHeader
    corpus: CorpusStats
    ngrams: tuple[NgramHit, ...]
    passages: tuple[Passage, ...]
    issues: tuple[SourceIssue, ...]

    def lost_text_issues(self) -> list[SourceIssue]:
        """What was not looked at."""
        return [issue for issue in self.issues if issue.text_lost]


def build_result(plan: ScanPlan, scan_hits: ScanHits, records_read: Sequence[int]) -> ScanResult:
    """The result of a scan that is done; `numbered` has the documents of each part."""
    scan_hits.prune_passages()
    index_numbers = sorted(scan_hits.counts)
    result_numbers = {gram: i for i, gram in enumerate(index_numbers)}
    postings = plan.index.find_postings(index_numbers)
    addresses = [source.address for source in plan.sources]
    earlier_records = _count_earlier_records(plan, records_read)
    return ScanResult(
        FORMAT,
        metadata.version("hansproof"),
        plan.index.header,
        CorpusStats(tuple((s.address, s.size) for s in plan.sources), scan_hits.documents, scan_hits.words,
               scan_hits.bytes),
        tuple(NgramHit(plan.index.ngram_text(g), scan_hits.counts[g], tuple(postings[g])) for g in index_numbers),
        tuple(
            Passage(addresses[plan.shards[p.shard].source_index], earlier_records[p.shard] + p.document, p.start, p.text,
                  tuple((result_numbers[gram], start, end) for gram, start, end in p.hits))
            for p in scan_hits.passages
        ),
        tuple(
            SourceIssue(addresses[plan.shards[p.shard].source_index], p.message, _shift_position(p.position, p.unit_name, earlier_records[p.shard]),
                    p.skipped, p.unit_name, p.text_lost)
            for p in sorted(scan_hits.issues, key=lambda p: (p.shard, p.message, p.position or 0))
        ),
    )  # fmt: skip


def _count_earlier_records(plan: ScanPlan, records_read: Sequence[int]) -> list[int]:
    """How many documents of its source come before each part."""
    totals: Counter[int] = Counter()
    earlier = []
    for shard, n_records in zip(plan.shards, records_read, strict=True):
        earlier.append(totals[shard.source_index])
        totals[shard.source_index] += n_records
    return earlier


def _shift_position(position: int | None, unit_name: str, offset: int) -> int | None:
    return position if position is None or unit_name == "bytes" else position + offset


def write_result(path: str, result: ScanResult) -> None:
    """Write a result, whole or not at all."""
    atomic_io.write_file(path, msgspec.json.encode(result))


def read_results(patterns: Sequence[str]) -> list[tuple[str, ScanResult]]:
    """The results that names and wildcards mean, each once."""
    paths = dict.fromkeys(path for pattern in patterns for path in atomic_io.expand_paths(pattern))
    return [(path, read_result(path)) for path in paths]


def read_result(path: str) -> ScanResult:
    """Read a result and check it."""
    try:
        result = msgspec.json.decode(Path(path).read_bytes(), type=ScanResult)
    except OSError as error:
        raise BadInput(path, str(error.strerror)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(path, f"is no result of `hansproof scan`: {error}") from None
    if result.format != FORMAT:
        raise BadInput(path, f"was made by another version (format {result.format})")
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
        raise BadInput(path, "is damaged: it names items or N-grams that are not there")
    return result
