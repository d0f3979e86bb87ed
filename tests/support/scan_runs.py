"""Scans of files, as the command makes them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hansproof.contamination.checkpoint import checkpoint_path
from hansproof.contamination.coordinator import scan_in_threads
from hansproof.contamination.index import NgramIndex
from hansproof.contamination.result import ScanResult, read_result
from hansproof.contamination.scan import ScanPlan
from hansproof.contamination.scanner.compiled import CHUNK_SIZE
from hansproof.corpus import CorpusSource
from hansproof.corpus import resolve_sources as sources
from hansproof.corpus.shards import MAX_SHARD, CorpusReader


def make_plan(
    made: NgramIndex,
    *names: str | Path | CorpusSource,
    chunk: int = CHUNK_SIZE,
    stretch: int = MAX_SHARD,
    reading: CorpusReader | None = None,
) -> ScanPlan:
    """A scan of files; of sources as they were listed before."""
    listed = [
        source
        for name in names
        for source in ([name] if isinstance(name, CorpusSource) else sources([str(name)]))
    ]
    return ScanPlan.for_sources(made, listed, reading or CorpusReader(), chunk, stretch)


def scan(job: ScanPlan, output: Path, threads: int = 1) -> ScanResult:
    """The result, which is also what was written, with nothing left beside it."""
    before = {*output.parent.iterdir()} - {Path(checkpoint_path(str(output)))}
    result = scan_in_threads(job, str(output), threads)
    assert read_result(str(output)) == result
    assert {*output.parent.iterdir()} <= before | {output}
    return result


def counts(result: ScanResult) -> Counter[str]:
    """How often each N-gram was found."""
    return Counter({gram.text: gram.count for gram in result.ngrams})
